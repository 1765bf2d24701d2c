// The kinds of tag that an image can contain, and the layout of their memory — the chips' data sheets
public import Chips

extension TagImage {
    /// A kind of tag.
    public enum Kind: Hashable, Sendable {
        /// Topaz 96 (BCM20203T96): 15 blocks of 8 bytes.
        case topaz96
        /// Topaz 512 (BCM20203T512): 64 blocks of 8 bytes.
        case topaz512
        /// A Type 2 Tag with blocks (pages) of 4 bytes. The chip is `nil` if it is not known.
        case type2(Chip?)
        /// FeliCa Lite or Lite-S: 28 blocks of 16 bytes.
        case feliCaLite
        /// Any other Type 3 Tag.
        case type3
        /// A MIFARE Classic, or a MIFARE Plus that acts like one, with blocks of 16 bytes.
        case classic(Chip)
        /// A Type 4 Tag, which has files.
        case type4
        /// A Type 5 Tag (ISO 15693), with blocks of 1 to 32 bytes.
        case type5(blockLength: Int)
    }
}

extension TagImage.Kind: CustomStringConvertible {
    /// The name for display.
    public var description: String {
        switch self {
        case .topaz96: "Topaz 96"
        case .topaz512: "Topaz 512"
        case .type2(let chip?): chip.name
        case .type2(nil): "a Type 2 Tag"
        case .feliCaLite: "FeliCa Lite"
        case .type3: "a Type 3 Tag"
        case .classic(let chip): chip.name
        case .type4: "a Type 4 Tag"
        case .type5: "a Type 5 Tag"
        }
    }
}

extension TagImage.Kind {
    /// The kinds, other than Type 2, that each correspond to exactly one model in the table of chips.
    static let fixed: [TagImage.Kind] = [.topaz96, .topaz512, .feliCaLite] + classics

    /// The chip model with this memory, or `nil` if the kind does not determine a model.
    private var model: ChipModel? {
        switch self {
        case .topaz96: .topaz96
        case .topaz512: .topaz512
        case .type2(let chip): chip
        case .feliCaLite: .feliCaLiteS
        case .classic(let chip): chip
        case .type3, .type4, .type5: nil
        }
    }

    /// The number of bytes in a block, or 0 if this kind of tag has no blocks.
    public var blockLength: Int {
        switch self {
        case .type2: 4
        case .type3: 16
        case .type5(let length): length
        default: model?.blockLength ?? 0
        }
    }

    /// The numbers of all blocks, or `nil` if the kind does not determine them.
    public var blockNumbers: [Int]? {
        switch self {
        case .type4: []
        default: model?.blockNumbers
        }
    }

    /// Whether the chip itself changes a block, so that the block cannot be restored and is not compared.
    public func isChangedByChip(_ block: Int) -> Bool {
        switch self {
        // MAC, WCNT, MAC_A, STATE — FeliCa Lite-S user's manual, block list
        case .feliCaLite: [0x81, 0x90, 0x91, 0x92].contains(block)
        case .type2(let chip?): chip.sessionRegisters.contains(block)
        default: false
        }
    }

    /// The block D_ID of a FeliCa Lite, which begins with the IDm.
    static let feliCaIdentifierBlock = 0x83

    /// MIFARE Mini: 20 blocks.
    public static let mifareMini = TagImage.Kind.classic(.mifareMini)
    /// MIFARE Classic 1K: 64 blocks.
    public static let classic1K = TagImage.Kind.classic(.classic1K)
    /// MIFARE Plus with 2 KB that acts like a MIFARE Classic: 128 blocks.
    public static let classic2K = TagImage.Kind.classic(.classic2K)
    /// MIFARE Classic 4K: 256 blocks.
    public static let classic4K = TagImage.Kind.classic(.classic4K)
    /// The kinds for all MIFARE Classic sizes, in ascending order.
    public static let classics = [mifareMini, classic1K, classic2K, classic4K]

    /// Whether the tag is a MIFARE Classic of any size.
    public var isClassic: Bool { if case .classic = self { true } else { false } }

    /// The SAK of a MIFARE Classic of this size, or `nil` for other kinds.
    public var classicSAK: UInt8? {
        guard case .classic(let chip) = self else { return nil }
        for case .selRes(let sak) in chip.marks { return sak }
        return nil
    }

    /// Returns the kind of MIFARE Classic with this SAK, or `nil` if the SAK does not determine a size.
    static func classic(sak: UInt8?) -> TagImage.Kind? {
        sak.flatMap { sak in classics.first { $0.classicSAK == sak } }
    }

    /// Returns the number of the sector that contains a MIFARE Classic block.
    ///
    /// There are up to 32 sectors of 4 blocks, followed by up to 8 sectors of 16 blocks.
    public static func classicSector(of block: Int) -> Int {
        block < 128 ? block / 4 : 32 + (block - 128) / 16
    }

    /// Whether a MIFARE Classic block is the trailer of its sector, which contains key A, the access bits and key B.
    public static func isClassicTrailer(_ block: Int) -> Bool {
        block < 128 ? block % 4 == 3 : block % 16 == 15
    }
}

extension TagImage {
    /// The chip of a Type 2 Tag or a MIFARE Classic: a model from the table of chips.
    public typealias Chip = ChipModel
}

extension ChipModel {
    /// Returns the chips of Type 2 Tags whose dumps have this many blocks.
    ///
    /// A chip is left out if another chip of the same size is more common in dumps.
    public static func candidates(blockCount: Int) -> [ChipModel] {
        all.filter { $0.layout != nil && $0.isToldBySize && $0.blockCount == blockCount }
    }

    /// Returns the only chip with this many blocks, or `nil` if there are none or several.
    static func only(blockCount: Int) -> ChipModel? {
        let chips = candidates(blockCount: blockCount)
        return chips.count == 1 ? chips.first : nil
    }

    /// Returns the Type 2 Tag chip that a GET_VERSION answer identifies, or `nil` if its memory is not known.
    static func withMemory(version: [UInt8]) -> ChipModel? {
        ChipModel(version: version).flatMap { $0.layout == nil ? nil : $0 }
    }

    /// The numbers of the blocks with the session registers.
    ///
    /// The registers are a copy of the configuration that the chip has used since power-up. Only the I²C side can
    /// change them. The list is empty for chips without such registers.
    var sessionRegisters: [Int] { layout?.sessionRegisters ?? [] }

    /// Creates the first chip that has this name in Flipper files, or returns `nil` if there is none.
    ///
    /// If several chips share the name, the GET_VERSION answer distinguishes them.
    init?(flipperName: some StringProtocol) {
        guard let chip = Self.all.first(where: { $0.flipperName.map { $0 == flipperName } ?? false }) else {
            return nil
        }
        self = chip
    }
}
