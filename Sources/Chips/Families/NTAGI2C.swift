// NTAG I2C — NXP data sheets NT3H1101/1201 and NT3H2111/2211, memory organization; tables of the poller in the Flipper
// firmware

extension ChipModel {
    static let ntagI2C = [ntagI2C1K, ntagI2C2K, ntagI2CPlus1K, ntagI2CPlus2K]

    /// NT3H1101.
    public static let ntagI2C1K = ChipModel(
        ID(rawValue: "ntag-i2c-1k"), "NTAG I2C 1k", marks: [.version(plain(size: 0x13))],
        memory: .type2(
            Type2Layout(
                [0...0xE2, 0xE8...0xE9], user: 222, lock: lockBits, [.fastRead, .plainUID],
                sessionRegisters: plainRegisters, registerLock: 0xE9)),
        formatting: Type2Formatting(0x6D), flipper: "NTAG I2C 1K", isRequirable: true)

    /// NT3H1201, whose memory continues in sector 1.
    public static let ntagI2C2K = ChipModel(
        ID(rawValue: "ntag-i2c-2k"), "NTAG I2C 2k", marks: [.version(plain(size: 0x15))],
        memory: .type2(
            Type2Layout(
                [0...sector + 0xE0, sector + 0xE8...sector + 0xE9], user: sector + 0xE0 - 4,
                lock: DynamicLockLayout(
                    block: sector + 0xE0, bitCount: 15, blocksPerBit: 32, blockLocking: 0xFF, end: sector + 0xE0),
                [.fastRead, .plainUID], sessionRegisters: plainRegisters, registerLock: sector + 0xE9)),
        formatting: Type2Formatting(0xEA), flipper: "NTAG I2C 2K", isRequirable: true)

    /// NT3H2111.
    public static let ntagI2CPlus1K = ChipModel(
        ID(rawValue: "ntag-i2c-plus-1k"), "NTAG I2C plus 1k", marks: [.version(plus(size: 0x13))],
        memory: .type2(
            Type2Layout(
                [0...0xE9], user: 222, lock: lockBits, protection: .password(configuration: 0xE3), plusFeatures,
                sessionRegisters: plusRegisters, registerLock: 0xE9)),
        formatting: Type2Formatting(0x6D), flipper: "NTAG I2C Plus 1K")

    /// NT3H2211, whose sector 1 is separate user memory.
    public static let ntagI2CPlus2K = ChipModel(
        ID(rawValue: "ntag-i2c-plus-2k"), "NTAG I2C plus 2k", marks: [.version(plus(size: 0x15))],
        memory: .type2(
            Type2Layout(
                [0...0xE9, sector...2 * sector - 1], user: 222, further: sector...2 * sector - 1, lock: lockBits,
                protection: .password(configuration: 0xE3), plusFeatures, sessionRegisters: plusRegisters,
                registerLock: 0xE9)),
        formatting: Type2Formatting(0x6D), flipper: "NTAG I2C Plus 2K")

    private static let sector = Type2Layout.sectorBlockCount
    private static let plusFeatures: Type2Layout.Features = [.fastRead, .signature, .plainUID]
    /// The blocks of an NTAG I2C's session registers, in sector 3.
    private static let plainRegisters = [3 * sector + 0xF8, 3 * sector + 0xF9]
    /// The blocks of an NTAG I2C plus's session registers, in sector 0; sector 3 contains the registers again.
    private static let plusRegisters = [0xEC, 0xED]
    private static let lockBits = DynamicLockLayout(
        block: 0xE2, bitCount: 14, blocksPerBit: 16, blockLocking: 0x7F, end: 0xE2)

    /// The minor version is 1, although some captures contain 0 (RfidResearchGroup/proxmark3, cmdhfmfu.c).
    private static func plain(size: UInt8) -> ChipVersion {
        ChipVersion(0x04, [0x05], major: 0x02, minors: 0x00...0x01, size: size)
    }

    private static func plus(size: UInt8) -> ChipVersion {
        ChipVersion(0x04, [0x05], major: 0x02, minors: 0x02...0x02, size: size)
    }
}

extension ChipModel {
    /// Whether the chip is an NTAG I2C or NTAG I2C plus.
    ///
    /// The block numbers of these chips have gaps, and the UID in their memory has no check bytes.
    public var isNTAGI2C: Bool { layout?.features.contains(.plainUID) ?? false }
}
