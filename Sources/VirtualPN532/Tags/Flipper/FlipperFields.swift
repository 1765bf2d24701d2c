// Lines of a Flipper file — Flipper Format: `Key: value`; comments start with `#`

/// The fields of a file by key, with their line numbers.
package struct FlipperFields {
    package struct Field: Hashable {
        let line: Int
        let key: String
        package let value: String

        package func error(_ reason: FlipperFileError.Reason) -> FlipperFileError {
            FlipperFileError(line: line, key: key, reason: reason)
        }

        /// Parses bytes in hexadecimal, separated by spaces.
        package func bytes(count: Int? = nil) throws(FlipperFileError) -> [UInt8] {
            let words = value.split(separator: " ")
            let bytes = words.compactMap { word in
                word.utf8.count == 2 && word.first != "+" ? UInt8(word, radix: 16) : nil
            }
            guard bytes.count == words.count, count == nil || bytes.count == count else {
                throw error(.notBytes(expected: count))
            }
            return bytes
        }

        package func number(upTo limit: Int) throws(FlipperFileError) -> Int {
            guard let number = Int(value), (0...limit).contains(number) else { throw error(.notNumber(upTo: limit)) }
            return number
        }
    }

    private var fields: [String: [Field]] = [:]

    package init(_ text: String) throws(FlipperFileError) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let colon = line.firstIndex(of: ":") else {
                throw FlipperFileError(line: index + 1, key: line, reason: .notKeyAndValue)
            }
            let key = Self.trimmed(line[..<colon])
            let value = Self.trimmed(line[line.index(after: colon)...])
            fields[key, default: []].append(Field(line: index + 1, key: key, value: value))
        }
    }

    package subscript(key: String) -> Field? { fields[key]?.first }

    func all(_ key: String) -> [Field] { fields[key] ?? [] }

    func all(prefix: String) -> [Field] {
        fields.values.joined().filter { $0.key.hasPrefix(prefix) }.sorted { $0.line < $1.line }
    }

    package func required(_ key: String) throws(FlipperFileError) -> Field {
        guard let field = self[key] else { throw FlipperFileError(line: nil, key: key, reason: .missing) }
        return field
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension String {
    /// Formats bytes as in Flipper files: upper-case hexadecimal, separated by spaces.
    package init(flipperBytes bytes: some Sequence<UInt8>) {
        self = bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
    }
}
