// CRC_A — ISO/IEC 14443-3

/// The checksum of type A frames: polynomial x¹⁶ + x¹² + x⁵ + 1, initial value `6363`, low byte first on the air.
enum CRCA {
    /// The two bytes that follow `bytes` on the air.
    static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var crc: UInt16 = 0x6363
        for byte in bytes {
            crc ^= UInt16(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x8408 : crc >> 1 }
        }
        return [UInt8(crc & 0xFF), UInt8(crc >> 8)]
    }

    /// `frame` without its checksum, or nil when that is wrong or missing.
    static func stripped(_ frame: [UInt8]) -> [UInt8]? {
        guard frame.count > 2, checksum(frame.dropLast(2)) == Array(frame.suffix(2)) else { return nil }
        return Array(frame.dropLast(2))
    }
}
