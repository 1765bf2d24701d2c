// Text from plans and tags, prepared for an HTML page — HTML Living Standard, named character references

extension String {
    /// The text, escaped for element content and quoted attributes, and with invisible characters made visible.
    var escapedForHTML: String {
        guard unicodeScalars.contains(where: { Self.replacement(for: $0) != nil }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if let replacement = Self.replacement(for: scalar) {
                text += replacement
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text as a page shows it: at most 120 characters, with an ellipsis if it was longer.
    ///
    /// The other report formats contain longer texts completely.
    var cutForPage: String { unicodeScalars.count <= 120 ? self : String(prefix(119)) + "…" }

    private static func replacement(for scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        case "\0"..."\u{1F}": String(UnicodeScalar(UInt8(scalar.value)).controlPicture)
        case "\u{7F}": "\u{2421}"
        // Joiners are parts of words or emoji in many scripts, and do not change the text direction.
        case "\u{200C}", "\u{200D}": nil
        case _ where scalar.value > 0x7F && scalar.isInvisible:
            "[U+\(String(scalar.value, radix: 16, uppercase: true))]"
        default: nil
        }
    }
}

extension Unicode.Scalar {
    /// The visible symbol for a C0 control character, from Unicode's block Control Pictures.
    fileprivate var controlPicture: Unicode.Scalar { Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}" }
}
