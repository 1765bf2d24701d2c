// The chips, each with its data sheet. "From memory" marks facts that no available data sheet confirms

extension ISO15693Chip {
    /// All chips, in the order in which users see them.
    public static let all: [ISO15693Chip] = [
        icodeSLIX, icodeSLIX2, icodeSLIXL, icode3, st25DV04K, st25DV16K, st25DV64K, st25TV02K, m24LR64, tagItHFI, myD,
        em4233, generic32,
    ]

    /// The chip with this name; nil if there is none.
    public init?(id: String) {
        guard let chip = Self.all.first(where: { $0.id == id }) else { return nil }
        self = chip
    }

    /// The commands that nearly all chips support: reading, writing, locking, states, AFI, DSFID and information.
    private static let usual: Set<UInt8> = [
        0x20, 0x21, 0x22, 0x23, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C,
    ]

    /// The extended commands of ISO/IEC 15693-3 Amd 4, which use two bytes for block numbers and counts.
    private static let extended: Set<UInt8> = [0x30, 0x31, 0x32, 0x33, 0x34, 0x3B, 0x3C]

    // MARK: NXP

    /// The NXP SL2S2002, with 28 blocks.
    ///
    /// The type indicator in the fourth byte of the UID is 2.
    public static let icodeSLIX = ISO15693Chip(
        id: "icode-slix", name: "ICODE SLIX", uidPrefix: [0xE0, 0x04, 0x01, 0x10], blockSize: 4, blockCount: 28,
        icReference: 0x01, cardName: 0x0014, commands: usual, truncatesReads: true, family: .slix)

    /// The NXP SL2S2602, with 79 blocks of user memory and a counter in block 79.
    ///
    /// The type indicator in the fourth byte of the UID is 1.
    public static let icodeSLIX2 = ISO15693Chip(
        id: "icode-slix2", name: "ICODE SLIX2", uidPrefix: [0xE0, 0x04, 0x01, 0x08], blockSize: 4, blockCount: 80,
        icReference: 0x01, cardName: 0x0014, commands: usual, truncatesReads: true, family: .slix2)

    /// The NXP SL2S5002, with 8 blocks.
    ///
    /// READ MULTIPLE BLOCKS and GET MULTIPLE BLOCK SECURITY STATUS are not supported (from memory).
    public static let icodeSLIXL = ISO15693Chip(
        id: "icode-slix-l", name: "ICODE SLIX-L", uidPrefix: [0xE0, 0x04, 0x03, 0x00], blockSize: 4, blockCount: 8,
        icReference: 0x03, cardName: 0x0014, commands: usual.subtracting([0x23, 0x2C]), family: .slixL)

    /// The NXP SL2S3003, with 75 blocks of user memory and a counter in block 75.
    ///
    /// The UID's type indicator and the location of the counter are from memory.
    public static let icode3 = ISO15693Chip(
        id: "icode-3", name: "ICODE 3", uidPrefix: [0xE0, 0x04, 0x01, 0x20], blockSize: 4, blockCount: 76,
        icReference: 0x01, cardName: 0x0014, commands: usual, truncatesReads: true, family: .slix2)

    // MARK: STMicroelectronics

    /// The ST ST25DV04K, with 128 blocks.
    public static let st25DV04K = ISO15693Chip(
        id: "st25dv04k", name: "ST25DV04K", uidPrefix: [0xE0, 0x02, 0x24], blockSize: 4, blockCount: 128,
        icReference: 0x24, commands: usual.union(extended).union([0x24]), lockableBlocks: 0..<2, longestWrite: 4,
        family: .st25DV)

    /// The ST ST25DV16K, with 512 blocks.
    ///
    /// Only the extended system information contains the memory size.
    public static let st25DV16K = ISO15693Chip(
        id: "st25dv16k", name: "ST25DV16K", uidPrefix: [0xE0, 0x02, 0x26], blockSize: 4, blockCount: 512,
        icReference: 0x26, commands: usual.union(extended).union([0x24]), information: 0x0B, lockableBlocks: 0..<2,
        longestWrite: 4, family: .st25DV)

    /// The ST ST25DV64K, with 2048 blocks.
    public static let st25DV64K = ISO15693Chip(
        id: "st25dv64k", name: "ST25DV64K", uidPrefix: [0xE0, 0x02, 0x26], blockSize: 4, blockCount: 2048,
        icReference: 0x26, commands: usual.union(extended).union([0x24]), information: 0x0B, lockableBlocks: 0..<2,
        longestWrite: 4, family: .st25DV)

    /// The ST ST25TV02K, with 64 blocks.
    public static let st25TV02K = ISO15693Chip(
        id: "st25tv02k", name: "ST25TV02K", uidPrefix: [0xE0, 0x02, 0x23], blockSize: 4, blockCount: 64,
        icReference: 0x23, commands: usual)

    /// The ST M24LR64-R, with 2048 blocks in sectors of 32 blocks, accessed with the protocol extension flag.
    public static let m24LR64 = ISO15693Chip(
        id: "m24lr64", name: "M24LR64-R", uidPrefix: [0xE0, 0x02, 0x2C], blockSize: 4, blockCount: 2048,
        icReference: 0x2C, commands: usual.subtracting([0x22]), information: 0x0B, longestRead: 32, sectorSize: 32,
        usesProtocolExtension: true, factoryBytes: [])

    // MARK: Others

    /// The Texas Instruments Tag-it HF-I Plus, with 64 blocks.
    ///
    /// Writes and locks require the option flag. The IC reference is from memory.
    public static let tagItHFI = ISO15693Chip(
        id: "tag-it-hf-i", name: "Tag-it HF-I Plus", uidPrefix: [0xE0, 0x07, 0x00], blockSize: 4, blockCount: 64,
        icReference: 0x8B, cardName: 0x0012, commands: usual, writeOption: .required)

    /// The Infineon SRF55V10P, my-d vicinity, with 125 blocks of 8 bytes.
    ///
    /// Get System Information is not supported (from memory).
    public static let myD = ISO15693Chip(
        id: "my-d", name: "my-d SRF55V10P", uidPrefix: [0xE0, 0x05, 0x00], blockSize: 8, blockCount: 125,
        icReference: 0x00, cardName: 0x000E, commands: usual.subtracting([0x2B, 0x2C]))

    /// The EM Microelectronic EM4233, with 64 blocks.
    ///
    /// The product code 24 is from public lists of UIDs. The IC reference is from memory.
    public static let em4233 = ISO15693Chip(
        id: "em4233", name: "EM4233", uidPrefix: [0xE0, 0x16, 0x24], blockSize: 4, blockCount: 64, icReference: 0x02,
        commands: usual.union([0x24]), writeOption: .refused)

    /// A fictitious chip with 64 blocks of 32 bytes, the largest size that the standard permits.
    public static let generic32 = ISO15693Chip(
        id: "generic-32", name: "ISO 15693, blocks of 32 bytes", uidPrefix: [0xE0, 0x7F], blockSize: 32, blockCount: 64,
        icReference: 0x00, commands: usual.union(extended).union([0x24]), longestRead: 8)
}
