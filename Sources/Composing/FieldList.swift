// The `name=value` parts in the values of `--vcard`, `--mail` and `--bluetooth`, separated by semicolons —
// Docs/CommandLine.md, Records

import NDEF

struct FieldList {
    /// The name of each part, in lower case, and its value.
    let fields: [(name: String, value: String)]

    /// Parses the parts.
    ///
    /// In a value, `;`, `,` and `\` are written `\;`, `\,` and `\\`.
    /// - Parameters:
    ///   - text: the parts.
    ///   - names: the allowed names.
    ///   - repeatable: the names that may occur more than once.
    /// - Throws: `ContentError`, which never contains a value.
    init(_ text: String, names: [String], repeatable: Set<String>) throws(ContentError) {
        try self.init(EscapedParts(text).texts, names: names, repeatable: repeatable)
    }

    /// Reads parts that are already split.
    init(_ parts: [String], names: [String], repeatable: Set<String> = []) throws(ContentError) {
        var fields: [(name: String, value: String)] = []
        for (index, part) in parts.enumerated() where !part.isEmpty {
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = pieces[0].lowercased()
            guard pieces.count == 2, names.contains(name) else {
                let near = Spelling(name).nearest(in: names).map { " Did you mean \($0)=?" } ?? ""
                throw ContentError(
                    "Part \(index + 1) does not begin with one of \(names.map { $0 + "=" }.joined(separator: ", ")).\(near)"
                        + " For a semicolon in a value, write \\;")
            }
            guard !pieces[1].isEmpty else { throw ContentError("\(name) has no value.") }
            guard repeatable.contains(name) || !fields.contains(where: { $0.name == name }) else {
                throw ContentError("\(name) is given twice.")
            }
            fields.append((name, String(pieces[1])))
        }
        self.fields = fields
    }

    /// Returns the value of the first part with this name, or nil if there is none.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Requires that no field seems to begin after a comma.
    ///
    /// Such a field would become part of the value before it.
    ///
    /// - Throws: `ContentError`, which never contains a value.
    static func requireSemicolons(in text: String, before names: [String]) throws(ContentError) {
        var isEscaped = false
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let isOpenComma = scalar == "," && !isEscaped
            isEscaped = scalar == "\\" && !isEscaped
            guard isOpenComma else { continue }
            let part = rest.drop { $0.properties.isWhitespace }
            let word = part.prefix { $0.isASCII && $0.properties.isAlphabetic }
            let name = String(word).lowercased()
            guard names.contains(name), part.dropFirst(word.count).first == "=" else { continue }
            throw ContentError(
                "There is a comma before \(name)=. Use a semicolon there, or write \\, for a comma in a value.")
        }
    }

    /// Whether a string begins with one of the names and `=`.
    static func begins(_ text: String, with names: [String]) -> Bool {
        let name = text.prefix { $0 != "=" }
        return name.endIndex < text.endIndex && names.contains(name.lowercased())
    }

    /// Whether every part of a string begins with a word and `=`, even if the word is not a known name.
    static func hasForm(_ text: String) -> Bool {
        let parts = EscapedParts(text).texts.filter { !$0.isEmpty }
        return !parts.isEmpty
            && parts.allSatisfy { part in
                let word = part.prefix { $0.isASCII && $0.isLetter }
                return !word.isEmpty && part[word.endIndex...].first == "="
            }
    }
}
