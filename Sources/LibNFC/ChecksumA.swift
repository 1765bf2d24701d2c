// CRC_A, for exchanges in which the host adds and checks it — ISO/IEC 14443-3, annex B

enum ChecksumA {
    static func appended(to bytes: [UInt8]) -> [UInt8] { bytes + of(bytes) }

    /// Returns the bytes before the checksum.
    ///
    /// Nil if there are none, or if the checksum is wrong.
    static func stripped(_ frame: [UInt8]) -> [UInt8]? {
        guard frame.count > 2 else { return nil }
        let bytes = Array(frame.dropLast(2))
        return of(bytes) == Array(frame.suffix(2)) ? bytes : nil
    }

    /// Computes CRC_A: x¹⁶ + x¹² + x⁵ + 1, bits reversed, initial value 6363, low byte first.
    private static func of(_ bytes: [UInt8]) -> [UInt8] {
        var register: UInt16 = 0x6363
        for byte in bytes {
            register ^= UInt16(byte)
            for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ 0x8408 }
        }
        return [UInt8(register & 0xFF), UInt8(register >> 8)]
    }
}
