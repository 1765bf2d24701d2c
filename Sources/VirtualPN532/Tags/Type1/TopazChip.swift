// Differences between the Topaz chips — NFC Forum Type 1 Tag, Broadcom BCM20203T96 and BCM20203T512

/// A chip of the Topaz family: its header ROM, size and format.
struct TopazChip: Hashable, Sendable {
    let name: String
    /// Header ROM, HR0 and HR1: `1x` is a Type 1 Tag that can store NDEF; `x1` has the static memory structure.
    let headerROM: [UInt8]
    /// The number of 8-byte blocks.
    let blockCount: Int
    /// Block D, then LOCK-0 and LOCK-1 with the blocks that the factory locked, as dumps of real tags show them.
    let reservedAndLocks: [UInt8]
    /// The content from block 1 on after formatting for NDEF with an empty message: CC and TLVs.
    let formatted: [UInt8]

    /// Whether the memory has more than one segment.
    ///
    /// If so, the chip has the commands RSEG, READ8, WRITE-E8 and WRITE-NE8, and lock bits in block F.
    var isDynamic: Bool { headerROM[0] & 0x0F != 0x01 }

    /// 120 bytes, of which 90 are for a message.
    static let topaz96 = TopazChip(
        name: "Topaz 96", headerROM: [0x11, 0x48], blockCount: 0x0F,
        reservedAndLocks: [0x55, 0x55, 0xAA, 0xAA, 0x00, 0x00, 0x00, 0x00, 0x01, 0x60],
        formatted: [0xE1, 0x10, 0x0E, 0x00, 0x03, 0x00, 0xFE])
    /// 512 bytes, of which 462 are for a message.
    static let topaz512 = TopazChip(
        name: "Topaz 512", headerROM: [0x12, 0x4C], blockCount: 0x40,
        reservedAndLocks: [0x55, 0x55, 0xAA, 0xAA, 0x12, 0x49, 0x06, 0x00, 0x01, 0xE0],
        formatted: [
            0xE1, 0x10, 0x3F, 0x00,
            // Lock Control TLV: 48 bits from byte 2 of block F, each for 8 bytes.
            0x01, 0x03, 0xF2, 0x30, 0x33,
            // Memory Control TLV: 2 bytes from byte 0 of block F.
            0x02, 0x03, 0xF0, 0x02, 0x03,
            0x03, 0x00, 0xFE,
        ])
}
