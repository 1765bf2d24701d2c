// Hexadecimal text, as people paste it

/// Bytes from hexadecimal text.
public enum HexText {
    /// Reads pairs of digits in either case; white space and colons may stand between the bytes.
    public static func bytes(_ text: some Collection<UInt8>) throws(HexTextError) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for (offset, character) in text.enumerated() {
            if let digit = digit(character) {
                if let first = high { bytes.append(first << 4 | digit) }
                high = high == nil ? digit : nil
            } else if high != nil || !separators.contains(character) {
                throw HexTextError(offset: offset, isCutOff: high != nil && separators.contains(character))
            }
        }
        guard high == nil else { throw HexTextError(offset: text.count, isCutOff: true) }
        return bytes
    }

    private static let separators = Array(" \t\r\n:".utf8)

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Where a text stops being hexadecimal.
public struct HexTextError: Error, Hashable, CustomStringConvertible {
    /// Counted in bytes of the text.
    public let offset: Int
    /// A byte has one digit.
    public let isCutOff: Bool

    /// Makes an error of its facts.
    public init(offset: Int, isCutOff: Bool) {
        self.offset = offset
        self.isCutOff = isCutOff
    }

    /// In a sentence.
    public var description: String {
        isCutOff ? "The byte before offset \(offset) has one digit." : "There is no digit at offset \(offset)."
    }
}

extension [UInt8] {
    /// Upper-case hexadecimal without spaces.
    var hexText: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined() }
}
