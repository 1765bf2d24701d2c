// Sectors and blocks of a MIFARE Classic — NXP MF1S50yyX and MF1S70yyX, memory organization

/// The memory sizes of MIFARE Classic.
///
/// The raw value is the name in Flipper files. The name of the 2K size is nfctool's own.
enum ClassicLayout: String, Hashable, Sendable {
    /// 5 sectors of 4 blocks.
    case mini = "MINI"
    /// 16 sectors of 4 blocks.
    case oneK = "1K"
    /// 32 sectors of 4 blocks.
    case twoK = "2K"
    /// 32 sectors of 4 blocks, then 8 sectors of 16 blocks.
    case fourK = "4K"

    static let blockSize = 16
    /// The first sector that has 16 blocks, as all later ones do.
    private static let firstLargeSector = 32
    private static let firstLargeBlock = 128

    var sectorCount: Int {
        switch self {
        case .mini: 5
        case .oneK: 16
        case .twoK: 32
        case .fourK: 40
        }
    }
    var blockCount: Int { Self.firstBlock(of: sectorCount) }

    static func sector(of block: Int) -> Int {
        block < firstLargeBlock ? block / 4 : firstLargeSector + (block - firstLargeBlock) / 16
    }

    static func firstBlock(of sector: Int) -> Int {
        sector < firstLargeSector ? sector * 4 : firstLargeBlock + (sector - firstLargeSector) * 16
    }

    static func trailer(of sector: Int) -> Int { firstBlock(of: sector) + (sector < firstLargeSector ? 3 : 15) }

    /// Returns which of the four sets of access bits controls a block.
    ///
    /// Set 3 is the trailer's. In a large sector, each of the other sets covers five blocks.
    static func accessGroup(of block: Int) -> Int {
        block < firstLargeBlock ? block % 4 : (block - firstLargeBlock) % 16 / 5
    }

    var selRes: UInt8 {
        switch self {
        case .mini: 0x09
        case .oneK: 0x08
        case .twoK: 0x19
        case .fourK: 0x18
        }
    }

    /// Returns the ATQA in the order in which it is sent: low byte first.
    ///
    /// Bit 7 indicates a 7-byte UID.
    func sensRes(uidLength: Int) -> [UInt8] {
        [(self == .fourK ? 0x02 : 0x04) | (uidLength == 7 ? 0x40 : 0x00), 0x00]
    }
}
