// Extracts the values that the tag filled in from a URL — NXP NT4H2421Gx 9.3, AN12196

/// A URL from a tag with Secure Dynamic Messaging, split into its parts.
public struct SDMAddress: Hashable, Sendable {
    /// The bytes of each part.
    let parts: [SDMPart: [UInt8]]
    /// The text that the MAC covers besides the UID and the counter.
    let signed: [UInt8]

    /// Splits a URL by the template that the tag is configured with.
    /// - Throws: ``SDMError/unlike(template:)``; ``SDMError/impossible(_:)`` for file data after the MAC, which does
    ///   not cover it.
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

    /// Splits a URL without a template: the values in its query are recognised by their lengths.
    /// - Throws: ``SDMError/incomplete(missing:)``; ``SDMError/misshapenMAC(name:digits:)``.
    public init(_ address: String) throws(SDMError) {
        let guess = Self.guess(address)
        for part in [SDMPart.mac, .picc] where !guess.contains("{\(part.rawValue)}") {
            if part == .picc, guess.contains("{uid}") { continue }
            if part == .mac, let (name, digits) = Self.misshapenMAC(in: address) {
                throw .misshapenMAC(name: name, digits: digits)
            }
            throw .incomplete(missing: part)
        }
        try self.init(address, template: SDMTemplate(guess))
    }

    /// The URL with a placeholder for each value in its query that has the length of a part.
    private static func guess(_ address: String) -> String {
        guard let query = query(of: address) else { return address }
        var seen: Set<SDMPart> = []
        let guessed = query.split(separator: "&", omittingEmptySubsequences: false).map { item -> String in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let value = item[item.index(after: equals)...]
            guard bytes(Array(value.utf8)[...]) != nil, let part = part(value.utf8.count, seen),
                seen.insert(part).inserted
            else { return String(item) }
            return item[...equals] + (part == .file ? "{file:\(value.utf8.count)}" : "{\(part.rawValue)}")
        }
        return "\(address[..<query.startIndex])\(guessed.joined(separator: "&"))\(address[query.endIndex...])"
    }

    /// The query of a URL, without the fragment — RFC 3986, section 3.4.
    private static func query(of address: String) -> Substring? {
        let address = address.prefix { $0 != "#" }
        return address.firstIndex(of: "?").map { address[address.index(after: $0)...] }
    }

    /// The first value in the query that resembles a MAC but has one digit too few, or one or two too many.
    private static func misshapenMAC(in address: String) -> (name: String, digits: Int)? {
        for item in query(of: address)?.split(separator: "&") ?? [] {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, [15, 17, 18].contains(parts[1].count),
                parts[1].allSatisfy({ $0.isASCII && $0.isHexDigit })
            else { continue }
            return (String(parts[0]), parts[1].count)
        }
        return nil
    }

    private static func part(_ digits: Int, _ seen: Set<SDMPart>) -> SDMPart? {
        // A URL with a plain UID contains no encrypted one, so 32 digits are then file data.
        let fixed = SDMPart.allCases.first {
            $0.digits == digits && !seen.contains($0) && !($0 == .picc && seen.contains(.uid))
        }
        // The MAC does not cover file data that follow it, so anyone could append some.
        return fixed ?? (digits > 0 && digits.isMultiple(of: 32) && !seen.contains(.mac) ? .file : nil)
    }

    /// Parses pairs of hexadecimal digits; nil for any other text.
    static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
