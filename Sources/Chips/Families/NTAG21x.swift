// NTAG203 and NTAG 21x — NXP data sheets NTAG203, NTAG210µ (NT2L1001_NT2H1001), NTAG210/212, NTAG213/215/216,
// NTAG213F/216F

extension ChipModel {
    static let ntag21x = [ntag203, ntag210, ntag210micro, ntag212, ntag213, ntag213TT, ntag215, ntag216]

    /// NT2H0301.
    public static let ntag203 = ChipModel(
        ID(rawValue: "ntag203"), "NTAG203", marks: [.memoryEnd],
        memory: .type2(Type2Layout([0...41], user: 36, lock: .fourBlocksPerBit(further: [41: 12]), .counterBlock)),
        formatting: Type2Formatting(0x12, lockControl: [0xA0, 0x10, 0x44]), flipper: "NTAG203", isRequirable: true)

    /// NT2L1011, NT2H1011.
    ///
    /// Flipper files use the name of the Ultralight EV1 with the same memory, together with the version of this chip.
    public static let ntag210 = ChipModel(
        ID(rawValue: "ntag210"), "NTAG210", marks: [.version(ChipVersion(0x04, [0x01, 0x02], size: 0x0B))],
        memory: .type2(
            Type2Layout([0...19], user: 12, protection: .password(configuration: 16), withoutCounter)),
        formatting: Type2Formatting(0x06), flipper: "Mifare Ultralight 11", isListed: true, isRequirable: true)

    /// NT2L1001, NT2H1001: the memory of an Ultralight, with a factory message; no FAST_READ, no password.
    ///
    /// GET_VERSION, the 16 blocks, READ_SIG, and the lack of FAST_READ and PWD_AUTH come from
    /// RfidResearchGroup/proxmark3 and m5stack/M5Unit-NFC. From memory: the factory capability container and TLVs, as
    /// on an NTAG210.
    public static let ntag210micro = ChipModel(
        ID(rawValue: "ntag210micro"), "NTAG210µ",
        marks: [.version(ChipVersion(0x04, [0x01, 0x02], major: 0x02, size: 0x0B))],
        memory: .type2(Type2Layout([0...15], user: 12, .signature)), formatting: Type2Formatting(0x06),
        isToldBySize: false, isRequirable: true)

    /// NT2L1211, NT2H1211.
    public static let ntag212 = ChipModel(
        ID(rawValue: "ntag212"), "NTAG212", marks: [.version(ChipVersion(0x04, [0x01, 0x02], size: 0x0E))],
        memory: .type2(
            Type2Layout(
                [0...40], user: 32,
                lock: DynamicLockLayout(block: 36, bitCount: 10, blocksPerBit: 2, blockLocking: 0x1F, end: 36),
                protection: .password(configuration: 37), withoutCounter)),
        formatting: Type2Formatting(0x10, lockControl: [0x90, 0x0A, 0x34]), flipper: "Mifare Ultralight 21",
        isListed: true, isRequirable: true)

    /// NT2H1311, and NT2H1311F with field detection.
    public static let ntag213 = ChipModel(
        ID(rawValue: "ntag213"), "NTAG213",
        marks: [
            .version(ChipVersion(0x04, [0x02], size: 0x0F)),
            .version(ChipVersion(0x04, [0x04], size: 0x0F), name: "NTAG213F"),
        ],
        memory: .type2(
            Type2Layout(
                [0...44], user: 36,
                lock: DynamicLockLayout(block: 40, bitCount: 12, blocksPerBit: 2, blockLocking: 0x3F, end: 40),
                protection: .password(configuration: 41), withCounter)),
        formatting: Type2Formatting(0x12, lockControl: [0xA0, 0x0C, 0x34]), flipper: "NTAG213", isListed: true,
        isRequirable: true)

    /// NT2H1311TT.
    ///
    /// The table contains only the format of the chip, which is that of an NTAG213.
    public static let ntag213TT = ChipModel(
        ID(rawValue: "ntag213-tt"), "NTAG213 TagTamper",
        marks: [.version(ChipVersion(0x04, [0x02], major: 0x03, size: 0x0F))],
        formatting: Type2Formatting(0x12, lockControl: [0xA0, 0x0C, 0x34]))

    /// NT2H1511.
    public static let ntag215 = ChipModel(
        ID(rawValue: "ntag215"), "NTAG215", marks: [.version(ChipVersion(0x04, [0x02], size: 0x11))],
        memory: .type2(
            Type2Layout(
                [0...134], user: 126,
                lock: DynamicLockLayout(block: 130, bitCount: 8, blocksPerBit: 16, blockLocking: 0x0F, end: 130),
                protection: .password(configuration: 131), withCounter)),
        formatting: Type2Formatting(0x3E), flipper: "NTAG215", isListed: true, isRequirable: true)

    /// NT2H1611, and NT2H1611F with field detection.
    public static let ntag216 = ChipModel(
        ID(rawValue: "ntag216"), "NTAG216",
        marks: [
            .version(ChipVersion(0x04, [0x02], size: 0x13)),
            .version(ChipVersion(0x04, [0x04], size: 0x13), name: "NTAG216F"),
        ],
        memory: .type2(
            Type2Layout(
                [0...230], user: 222,
                lock: DynamicLockLayout(block: 226, bitCount: 14, blocksPerBit: 16, blockLocking: 0x7F, end: 226),
                protection: .password(configuration: 227), withCounter)),
        formatting: Type2Formatting(0x6D), flipper: "NTAG216", isListed: true, isRequirable: true)

    private static let withoutCounter: Type2Layout.Features = [.fastRead, .signature, .uidMirror]
    private static let withCounter: Type2Layout.Features = [.fastRead, .signature, .uidMirror, .nfcCounter]
}
