// A template for the text that is typed for a tag — Docs/CommandLine.md, scan

/// Text with placeholders for facts about a tag, such as `{uid}\n`.
///
/// The placeholders are `{uid}`, `{uid:lower}`, `{type}`, `{chip}`, `{uri}`, `{text}`, `{n}` for the number of the tag
/// in this scan, and `{n:05}` for that number with leading zeros. `{{` and `}}` stand for braces, `\n` for Enter, `\t`
/// for Tab, and `\\` for a backslash. Placeholders and escapes in inserted values are not interpreted.
package struct KeyTemplate: Hashable, Sendable {
    private enum Place: Hashable, Sendable {
        case tag(Fact)
        case number(width: Int)
    }

    private enum Fact: String, CaseIterable {
        case uid
        case uidLower = "uid:lower"
        case type, chip, uri, text

        /// The name of the fact for use in a sentence.
        var name: String {
            switch self {
            case .uid, .uidLower: "UID"
            case .uri: "URI"
            case .type, .chip, .text: rawValue
            }
        }

        func value(_ tag: TagSummary) -> String {
            switch self {
            case .uid: tag.uid
            case .uidLower: tag.uid.lowercased()
            case .type: tag.type
            case .chip: tag.chip
            case .uri: tag.uri
            case .text: tag.text
            }
        }
    }

    private enum Piece: Hashable, Sendable {
        case literal(String)
        case place(Place)
    }

    package struct Problem: Error, Hashable {
        package let reason: String
    }

    private static let numberWidths = 1...20
    /// The names that are allowed between braces.
    private static let placeholders = Fact.allCases.map(\.rawValue) + ["n", "n:05"]

    private let pieces: [Piece]

    /// Parses a template.
    ///
    /// - Throws: ``Problem`` for an unknown placeholder, for a syntax error, for an empty template, and for a character
    ///   that the keyboard layout lacks.
    package init(_ template: String) throws(Problem) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                literal.append(character)
                rest = rest.dropFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw Problem(reason: "A { is not closed. Write {{ for a brace.")
                }
                pieces += [.literal(literal), .place(try Self.place(rest[..<end]))]
                literal = ""
                rest = rest[end...].dropFirst()
            case "}": throw Problem(reason: "Unexpected }. Write }} for a brace.")
            case "\\": literal.append(try Self.escape(rest.popFirst()))
            default: literal.append(character)
            }
        }
        self.pieces = (pieces + [.literal(literal)]).filter { $0 != .literal("") }
        guard !self.pieces.isEmpty else { throw Problem(reason: "There is nothing to type.") }
        for case .literal(let text) in self.pieces {
            do { _ = try KeyboardLayout.strokes(for: text) } catch { throw Problem(reason: error.sentence) }
        }
    }

    /// Returns the text to type for a tag.
    ///
    /// - Throws: ``Problem`` if the tag lacks a requested fact, or if a fact contains a character that must not be
    ///   typed. This is a character that the keyboard layout lacks, or a line break or tab, which only the template may
    ///   contain.
    package func text(for tag: TagSummary, number: Int) throws(Problem) -> String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .place(.number(let width)):
                let digits = String(number)
                text += String(repeating: "0", count: max(0, width - digits.count)) + digits
            case .place(.tag(let path)):
                let value = path.value(tag)
                guard !value.isEmpty else { throw Problem(reason: "The tag has no \(path.name).") }
                for character in value {
                    guard !character.isNewline, character != "\t" else {
                        throw Problem(reason: "There is a line break or tab in the tag's \(path.name).")
                    }
                    guard KeyboardLayout.characters.contains(character) else {
                        throw Problem(reason: MissingKey(character: character).sentence)
                    }
                }
                text += value
            }
        }
        return text
    }

    private static func place(_ name: Substring) throws(Problem) -> Place {
        if let path = Fact(rawValue: String(name)) { return .tag(path) }
        if name == "n" { return .number(width: 1) }
        if name.hasPrefix("n:0"), let width = Int(name.dropFirst(2)), numberWidths.contains(width) {
            return .number(width: width)
        }
        throw Problem(
            reason: "Unknown placeholder {\(name)}. Known placeholders: {\(placeholders.joined(separator: "}, {"))}.")
    }

    private static func escape(_ character: Character?) throws(Problem) -> Character {
        switch character {
        case "n": "\n"
        case "t": "\t"
        case "\\": "\\"
        default: throw Problem(reason: "After a backslash, write n for Enter, t for Tab, or another backslash.")
        }
    }
}

extension MissingKey {
    fileprivate var sentence: String { "The US keyboard layout has no key for \"\(character)\"." }
}
