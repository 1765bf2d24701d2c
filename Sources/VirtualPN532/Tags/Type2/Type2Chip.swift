// Chips of Type 2 Tags — NXP NTAG213_215_216, NTAG203, NT2L1001, NT3H1101_1201, MF0ICU1, MF0ICU2, MF0ULX1; ST DS13433;
// MF0AES(H)20 according to public programs that write to it: stustapay/stustapay (docs, NFC tag production),
// zc-public/breakme-resources; NTAG 224 DNA: CRThu/nfctester

/// The properties of one chip: memory map, lock bits, version and commands.
struct Type2Chip: Hashable, Sendable {
    enum Family: Hashable, Sendable {
        case ultralight, ultralightC, ultralightEV1, ntag203, ntag210micro, ntag21x, ntagI2C, st25TN, ultralightAES,
            ntag22x
    }

    /// The name of the chip in Flipper files (`NTAG/Ultralight type`).
    let name: String
    let family: Family
    let blockCount: Int
    /// The answer to GET_VERSION; empty if the chip does not support the command.
    var version: [UInt8] = []
    let locks: [LockTable]
    /// The number of the first configuration block: CFG0, followed by CFG1, PWD and PACK.
    ///
    /// It is nil if the chip has no such blocks.
    var configurationBlock: Int?
    /// The number of the block with the 16-bit one-way counter, which WRITE increments; nil if there is none.
    var counterBlock: Int?
    /// The number of the first block with the key of an Ultralight C; nil for other chips.
    ///
    /// The blocks with the key are at the end of the memory and can never be read.
    var keyBlock: Int?
    /// The content at delivery from block 3 on.
    ///
    /// Missing bytes are zero.
    var delivered: [UInt8] = []
    /// The sectors and addresses of the blocks; nil if the addresses are consecutive and all in sector 0.
    var sectorMap: Type2SectorMap?
    /// The number of the first block with a key of an Ultralight AES; nil for other chips.
    ///
    /// DataProtKey and UIDRetrKey occupy four blocks each, which READ returns as zeros.
    var aesKeyBlock: Int?
    /// The number of the first block with the settings of an NTAG 22x DNA; nil for other chips.
    var settingsBlock: Int?
    /// The kind of secret with which a host authenticates to an NTAG 22x DNA; nil for other chips.
    var settingsSecret: NTAG22xSettings.Secret?

    /// Whether the chip has the configuration blocks of an NTAG21x or an Ultralight EV1.
    var hasConfiguration: Bool { configurationBlock != nil }
    /// The number of blocks that READ can return.
    ///
    /// After the last one, READ continues with block 0.
    var readableBlockCount: Int { keyBlock ?? blockCount }
    /// Whether blocks 0 to 2 contain UID0 to UID6 without check bytes, then SAK and ATQA.
    var hasPlainUID: Bool { family == .ntagI2C }
    var hasCompatibilityWrite: Bool { family != .ntagI2C && family != .st25TN }
    var hasSignature: Bool { hasConfiguration || family == .ntag210micro }
    var hasFastRead: Bool { !version.isEmpty && family != .ntag210micro }

    /// Whether changes to lock bits take effect only at the next REQA or WUPA.
    var latchesLockBits: Bool { family == .ultralightC || family == .ntag203 }

    /// Whether a power failure during a write leaves the block with either its old or its new content, never a mixture.
    func isTearProtected(_ block: Int) -> Bool {
        switch family {
        case .ultralight, .ntagI2C, .st25TN: false
        case .ntag203: block == counterBlock
        case .ultralightC, .ultralightEV1, .ntag210micro, .ntag21x, .ultralightAES, .ntag22x:
            block == 3 || block == counterBlock || locks.contains { $0.block == block }
        }
    }

    static let all = [
        ultralight, ultralightC, ultralightEV1, ultralightEV1128, ntag203, ntag213, ntag215, ntag216, ntagI2C1K,
        ntagI2C2K, ntag210micro, st25TN01K, ultralightAES, ntag223DNA,
        ntag224DNA,
    ]

    static let ultralight = Type2Chip(
        name: "Mifare Ultralight", family: .ultralight, blockCount: 16, locks: [.staticLocks])
    /// MIFARE Ultralight C (MF0ICU2).
    static let ultralightC = Type2Chip(
        name: "Mifare Ultralight C", family: .ultralightC, blockCount: 48,
        locks: [
            .staticLocks,
            .fourBlockLocks(others: [
                LockArea(bit: 12, blocks: 41...41, frozenBy: 8), LockArea(bit: 13, blocks: 42...42, frozenBy: 9),
                LockArea(bit: 14, blocks: 43...43, frozenBy: 10), LockArea(bit: 15, blocks: 44...47, frozenBy: 11),
            ]),
        ],
        counterBlock: 41, keyBlock: 44)
    /// MIFARE Ultralight EV1 with 20 blocks (MF0UL11).
    static let ultralightEV1 = Type2Chip(
        name: "Mifare Ultralight 11", family: .ultralightEV1, blockCount: 20,
        version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0B, 0x03], locks: [.staticLocks],
        configurationBlock: 0x10)
    /// MIFARE Ultralight EV1 with 41 blocks (MF0UL21).
    static let ultralightEV1128 = Type2Chip(
        name: "Mifare Ultralight 21", family: .ultralightEV1, blockCount: 41,
        version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0E, 0x03],
        locks: [
            .staticLocks, .dynamicLocks(block: 0x24, granularity: 2, through: 35, frozenTogether: 4),
        ],
        configurationBlock: 0x25)
    static let ntag203 = Type2Chip(
        name: "NTAG203", family: .ntag203, blockCount: 42,
        locks: [.staticLocks, .fourBlockLocks(others: [LockArea(bit: 12, blocks: 41...41, frozenBy: 8)])],
        counterBlock: 41,
        // Capability container, Lock Control TLV, empty NDEF Message TLV, Terminator TLV.
        delivered: [0xE1, 0x10, 0x12, 0x00, 0x01, 0x03, 0xA0, 0x10, 0x44, 0x03, 0x00, 0xFE])
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
    /// NTAG210µ (NT2L1001).
    ///
    /// In Flipper files, it has the name of the chip with the same memory, but its own version.
    static let ntag210micro = Type2Chip(
        name: "Mifare Ultralight", family: .ntag210micro, blockCount: 16,
        version: [0x00, 0x04, 0x04, 0x01, 0x02, 0x00, 0x0B, 0x03], locks: [.staticLocks],
        delivered: [0xE1, 0x10, 0x06, 0x00, 0x03, 0x00, 0xFE])
    /// ST25TN01K from STMicroelectronics.
    ///
    /// In Flipper files, it has the generic name for unsupported chips. The kill feature is not simulated.
    static let st25TN01K = Type2Chip(
        name: "Mifare Ultralight", family: .st25TN, blockCount: 64,
        locks: [
            .staticLocks,
            LockTable(
                block: 0x2C, bytes: 0..<4,
                areas: (0..<14).map { LockArea(bit: $0, blocks: 16 + 2 * $0...17 + 2 * $0, frozenBy: 24) }
                    + (0..<6).map { LockArea(bit: 18 + $0, blocks: 0x34 + 2 * $0...0x35 + 2 * $0, frozenBy: 24) }
                    + (1..<5).map { LockArea(bit: 24 + $0, blocks: 0x2C + $0...0x2C + $0, frozenBy: 24) }),
        ],
        delivered: [0xE1, 0x10, 0x14, 0x00, 0x03, 0x00, 0xFE])
    /// MIFARE Ultralight AES (MF0AES20).
    ///
    /// In Flipper files, it has the generic name for unsupported chips. The block-locking bits are those of an NTAG213
    /// (from memory). Counters, READ_SIG and random UIDs are not simulated.
    static let ultralightAES = Type2Chip(
        name: "Mifare Ultralight", family: .ultralightAES, blockCount: 60,
        version: [0x00, 0x04, 0x03, 0x01, 0x04, 0x00, 0x0F, 0x03],
        locks: [
            .staticLocks, .dynamicLocks(block: 0x28, granularity: 2, through: 39, frozenTogether: 4),
        ],
        aesKeyBlock: 0x30)
    /// NTAG 223 DNA (NT2H2331).
    ///
    /// In Flipper files, it has the generic name for unsupported chips. Dynamic lock bits are not simulated. The
    /// capability container is from memory. PWD and PACK at delivery are assumed to be those of an NTAG213.
    static let ntag223DNA = Type2Chip(
        name: "Mifare Ultralight", family: .ntag22x, blockCount: 60,
        version: [0x00, 0x04, 0x04, 0x02, 0x04, 0x00, 0x0F, 0x03], locks: [.staticLocks],
        delivered: [0xE1, 0x10, 0x12, 0x00, 0x03, 0x00, 0xFE], settingsBlock: 0x29,
        settingsSecret: .password)
    /// NTAG 224 DNA (NT2H2421).
    ///
    /// The limitations of `ntag223DNA` apply here too.
    static let ntag224DNA = Type2Chip(
        name: "Mifare Ultralight", family: .ntag22x, blockCount: 76,
        version: [0x00, 0x04, 0x04, 0x02, 0x05, 0x00, 0x10, 0x03], locks: [.staticLocks],
        delivered: [0xE1, 0x10, 0x1A, 0x00, 0x03, 0x00, 0xFE], settingsBlock: 0x39,
        settingsSecret: .key)
    /// NTAG I2C 1k (NT3H1101).
    static let ntagI2C1K = Type2Chip(
        name: "NTAG I2C 1K", family: .ntagI2C, blockCount: 231,
        version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x01, 0x13, 0x03],
        locks: [
            .staticLocks, .dynamicLocks(block: 0xE2, granularity: 16, through: 225, frozenTogether: 32),
        ],
        delivered: [0xE1, 0x10, 0x6D, 0x00, 0x03, 0x00, 0xFE], sectorMap: .ntagI2C1K)
    /// NTAG I2C 2k (NT3H1201).
    static let ntagI2C2K = Type2Chip(
        name: "NTAG I2C 2K", family: .ntagI2C, blockCount: 485,
        version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x01, 0x15, 0x03],
        locks: [
            .staticLocks, .dynamicLocks(block: 0x1E0, granularity: 32, through: 479, frozenTogether: 64),
        ],
        delivered: [0xE1, 0x10, 0xEA, 0x00, 0x03, 0x00, 0xFE], sectorMap: .ntagI2C2K)
}
