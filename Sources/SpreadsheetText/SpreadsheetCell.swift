// A text as a cell of a table that people open in a spreadsheet — RFC 4180; OWASP, CSV Injection

import TextBytes

/// Cells of comma-separated values.
package enum SpreadsheetCell {
    /// The text as a cell, between quotes where it needs them.
    ///
    /// A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@` or white space like TAB for a formula, also in quotes.
    /// A text that begins so gets a `'` before it, as does one that begins with `'` already: a script that takes away one
    /// leading `'` has exactly what stood there.
    package static func text(_ text: String) -> String {
        let cell = looksLikeFormula(text) ? "'" + text : text
        guard cell.utf8.contains(where: wantsQuotes) || cell.utf8.first == UInt8(ascii: " ") else { return cell }
        return "\"" + cell.replacingBytes(of: "\"", with: "\"\"") + "\""
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
