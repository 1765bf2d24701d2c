// The lines of business cards and calendar entries — RFC 6350, section 3; RFC 5545, section 3.1

/// The properties of a text: `NAME;PARAMETER=…:value`, continued on lines that begin with a space.
struct ContentLines {
    private let properties: [Property]

    /// Parses a text, and leaves out lines without a colon.
    init(_ text: String) {
        // Some programs on Windows put a byte order mark before the card.
        let unmarked = String(text.unicodeScalars.trimmingPrefix("\u{FEFF}".unicodeScalars))
        let unfolded = unmarked.replacing("\r\n", with: "\n").replacing("\n ", with: "").replacing("\n\t", with: "")
        properties = unfolded.split(separator: "\n").compactMap { Property($0) }
    }

    private init(_ properties: [Property]) { self.properties = properties }

    /// Whether the text begins with a component, such as `VCARD`.
    func begins(_ component: String) -> Bool { properties.first?.opens(component) ?? false }

    /// Returns the properties of the first component with this name, or nil if there is no such component.
    ///
    /// The properties of components inside it are left out, such as those of the alarms in a `VEVENT`.
    func component(_ name: String) -> ContentLines? {
        guard let start = properties.firstIndex(where: { $0.opens(name) }) else { return nil }
        var depth = 0
        var direct: [Property] = []
        for property in properties[(start + 1)...] {
            switch property.name {
            case "BEGIN": depth += 1
            case "END":
                depth -= 1
                if depth < 0 { return ContentLines(direct) }
            default:
                if depth == 0 { direct.append(property) }
            }
        }
        return ContentLines(direct)
    }

    private func named(_ name: String) -> [Property] { properties.filter { $0.name == name } }

    /// Returns the values of the properties with this name, without escape sequences.
    ///
    /// Empty values are left out.
    func texts(_ name: String) -> [String] {
        named(name).map { Self.trimmed($0.components(separator: nil).joined()) }.filter { !$0.isEmpty }
    }

    /// Returns the values of the properties with this name, each as a list of components.
    ///
    /// An empty component is an empty string. Values with only empty components are left out.
    func lists(_ name: String) -> [[String]] {
        named(name).map { $0.components(separator: ";").map(Self.trimmed) }
            .filter { $0.contains { !$0.isEmpty } }
    }

    /// Returns a parameter of the first property with this name, such as `TZID`, or nil if there is none.
    func parameter(_ parameter: String, of name: String) -> String? { named(name).first?.parameter(parameter) }

    private static func trimmed(_ text: String) -> String {
        let text = text.drop(while: \.isWhitespace)
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...last])
    }
}

/// A line with a name, parameters and a value.
private struct Property {
    /// The name in upper case, without its group.
    let name: String
    private let parameters: [Substring]
    private let value: Substring

    init?(_ line: Substring) {
        guard let colon = Self.colon(in: line) else { return nil }
        let parts = line[..<colon].split(separator: ";", omittingEmptySubsequences: false)
        // The name may have a group: `item1.TEL`.
        name = (parts.first?.split(separator: ".").last ?? "").uppercased()
        parameters = Array(parts.dropFirst())
        value = line[line.index(after: colon)...]
    }

    /// Returns the position of the colon before the value, or nil if there is none.
    ///
    /// Colons in quotation marks belong to parameters.
    private static func colon(in line: Substring) -> Substring.Index? {
        var isQuoted = false
        let colon = line.firstIndex { letter in
            if letter == "\"" { isQuoted.toggle() }
            return letter == ":" && !isQuoted
        }
        return colon ?? line.firstIndex(of: ":")
    }

    func opens(_ component: String) -> Bool { name == "BEGIN" && value.uppercased() == component }

    func parameter(_ name: String) -> String? {
        let prefix = name + "="
        guard let parameter = parameters.first(where: { $0.uppercased().hasPrefix(prefix) }) else { return nil }
        let text = String(parameter.dropFirst(prefix.count)).replacing("\"", with: "")
        return text.isEmpty ? nil : text
    }

    /// Returns the value without escape sequences, split at each separator that is not escaped.
    func components(separator: Character?) -> [String] {
        var components = [""]
        var isEscaped = false
        for letter in value {
            if isEscaped {
                components[components.count - 1].append(letter == "n" || letter == "N" ? "\n" : letter)
                isEscaped = false
            } else if letter == "\\" {
                isEscaped = true
            } else if letter == separator {
                components.append("")
            } else {
                components[components.count - 1].append(letter)
            }
        }
        return components
    }
}
