// A text as a cell of a table that people open in a spreadsheet — RFC 4180; OWASP, CSV Injection

import TextBytes

/// Cells of comma-separated values.
package enum SpreadsheetCell {
    /// The text as a cell, between quotes where it needs them.
    ///
    /// A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@` or white space like TAB for a formula, also in quotes.
    /// A text that begins so gets a `'` before it, as does one that begins with `'` already: a script that takes away one
    /// leading `'` has exactly what stood there. Control characters besides line breaks and tabs are escaped, as on a terminal.
    package static func text(_ text: String) -> String {
        let plain = text.unicodeScalars.contains(where: isControl) ? escaped(text) : text
        let cell = looksLikeFormula(text) ? "'" + plain : plain
        guard cell.utf8.contains(where: wantsQuotes) || cell.utf8.first == UInt8(ascii: " ") else { return cell }
        return "\"" + cell.replacingBytes(of: "\"", with: "\"\"") + "\""
    }

    /// Whether a terminal that shows the file would take it for a command.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && !["\t", "\r", "\n"].contains(scalar)
    }

    /// With `\u{1B}` in the place of a control character.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            isControl(scalar) ? "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}" : String(scalar)
        }.joined()
    }

    /// By OWASP's list, with the full-width forms, which East Asian spreadsheets take for the same.
    private static func looksLikeFormula(_ text: String) -> Bool {
        switch text.unicodeScalars.first {
        case "=", "+", "-", "@", "\t", "\r", "\n", "\0", "'", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }

    /// RFC 4180's three, and what spreadsheets of other countries part cells at.
    private static func wantsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ";"),
            UInt8(ascii: "\t"):
            true
        default: false
        }
    }
}
