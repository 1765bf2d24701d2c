// Bytes as dump files write them: pairs of hexadecimal digits

/// Hexadecimal text.
enum HexText {
    /// The bytes of pairs of digits in either case, blanks allowed between pairs; `nil` for anything else.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            if let digit = digit(character) {
                if let first = high { bytes.append(first << 4 | digit) }
                high = high == nil ? digit : nil
            } else if high != nil || character != UInt8(ascii: " ") {
                return nil
            }
        }
        return high == nil ? bytes : nil
    }

    /// `04 A1 B2`.
    static func spaced(_ bytes: [UInt8]) -> String { bytes.map(pair).joined(separator: " ") }

    /// `04A1B2`.
    static func compact(_ bytes: [UInt8]) -> String { bytes.map(pair).joined() }

    static func pair(_ byte: UInt8) -> String { (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true) }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
