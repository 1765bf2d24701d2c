// Chips of Type 2 Tags — NXP data sheets NTAG213_215_216, MF0ICU1, MF0ULX1

/// What tells one chip from another: memory map, lock bits, version, commands.
struct Type2Chip: Hashable, Sendable {
    enum Family: Hashable, Sendable { case ultralight, ultralightEV1, ntag21x }

    /// The value of `NTAG/Ultralight type` in Flipper files.
    let name: String
    let family: Family
    let blockCount: Int
    /// Answer to GET_VERSION; the first Ultralight has none.
    let version: [UInt8]
    let locks: [LockTable]
    /// The first of the four configuration blocks CFG0, CFG1, PWD, PACK.
    let configurationBlock: Int?
    /// Blocks 3 and following as delivered; what is not listed is zero.
    let delivered: [UInt8]

    var hasPassword: Bool { configurationBlock != nil }
    var passwordBlock: Int? { configurationBlock.map { $0 + 2 } }
    var packBlock: Int? { configurationBlock.map { $0 + 3 } }

    /// Whether a write to this block leaves the old or the new content when power fails, and nothing between.
    func isTearProtected(_ block: Int) -> Bool {
        family != .ultralight && (block == 3 || locks.contains { $0.block == block })
    }

    static let all = [ultralight, ultralightEV1, ultralightEV1128, ntag213, ntag215, ntag216]

    static let ultralight = Type2Chip(
        name: "Mifare Ultralight", family: .ultralight, blockCount: 16, version: [], locks: [.staticLocks],
        configurationBlock: nil, delivered: [])
    /// MF0UL11.
    static let ultralightEV1 = Type2Chip(
        name: "Mifare Ultralight 11", family: .ultralightEV1, blockCount: 20,
        version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0B, 0x03], locks: [.staticLocks],
        configurationBlock: 0x10, delivered: [])
    /// MF0UL21.
    static let ultralightEV1128 = Type2Chip(
        name: "Mifare Ultralight 21", family: .ultralightEV1, blockCount: 41,
        version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0E, 0x03],
        locks: [
            .staticLocks, .dynamicLocks(block: 0x24, granularity: 2, through: 35, frozenTogether: 4),
        ],
        configurationBlock: 0x25, delivered: [])
    static let ntag213 = Type2Chip(
        name: "NTAG213", family: .ntag21x, blockCount: 45,
        version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03],
        locks: [
            .staticLocks, .dynamicLocks(block: 0x28, granularity: 2, through: 39, frozenTogether: 4),
        ],
        configurationBlock: 0x29,
        // Capability container, Lock Control TLV, empty NDEF Message TLV, Terminator TLV.
        delivered: [0xE1, 0x10, 0x12, 0x00, 0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE])
    static let ntag215 = Type2Chip(
        name: "NTAG215", family: .ntag21x, blockCount: 135,
        version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03],
        locks: [
            .staticLocks, .dynamicLocks(block: 0x82, granularity: 16, through: 129, frozenTogether: 32),
        ],
        configurationBlock: 0x83, delivered: [0xE1, 0x10, 0x3E, 0x00, 0x03, 0x00, 0xFE])
    static let ntag216 = Type2Chip(
        name: "NTAG216", family: .ntag21x, blockCount: 231,
        version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03],
        locks: [
            .staticLocks, .dynamicLocks(block: 0xE2, granularity: 16, through: 225, frozenTogether: 32),
        ],
        configurationBlock: 0xE3, delivered: [0xE1, 0x10, 0x6D, 0x00, 0x03, 0x00, 0xFE])
}
