// Hexadecimal text as users enter it and as files contain it

package enum HexText {
    /// The separators allowed between bytes that users paste: spaces, tabs, line ends and colons.
    package static let separators = " \t\r\n:"

    /// Parses pairs of hexadecimal digits, in upper or lower case.
    ///
    /// - Parameters:
    ///   - text: ASCII text. An empty string results in no bytes.
    ///   - separators: the ASCII characters that may separate two bytes, in any number.
    /// - Returns: one byte for each pair of digits.
    /// - Throws: ``HexTextError`` at the first character that is neither a digit nor a separator, or if a byte has only
    ///   one digit.
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

/// The position at which a string stops being hexadecimal text.
public struct HexTextError: Error, Hashable, CustomStringConvertible {
    /// The offset in the text, in bytes.
    public let offset: Int
    /// Whether a byte has only one digit.
    public let isCutOff: Bool

    /// Creates an error.
    public init(offset: Int, isCutOff: Bool) {
        self.offset = offset
        self.isCutOff = isCutOff
    }

    /// The error in one sentence.
    public var description: String {
        isCutOff ? "The byte before offset \(offset) has one digit." : "There is no digit at offset \(offset)."
    }
}
