// The memory configuration block MC of FeliCa Lite and Lite-S — FeliCa Lite-S User's Manual, MC

/// Block 88 of a FeliCa Lite or Lite-S, which contains the write permissions.
///
/// Write permissions can be removed but not restored. MC_SP_REG_ALL_RW locks user blocks and, with its highest bit,
/// also itself. MC_ALL locks the system blocks and SYS_OP. While MC_ALL is FF, SYS_OP can be set and cleared freely.
struct FeliCaMemoryConfiguration: Hashable, Sendable {
    static let number = 0x88
    private static let systemOption = 3
    private static let radioParameter = 4

    let bytes: [UInt8]

    /// Decodes the block, or returns `nil` if there are not 16 bytes.
    init?(_ bytes: [UInt8]?) {
        guard let bytes, bytes.count == Type3Commands.blockSize else { return nil }
        self.bytes = bytes
    }

    /// MC_SP_REG_ALL_RW: bit n applies to user block n, and bit 15 to these bits themselves; 1 means writable.
    private var writable: UInt16 { word(at: 0) }
    /// MC_SP_REG_W_RESTR and MC_SP_REG_W_MAC_A: bit n applies to user block n; 1 means that writing requires
    /// authentication.
    private var restricted: UInt16 { word(at: 8) | word(at: 10) }

    /// Whether the bits that lock user blocks can still be changed.
    var isOpen: Bool { writable & 0x8000 != 0 }
    /// Whether the system blocks and SYS_OP can still be changed.
    var isSystemOpen: Bool { bytes[2] == 0xFF }
    /// SYS_OP: whether the card responds to the NDEF system code.
    var isNDEF: Bool { bytes[Self.systemOption] & 0x01 != 0 }

    func isWritable(_ block: Int) -> Bool { block < 15 && writable & 1 << UInt16(block) != 0 }
    func isRestricted(_ block: Int) -> Bool { block < 15 && restricted & 1 << UInt16(block) != 0 }

    /// The number of consecutive writable user blocks after block 0.
    var dataBlockCount: Int {
        (1..<14).first { !isWritable($0) }.map { $0 - 1 } ?? 13
    }

    /// The configuration with SYS_OP set, and with the RF parameter from the issuance procedure.
    var answeringToNDEF: [UInt8] {
        var bytes = bytes
        bytes[Self.systemOption] |= 0x01
        bytes[Self.radioParameter] = 0x07
        return bytes
    }

    /// Returns a configuration in which user blocks 0…`last` and the configuration itself are locked against writing.
    func closing(through last: Int) -> [UInt8] {
        var bytes = bytes
        let closed = writable & ~(0x8000 | UInt16(truncatingIfNeeded: (1 << (min(last, 13) + 1)) - 1))
        bytes[0] = UInt8(closed & 0xFF)
        bytes[1] = UInt8(closed >> 8)
        // MC_ALL also freezes SYS_OP. Otherwise, anyone could clear SYS_OP and so hide the message.
        bytes[2] = 0x00
        return bytes
    }

    private func word(at index: Int) -> UInt16 { UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8 }
}
