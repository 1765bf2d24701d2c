// MIFARE Ultralight — NXP data sheets MF0ICU1, MF0ICU2, MF0ULx1; GET_VERSION of Nano and AES:
// RfidResearchGroup/proxmark3; memory of AES: pretix/libpretixnfc, stustapay/stustapay

extension ChipModel {
    static let ultralights = [
        ultralight, ultralightC, ultralight11, ultralight21, ultralightNano40, ultralightNano48, ultralightAES,
    ]

    /// MF0ICU1, which does not identify itself.
    public static let ultralight = ChipModel(
        ID(rawValue: "ultralight"), "MIFARE Ultralight",
        memory: .type2(Type2Layout([0...15], user: 12)), formatting: Type2Formatting(0x06, isDelivered: false),
        flipper: "Mifare Ultralight", isListed: true)

    /// MF0ICU2.
    public static let ultralightC = ChipModel(
        ID(rawValue: "ultralight-c"), "MIFARE Ultralight C", marks: [.challenge],
        memory: .type2(
            Type2Layout(
                [0...47], user: 36,
                lock: .fourBlocksPerBit(further: [41: 12, 42: 13, 43: 14, 44: 15, 45: 15, 46: 15, 47: 15]),
                protection: .tripleDES, .counterBlock)),
        formatting: Type2Formatting(0x12, lockControl: [0xA0, 0x10, 0x44], isDelivered: false),
        flipper: "Mifare Ultralight C", isRequirable: true)

    /// MF0UL11, and MF0ULH11 with a different input capacitance.
    public static let ultralight11 = ChipModel(
        ID(rawValue: "ultralight-ev1-11"), "MIFARE Ultralight EV1 (MF0UL11)",
        marks: [
            .version(ChipVersion(0x03, [0x01], size: 0x0B)),
            .version(ChipVersion(0x03, [0x02], size: 0x0B), name: "MIFARE Ultralight EV1 (MF0ULH11)"),
        ],
        memory: .type2(Type2Layout([0...19], user: 12, protection: .password(configuration: 16), ev1)),
        formatting: Type2Formatting(0x06, isDelivered: false), flipper: "Mifare Ultralight 11", isRequirable: true)

    /// MF0UL21, and MF0ULH21 with a different input capacitance.
    public static let ultralight21 = ChipModel(
        ID(rawValue: "ultralight-ev1-21"), "MIFARE Ultralight EV1 (MF0UL21)",
        marks: [
            .version(ChipVersion(0x03, [0x01], size: 0x0E)),
            .version(ChipVersion(0x03, [0x02], size: 0x0E), name: "MIFARE Ultralight EV1 (MF0ULH21)"),
        ],
        memory: .type2(
            Type2Layout(
                [0...40], user: 32,
                lock: DynamicLockLayout(block: 36, bitCount: 10, blocksPerBit: 2, blockLocking: 0x1F, end: 36),
                protection: .password(configuration: 37), ev1)),
        formatting: Type2Formatting(0x10, lockControl: [0x90, 0x0A, 0x34], isDelivered: false),
        flipper: "Mifare Ultralight 21", isListed: true, listedAs: "MIFARE Ultralight EV1 (128 bytes)",
        isRequirable: true)

    /// MF0UN00x0, 40 bytes.
    ///
    /// The table contains its name, but not its memory.
    public static let ultralightNano40 = ChipModel(
        ID(rawValue: "ultralight-nano-40"), "MIFARE Ultralight Nano (40 bytes)",
        marks: [.version(ChipVersion(0x03, [0x01, 0x02], major: 0x02, size: 0x0B))])

    /// MF0UN10x1, 48 bytes.
    ///
    /// The table contains its name, but not its memory.
    public static let ultralightNano48 = ChipModel(
        ID(rawValue: "ultralight-nano-48"), "MIFARE Ultralight Nano (48 bytes)",
        marks: [.version(ChipVersion(0x03, [0x01, 0x02], major: 0x03, size: 0x0B))])

    /// MF0AES20, and MF0AESH20 with a different input capacitance.
    ///
    /// According to stustapay, each dynamic lock bit covers two blocks, from block 16 on. From memory, as on an
    /// NTAG213: the positions of all other lock bits and of the block-locking bits. UIDRetrKey is in blocks 52…55.
    /// Counters and READ_SIG (48 bytes) are not supported.
    public static let ultralightAES = ChipModel(
        ID(rawValue: "ultralight-aes"), "MIFARE Ultralight AES",
        marks: [.version(ChipVersion(0x03, [0x01, 0x02], major: 0x04, size: 0x0F))],
        memory: .type2(
            Type2Layout(
                [0...59], user: 36,
                lock: DynamicLockLayout(block: 40, bitCount: 12, blocksPerBit: 2, blockLocking: 0x3F, end: 40),
                protection: .aes, .fastRead, kill: 52...55, internal: [43...47, 56...59])),
        formatting: Type2Formatting(0x12, lockControl: [0xA0, 0x0C, 0x34], isDelivered: false), isToldBySize: false,
        isRequirable: true, hasOtherSignature: true)

    private static let ev1: Type2Layout.Features = [.fastRead, .signature, .threeCounters]
}

extension DynamicLockLayout {
    /// Returns the lock bits in block 40 of an NTAG203 or Ultralight C, which include block-locking bits.
    ///
    /// Bit 0 freezes bits 1 to 3, and bit 4 freezes bits 5 to 7.
    static func fourBlocksPerBit(further: [Int: Int]) -> DynamicLockLayout {
        DynamicLockLayout(
            address: 160, positions: [1, 2, 3, 5, 6, 7], blocksPerBit: 4, blockLocking: [0x11], end: 40,
            freezers: [0, 0, 0, 4, 4, 4], further: further)
    }
}
