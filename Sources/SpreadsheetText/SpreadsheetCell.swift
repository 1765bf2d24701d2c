// Converting text to a table cell that can safely be opened in a spreadsheet — RFC 4180; OWASP, CSV Injection

import TextBytes

package enum SpreadsheetCell {
    /// Returns the text as a cell, with quotes if needed.
    ///
    /// A spreadsheet treats a cell that begins with `=`, `+`, `-`, `@` or white space such as TAB as a formula, even in
    /// quotes. Such text gets a leading `'`, and so does text that already begins with `'`. Therefore, a script that
    /// removes one leading `'` restores the original text. Control characters other than line breaks and tabs are
    /// escaped, as in terminal output.
    package static func text(_ text: String) -> String {
        let plain = text.unicodeScalars.contains(where: isControl) ? escaped(text) : text
        let cell = looksLikeFormula(text) ? "'" + plain : plain
        guard cell.utf8.contains(where: wantsQuotes) || cell.utf8.first == UInt8(ascii: " ") else { return cell }
        return "\"" + cell.replacingBytes(of: "\"", with: "\"\"") + "\""
    }

    /// Whether a terminal that shows the file would interpret the character as a control command.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && !["\t", "\r", "\n"].contains(scalar)
    }

    /// Returns the text with control characters replaced by escapes such as `\u{1B}`.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            isControl(scalar) ? "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}" : String(scalar)
        }.joined()
    }

    /// Whether the text begins with a character on OWASP's list, or with its full-width form.
    ///
    /// In East Asian languages, spreadsheets treat the full-width form in the same way.
    private static func looksLikeFormula(_ text: String) -> Bool {
        switch text.unicodeScalars.first {
        case "=", "+", "-", "@", "\t", "\r", "\n", "\0", "'", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }

    /// Whether a cell with this byte must be quoted.
    ///
    /// This applies to the special characters of RFC 4180 and to the cell separators that spreadsheets use in some
    /// countries.
    private static func wantsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ";"),
            UInt8(ascii: "\t"):
            true
        default: false
        }
    }
}
