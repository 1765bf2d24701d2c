// The blocks of an NTAG I2C — NXP NT3H1101/1201 and NT3H2111/2211, memory organization; their order in Flipper's files

extension TagImage.Chip {
    /// The number of blocks of a sector, which SECTOR SELECT chooses.
    private static let sector = 256

    /// Whether it is an NTAG I2C, plus or not.
    public var isNTAGI2C: Bool {
        switch self {
        case .ntagI2C1K, .ntagI2C2K, .ntagI2CPlus1K, .ntagI2CPlus2K: true
        default: false
        }
    }

    /// The numbers of the blocks in the order of dump files, those of an NTAG I2C counted through its sectors.
    var blockNumbers: [Int] {
        let sector = Self.sector
        return switch self {
        case .ntagI2C1K: Array(0...0xE2) + [0xE8, 0xE9] + sessionRegisters
        case .ntagI2C2K: Array(0...sector + 0xE0) + [sector + 0xE8, sector + 0xE9] + sessionRegisters
        case .ntagI2CPlus1K: Array(0...0xE9) + sessionRegisters
        case .ntagI2CPlus2K: Array(0...0xE9) + sessionRegisters + Array(sector..<2 * sector)
        default: Array(0..<blockCount)
        }
    }

    /// The registers in force since power-up, a copy of the configuration that only the I2C side changes; none elsewhere.
    ///
    /// They are in sector 3, and those of the plus chips in sector 0, too.
    var sessionRegisters: [Int] {
        switch self {
        case .ntagI2C1K, .ntagI2C2K: [3 * Self.sector + 0xF8, 3 * Self.sector + 0xF9]
        case .ntagI2CPlus1K, .ntagI2CPlus2K: [0xEC, 0xED]
        default: []
        }
    }

    /// The configuration register block whose byte 2 is REG_LOCK: bits that can only be set.
    public var registerLockBlock: Int? {
        switch self {
        case .ntagI2C1K, .ntagI2CPlus1K, .ntagI2CPlus2K: 0xE9
        case .ntagI2C2K: Self.sector + 0xE9
        default: nil
        }
    }
}

extension TagImage {
    /// The blocks, with zeros for session registers that were not read: formats without gaps have a place for them.
    var blocksWithRegisters: [Block] {
        guard case .type2(let chip?) = kind else { return blocks }
        return blocks.map { block in
            guard block.bytes == nil, chip.sessionRegisters.contains(block.number) else { return block }
            return Block(number: block.number, bytes: [0, 0, 0, 0])
        }
    }
}
