// The kinds of tag an image can be of, and how their memory is divided — the chips' data sheets

extension TagImage {
    /// A kind of tag.
    public enum Kind: Hashable, Sendable {
        /// Topaz 96 (BCM20203T96): 15 blocks of 8 bytes.
        case topaz96
        /// Topaz 512 (BCM20203T512): 64 blocks of 8 bytes.
        case topaz512
        /// A Type 2 Tag of blocks (pages) of 4 bytes; `nil` when the chip is not known.
        case type2(Chip?)
        /// FeliCa Lite or Lite-S: 28 blocks of 16 bytes.
        case feliCaLite
        /// Another Type 3 Tag.
        case type3
        /// MIFARE Classic 1K: 64 blocks of 16 bytes.
        case classic1K
        /// MIFARE Classic 4K: 256 blocks of 16 bytes.
        case classic4K
        /// A Type 4 Tag: files.
        case type4
    }
}

extension TagImage.Kind: CustomStringConvertible {
    /// The name for people.
    public var description: String {
        switch self {
        case .topaz96: "Topaz 96"
        case .topaz512: "Topaz 512"
        case .type2(let chip?): chip.rawValue
        case .type2(nil): "a Type 2 Tag"
        case .feliCaLite: "FeliCa Lite"
        case .type3: "a Type 3 Tag"
        case .classic1K: "MIFARE Classic 1K"
        case .classic4K: "MIFARE Classic 4K"
        case .type4: "a Type 4 Tag"
        }
    }
}

extension TagImage.Kind {
    /// The number of bytes in a block; 0 where there are none.
    public var blockLength: Int {
        switch self {
        case .topaz96, .topaz512: 8
        case .type2: 4
        case .feliCaLite, .type3, .classic1K, .classic4K: 16
        case .type4: 0
        }
    }

    /// The numbers of all blocks, `nil` where the kind does not tell.
    public var blockNumbers: [Int]? {
        switch self {
        case .topaz96: Array(0..<15)
        case .topaz512: Array(0..<64)
        case .type2(let chip): chip?.blockNumbers
        // S_PAD0…REG, RC…MC, WCNT MAC_A STATE, CRC_CHECK — FeliCa Lite-S user's manual, block list
        case .feliCaLite: Array(0x00...0x0E) + Array(0x80...0x88) + Array(0x90...0x92) + [0xA0]
        case .classic1K: Array(0..<64)
        case .classic4K: Array(0..<256)
        case .type3: nil
        case .type4: []
        }
    }

    /// Whether the chip itself changes a block: no restore brings it back, and no comparison counts it.
    public func isChangedByChip(_ block: Int) -> Bool {
        switch self {
        // MAC, WCNT, MAC_A, STATE — FeliCa Lite-S user's manual, block list
        case .feliCaLite: [0x81, 0x90, 0x91, 0x92].contains(block)
        case .type2(let chip?): chip.sessionRegisters.contains(block)
        default: false
        }
    }

    /// The block of a FeliCa Lite that begins with the IDm, D_ID.
    static let feliCaIdentifierBlock = 0x83

    /// The sector a MIFARE Classic block belongs to: 32 of 4 blocks, then 8 of 16.
    public static func classicSector(of block: Int) -> Int {
        block < 128 ? block / 4 : 32 + (block - 128) / 16
    }

    /// Whether a MIFARE Classic block is the trailer of its sector: key A, access bits, key B.
    public static func isClassicTrailer(_ block: Int) -> Bool {
        block < 128 ? block % 4 == 3 : block % 16 == 15
    }
}

extension TagImage {
    /// The chip of a Type 2 Tag.
    public enum Chip: String, CaseIterable, Hashable, Sendable {
        /// MF0ICU1.
        case ultralight = "MIFARE Ultralight"
        /// MF0ICU2.
        case ultralightC = "MIFARE Ultralight C"
        /// MF0UL11.
        case ultralight11 = "MIFARE Ultralight EV1 (MF0UL11)"
        /// MF0UL21.
        case ultralight21 = "MIFARE Ultralight EV1 (MF0UL21)"
        /// NTAG203.
        case ntag203 = "NTAG203"
        /// NTAG210.
        case ntag210 = "NTAG210"
        /// NTAG212.
        case ntag212 = "NTAG212"
        /// NTAG213, also NTAG213F.
        case ntag213 = "NTAG213"
        /// NTAG215.
        case ntag215 = "NTAG215"
        /// NTAG216, also NTAG216F.
        case ntag216 = "NTAG216"
        /// NT3H1101.
        case ntagI2C1K = "NTAG I2C 1K"
        /// NT3H1201.
        case ntagI2C2K = "NTAG I2C 2K"
        /// NT3H2111.
        case ntagI2CPlus1K = "NTAG I2C plus 1K"
        /// NT3H2211.
        case ntagI2CPlus2K = "NTAG I2C plus 2K"
    }
}

extension TagImage.Chip {
    /// The number of blocks, as dump files count them: those of an NTAG I2C's sectors in one row.
    public var blockCount: Int {
        switch self {
        case .ultralight: 16
        case .ultralight11, .ntag210: 20
        case .ultralight21, .ntag212: 41
        case .ntag203: 42
        case .ntag213: 45
        case .ultralightC: 48
        case .ntag215: 135
        case .ntag216, .ntagI2C1K: 231
        case .ntagI2CPlus1K: 236
        case .ntagI2C2K: 485
        case .ntagI2CPlus2K: 492
        }
    }

    /// The chip that gives this answer to GET_VERSION, `nil` when it is none of these.
    ///
    /// Shape: header `00`, vendor `04`, product type, subtype, major, minor, storage size, protocol.
    public init?(version: [UInt8]) {
        guard version.count == 8, version[0] == 0x00, version[1] == 0x04 else { return nil }
        switch (version[2], version[4], version[5], version[6]) {
        case (0x03, 0x01, _, 0x0B): self = .ultralight11
        case (0x03, 0x01, _, 0x0E): self = .ultralight21
        case (0x04, 0x01, _, 0x0B): self = .ntag210
        case (0x04, 0x01, _, 0x0E): self = .ntag212
        case (0x04, 0x01, _, 0x0F): self = .ntag213
        case (0x04, 0x01, _, 0x11): self = .ntag215
        case (0x04, 0x01, _, 0x13): self = .ntag216
        case (0x04, 0x02, 0x01, 0x13): self = .ntagI2C1K
        case (0x04, 0x02, 0x01, 0x15): self = .ntagI2C2K
        case (0x04, 0x02, 0x02, 0x13): self = .ntagI2CPlus1K
        case (0x04, 0x02, 0x02, 0x15): self = .ntagI2CPlus2K
        default: return nil
        }
    }

    /// The chips with so many blocks.
    public static func candidates(blockCount: Int) -> [TagImage.Chip] {
        allCases.filter { $0.blockCount == blockCount }
    }

    /// The only chip with so many blocks, `nil` when there are several or none.
    static func only(blockCount: Int) -> TagImage.Chip? {
        let chips = candidates(blockCount: blockCount)
        return chips.count == 1 ? chips.first : nil
    }
}
