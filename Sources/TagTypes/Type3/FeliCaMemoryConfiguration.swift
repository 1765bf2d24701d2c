// Memory configuration block MC of FeliCa Lite and Lite-S — FeliCa Lite-S User's Manual, MC

/// Block 88 of a FeliCa Lite or Lite-S: who may write what.
///
/// Its bits go one way only. MC_SP_REG_ALL_RW closes user blocks for writing and, with its highest bit, itself; MC_ALL
/// closes the system blocks and SYS_OP. As long as MC_ALL is FF, SYS_OP can be set and cleared at will.
struct FeliCaMemoryConfiguration: Hashable, Sendable {
    static let number = 0x88
    private static let systemOption = 3
    private static let radioParameter = 4

    let bytes: [UInt8]

    /// `nil` unless there are 16 bytes.
    init?(_ bytes: [UInt8]?) {
        guard let bytes, bytes.count == Type3Commands.blockSize else { return nil }
        self.bytes = bytes
    }

    /// MC_SP_REG_ALL_RW: bit n for user block n, bit 15 for these bits themselves; 1 is writable.
    private var writable: UInt16 { word(at: 0) }
    /// MC_SP_REG_W_RESTR and MC_SP_REG_W_MAC_A: bit n for user block n; 1 wants authentication.
    private var restricted: UInt16 { word(at: 8) | word(at: 10) }

    /// Whether the bits for user blocks may still be changed.
    var isOpen: Bool { writable & 0x8000 != 0 }
    /// Whether the system blocks and SYS_OP may still be changed.
    var isSystemOpen: Bool { bytes[2] == 0xFF }
    /// SYS_OP: whether the card answers to the NDEF system code.
    var isNDEF: Bool { bytes[Self.systemOption] & 0x01 != 0 }

    func isWritable(_ block: Int) -> Bool { block < 15 && writable & 1 << UInt16(block) != 0 }
    func isRestricted(_ block: Int) -> Bool { block < 15 && restricted & 1 << UInt16(block) != 0 }

    /// The number of user blocks after block 0 that may be written, without a gap.
    var dataBlockCount: Int {
        (1..<14).first { !isWritable($0) }.map { $0 - 1 } ?? 13
    }

    /// With SYS_OP set, and the RF parameter as the procedure of issuance has it.
    var answeringToNDEF: [UInt8] {
        var bytes = bytes
        bytes[Self.systemOption] |= 0x01
        bytes[Self.radioParameter] = 0x07
        return bytes
    }

    /// With user blocks 0…`last`, and the configuration itself, closed for writing.
    func closing(through last: Int) -> [UInt8] {
        var bytes = bytes
        let closed = writable & ~(0x8000 | UInt16(truncatingIfNeeded: (1 << (min(last, 13) + 1)) - 1))
        bytes[0] = UInt8(closed & 0xFF)
        bytes[1] = UInt8(closed >> 8)
        // Else SYS_OP could hide the message.
        bytes[2] = 0x00
        return bytes
    }

    private func word(at index: Int) -> UInt16 { UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8 }
}
