// Extracts from a URL the values that the tag filled in — NXP NT4H2421Gx 9.3, AN12196

/// A URL from a tag with Secure Dynamic Messaging, split into its parts.
public struct SDMAddress: Hashable, Sendable {
    let parts: [SDMPart: [UInt8]]
    /// The bytes of the text that the MAC covers in addition to the UID and the counter.
    let signed: [UInt8]

    /// Splits a URL according to the template with which the tag was configured.
    /// - Throws: ``SDMError/unlike(template:)``; ``SDMError/impossible(_:)`` for file data after the MAC, because the
    ///   MAC does not cover such data.
    public init(_ address: String, template: SDMTemplate) throws(SDMError) {
        let text = Array(address.utf8)
        var parts: [SDMPart: [UInt8]] = [:]
        var (place, start, end) = (0, Int?.none, 0)
        for piece in template.pieces {
            switch piece {
            case .signed: start = place
            case .literal(let literal):
                guard text[place...].starts(with: literal.utf8) else { throw .unlike(template: template.text) }
                place += literal.utf8.count
            case .part(let part, let digits):
                guard part != .file || parts[.mac] == nil else { throw .impossible("{file:\(digits)}") }
                guard let bytes = Self.bytes(text[place...].prefix(digits)), 2 * bytes.count == digits else {
                    throw .unlike(template: template.text)
                }
                parts[part] = bytes
                if part == .file { start = start ?? place }
                if part == .mac { end = place }
                place += digits
            }
        }
        guard place == text.count else { throw .unlike(template: template.text) }
        self.parts = parts
        signed = Array(text[min(start ?? end, end)..<end])
    }

    /// Parses pairs of hexadecimal digits, or returns nil for any other text.
    static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
