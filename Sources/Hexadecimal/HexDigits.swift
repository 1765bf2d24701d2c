// Bytes and numbers in upper-case hexadecimal. Use `lowercased()` for lower case

extension Sequence<UInt8> {
    /// The bytes without separators, as in JSON: `04A1B2`.
    package var hex: String { text(separator: nil) }

    /// The bytes with spaces, for display: `04 A1 B2`.
    package var spacedHex: String { text(separator: UInt8(ascii: " ")) }

    private func text(separator: UInt8?) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(underestimatedCount * 3)
        for byte in self {
            if let separator, !digits.isEmpty { digits.append(separator) }
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 0xF))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All digits of the number, for example `04` or `6982`.
    package var hex: String {
        let digits = String(self, radix: 16, uppercase: true)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}

private func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value }
