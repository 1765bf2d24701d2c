// A business card from its fields — RFC 2426 (vCard 3.0), which iPhones and Android phones read

import NDEF

/// A value of `--vcard` that consists of fields: `name=Ada Lovelace;tel=+44 20 1234;mail=ada@example.com`.
package struct BusinessCard {
    /// The names of the fields, and their vCard properties.
    private static let properties = [
        ("name", "FN"), ("org", "ORG"), ("title", "TITLE"), ("tel", "TEL"), ("mail", "EMAIL"), ("url", "URL"),
        ("address", "ADR"), ("note", "NOTE"),
    ]
    private static let names = properties.map(\.0)

    /// The vCard, in which lines end with CR LF.
    let text: String

    /// Whether a value consists of fields and is not a complete vCard.
    ///
    /// A part with a misspelt name or without a name also counts, so that the error is reported and the part does not
    /// disappear in the card.
    package static func isFields(_ value: String) -> Bool {
        FieldList.begins(value, with: names) || FieldList.hasForm(value) || hasField(value)
    }

    /// Whether any part after the first is a field, in a value that is neither a vCard nor a file name.
    private static func hasField(_ value: String) -> Bool {
        let start = value.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(6).lowercased()
        guard !value.hasPrefix("@"), start != "begin:" else { return false }
        return EscapedParts(value).texts.dropFirst().contains { part in
            FieldList.begins(String(part.drop(while: \.isWhitespace)), with: names)
        }
    }

    /// Parses the fields.
    ///
    /// All fields except name, org, title and note can be repeated.
    init(fields text: String) throws(ContentError) {
        try FieldList.requireSemicolons(in: text, before: Self.names)
        let list = try FieldList(text, names: Self.names, repeatable: ["tel", "mail", "url", "address"])
        guard !list.fields.contains(where: { $0.name == "url" && $0.value.contains(where: \.isNewline) }) else {
            throw ContentError("The url has a line break.")
        }
        guard let name = list["name"] ?? list["org"] else { throw ContentError("The card needs a name= or an org=.") }
        var lines = ["BEGIN:VCARD", "VERSION:3.0", "N:" + Self.structuredName(list["name"])]
        if list["name"] == nil { lines.append("FN:" + Self.escaped(name)) }
        for (field, property) in Self.properties {
            for (_, value) in list.fields.filter({ $0.name == field }) {
                // ADR has seven components. Users write an address on one line, so all of it is stored as the street.
                let before = property == "ADR" ? ";;" : ""
                let after = property == "ADR" ? ";;;;" : ""
                // The value of URL is a URI, which is not escaped.
                lines.append("\(property):\(before)\(property == "URL" ? value : Self.escaped(value))\(after)")
            }
        }
        self.text = (lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined()
    }

    /// The value of N: the last word is the family name, and the words before it are the given names.
    private static func structuredName(_ name: String?) -> String {
        let words = (name ?? "").split(separator: " ").map(String.init)
        guard words.count > 1, let family = words.last else { return escaped(name ?? "") + ";;;;" }
        return "\(escaped(family));\(escaped(words.dropLast().joined(separator: " ")));;;"
    }

    /// Escapes `\`, `;`, `,` and line ends — RFC 2426, section 4.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character.isNewline {
                escaped += "\\n"
            } else {
                escaped += ["\\", ";", ","].contains(character) ? "\\\(character)" : String(character)
            }
        }
        return escaped
    }
}
