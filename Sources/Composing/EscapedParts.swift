// Text that is split at semicolons, with a backslash before those that belong to a value — Docs/CommandLine.md, Records

/// The parts of a text between semicolons, without their escapes.
struct EscapedParts {
    /// A part.
    struct Part {
        /// Its text.
        fileprivate(set) var text = ""
        /// Whether a quote in it was escaped, and so is no quotation mark.
        fileprivate(set) var hasEscapedQuote = false
    }

    /// The parts in order; one that is empty for an empty text.
    private(set) var all = [Part()]
    /// Whether the text ends in the middle of an escape.
    private(set) var endsInEscape = false

    /// The texts of the parts.
    var texts: [String] { all.map(\.text) }

    /// Splits a text at its semicolons.
    ///
    /// A backslash escapes the characters in `escapable` and is an ordinary character before any other. With nil it
    /// escapes every character.
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
