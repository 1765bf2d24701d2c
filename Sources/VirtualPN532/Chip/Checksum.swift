// Checksums on the air: CRC_A and CRC_B — ISO/IEC 14443-3; CRC of JIS X 6319-4

/// The two checksum bytes at the end of a frame.
enum Checksum: Hashable {
    /// Type A: initial value `6363`, low byte first.
    case typeA
    /// Type B and Type 1 Tags: initial value `FFFF`, inverted, low byte first.
    case typeB
    /// FeliCa: initial value zero, each byte with its highest bit first, high byte first.
    case feliCa

    func callAsFunction(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        switch self {
        case .typeA: return Self.reflected(bytes, initial: 0x6363).littleEndianBytes
        case .typeB: return (~Self.reflected(bytes, initial: 0xFFFF)).littleEndianBytes
        case .feliCa:
            var crc: UInt16 = 0
            for byte in bytes {
                crc ^= UInt16(byte) << 8
                for _ in 0..<8 { crc = crc & 0x8000 != 0 ? (crc << 1) ^ 0x1021 : crc << 1 }
            }
            return crc.bigEndianBytes
        }
    }

    /// Returns `frame` without its checksum, or nil if the checksum is wrong or missing.
    func stripped(_ frame: [UInt8]) -> [UInt8]? {
        guard frame.count > 2, self(frame.dropLast(2)) == Array(frame.suffix(2)) else { return nil }
        return Array(frame.dropLast(2))
    }

    /// Computes a CRC with the polynomial x¹⁶ + x¹² + x⁵ + 1, lowest bit first.
    private static func reflected(_ bytes: some Sequence<UInt8>, initial: UInt16) -> UInt16 {
        var crc = initial
        for byte in bytes {
            crc ^= UInt16(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x8408 : crc >> 1 }
        }
        return crc
    }
}

extension UInt16 {
    fileprivate var littleEndianBytes: [UInt8] { [UInt8(self & 0xFF), UInt8(self >> 8)] }
}
