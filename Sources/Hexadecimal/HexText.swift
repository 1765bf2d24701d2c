// Hexadecimal text as people and files write it

/// Reads hexadecimal text.
package enum HexText {
    /// Blanks, tabs, line ends and colons: what may stand between bytes that people paste.
    package static let separators = " \t\r\n:"

    /// Reads pairs of digits in either case.
    ///
    /// - Parameters:
    ///   - text: ASCII; the empty text gives no bytes.
    ///   - separators: the ASCII characters that may stand between two bytes, in any number.
    /// - Returns: one byte for each pair of digits.
    /// - Throws: ``HexTextError`` at the first character that is neither, or when a byte has one digit.
    package static func bytes(
        _ text: some Collection<UInt8>, separators: String = separators
    ) throws(HexTextError) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for (offset, character) in text.enumerated() {
            if let digit = digit(character) {
                if let first = high { bytes.append(first << 4 | digit) }
                high = high == nil ? digit : nil
            } else {
                let isSeparator = separators.utf8.contains(character)
                guard isSeparator, high == nil else {
                    throw HexTextError(offset: offset, isCutOff: isSeparator)
                }
            }
        }
        guard high == nil else { throw HexTextError(offset: text.count, isCutOff: true) }
        return bytes
    }

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
