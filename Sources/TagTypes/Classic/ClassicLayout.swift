// The sectors and blocks of a MIFARE Classic — NXP MF1S50yyX and MF1S70yyX, Memory Organization; AN10833 (SAK values)
import Chips

/// The sectors of a MIFARE Classic: 32 with 4 blocks each, followed by 8 with 16 blocks each.
///
/// Smaller chips have fewer of these sectors.
struct ClassicLayout: Hashable, Sendable {
    static let blockSize = 16
    /// The number of the sector that contains MAD2; it lies between data sectors.
    static let secondDirectorySector = 16
    private static let smallSectorCount = 32
    private static let smallSectorSize = 4
    private static let largeSectorSize = 16

    let model: ChipModel
    let sectorCount: Int

    /// Creates the layout from SEL_RES, the only byte that shows the size of the chip.
    init(selRes: UInt8) {
        model = ChipModel(selRes: selRes)
        let count = model.blockCount
        let largeStart = Self.smallSectorCount * Self.smallSectorSize
        sectorCount = min(count, largeStart) / Self.smallSectorSize + max(0, count - largeStart) / Self.largeSectorSize
    }

    var blockCount: Int { sectorCount == 0 ? 0 : blocks(of: sectorCount - 1).upperBound }

    var directorySectors: [Int] { sectorCount > Self.smallSectorSize * 4 ? [0, Self.secondDirectorySector] : [0] }

    var applicationSectors: [Int] { (1..<sectorCount).filter { $0 != Self.secondDirectorySector } }

    func blocks(of sector: Int) -> Range<Int> {
        let small = min(sector, Self.smallSectorCount) * Self.smallSectorSize
        let start = small + max(0, sector - Self.smallSectorCount) * Self.largeSectorSize
        return start..<start + (sector < Self.smallSectorCount ? Self.smallSectorSize : Self.largeSectorSize)
    }

    func sector(of block: Int) -> Int {
        let largeStart = Self.smallSectorCount * Self.smallSectorSize
        return block < largeStart
            ? block / Self.smallSectorSize
            : Self.smallSectorCount + (block - largeStart) / Self.largeSectorSize
    }

    /// Returns the number of the block that holds the keys and access bits of a sector.
    func trailer(of sector: Int) -> Int { blocks(of: sector).upperBound - 1 }

    func isTrailer(_ block: Int) -> Bool { trailer(of: sector(of: block)) == block }

    /// Returns the numbers of the data blocks of a sector, without the manufacturer block in sector 0.
    func dataBlocks(of sector: Int) -> Range<Int> {
        let blocks = blocks(of: sector)
        return (sector == 0 ? 1 : blocks.lowerBound)..<blocks.upperBound - 1
    }

    /// Returns the index of the access condition that applies to a block.
    ///
    /// The index is 0…2 for data blocks, and 3 for the trailer.
    func accessGroup(of block: Int) -> Int {
        let blocks = blocks(of: sector(of: block))
        let index = block - blocks.lowerBound
        return blocks.count == Self.smallSectorSize ? index : index / 5
    }
}
