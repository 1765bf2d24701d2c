// Properties of the Topaz chips — NFC Forum Type 1 Tag, Broadcom BCM20203T96 and BCM20203T512

/// A Topaz chip: its header ROM, its size, and its content at delivery.
struct TopazChip: Hashable, Sendable {
    let name: String
    /// The header ROM, HR0 and HR1.
    ///
    /// HR0 `1x` means a Type 1 Tag that can store NDEF, and `x1` means the static memory structure.
    let headerROM: [UInt8]
    /// The number of 8-byte blocks.
    let blockCount: Int
    /// Block D, then LOCK-0 and LOCK-1 with the bits of the blocks that the factory locked, as in dumps of real tags.
    let reservedAndLocks: [UInt8]
    /// The content from block 1 on after formatting for NDEF, with an empty message: CC and TLVs.
    let formatted: [UInt8]

    /// Whether the memory has more than one segment.
    ///
    /// If so, the chip supports RSEG, READ8, WRITE-E8 and WRITE-NE8, and block F contains lock bits.
    var isDynamic: Bool { headerROM[0] & 0x0F != 0x01 }

    /// A chip with 120 bytes, of which 90 are for a message.
    static let topaz96 = TopazChip(
        name: "Topaz 96", headerROM: [0x11, 0x48], blockCount: 0x0F,
        reservedAndLocks: [0x55, 0x55, 0xAA, 0xAA, 0x00, 0x00, 0x00, 0x00, 0x01, 0x60],
        formatted: [0xE1, 0x10, 0x0E, 0x00, 0x03, 0x00, 0xFE])
    /// A chip with 512 bytes, of which 462 are for a message.
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
