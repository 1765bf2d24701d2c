// Text that is split at semicolons, except at those that a backslash escapes — Docs/CommandLine.md, Records

/// The parts of a string between semicolons, without their escapes.
struct EscapedParts {
    struct Part {
        fileprivate(set) var text = ""
        /// Whether a quotation mark in the part was escaped, which makes it part of the value.
        fileprivate(set) var hasEscapedQuote = false
    }

    /// The parts in order.
    ///
    /// An empty string has a single empty part.
    private(set) var all = [Part()]
    /// Whether the text ends in the middle of an escape.
    private(set) var endsInEscape = false

    var texts: [String] { all.map(\.text) }

    /// Splits a string at its semicolons.
    ///
    /// A backslash escapes the characters in `escapable`. Before any other character, the backslash is an ordinary
    /// character. If `escapable` is nil, a backslash escapes every character.
    init(_ text: some StringProtocol, escapable: Set<Unicode.Scalar>? = [";", ",", "\\"]) {
        for scalar in text.unicodeScalars {
            if endsInEscape {
                if escapable.map({ !$0.contains(scalar) }) ?? false { append("\\") }
                if scalar == "\"" { all[all.count - 1].hasEscapedQuote = true }
                append(scalar)
                endsInEscape = false
            } else if scalar == "\\" {
                endsInEscape = true
            } else if scalar == ";" {
                all.append(Part())
            } else {
                append(scalar)
            }
        }
        if endsInEscape { append("\\") }
    }

    private mutating func append(_ scalar: Unicode.Scalar) { all[all.count - 1].text.unicodeScalars.append(scalar) }
}
