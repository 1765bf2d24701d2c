// Sectors and blocks of MIFARE Classic — NXP MF1S50yyX and MF1S70yyX, Memory Organization; AN10833 (SAK values)
import Chips

/// The sectors of a MIFARE Classic: 32 with 4 blocks, then 8 with 16.
///
/// Smaller chips have only the first ones.
struct ClassicLayout: Hashable, Sendable {
    static let blockSize = 16
    /// The sector of MAD2, in the middle of the data sectors.
    static let secondDirectorySector = 16
    private static let smallSectorCount = 32
    private static let smallSectorSize = 4
    private static let largeSectorSize = 16

    /// The chip model.
    let model: ChipModel
    /// The number of sectors.
    let sectorCount: Int

    /// Creates the layout from SEL_RES, the only byte that shows the size of the chip.
    init(selRes: UInt8) {
        model = ChipModel(selRes: selRes)
        let count = model.blockCount
        let largeStart = Self.smallSectorCount * Self.smallSectorSize
        sectorCount = min(count, largeStart) / Self.smallSectorSize + max(0, count - largeStart) / Self.largeSectorSize
    }

    var blockCount: Int { sectorCount == 0 ? 0 : blocks(of: sectorCount - 1).upperBound }

    /// The sectors that hold a MIFARE application directory.
    var directorySectors: [Int] { sectorCount > Self.smallSectorSize * 4 ? [0, Self.secondDirectorySector] : [0] }

    /// The sectors that can belong to applications.
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

    /// Returns the block with the keys and access bits of a sector.
    func trailer(of sector: Int) -> Int { blocks(of: sector).upperBound - 1 }

    func isTrailer(_ block: Int) -> Bool { trailer(of: sector(of: block)) == block }

    /// Returns the data blocks of a sector, without the manufacturer block in sector 0.
    func dataBlocks(of sector: Int) -> Range<Int> {
        let blocks = blocks(of: sector)
        return (sector == 0 ? 1 : blocks.lowerBound)..<blocks.upperBound - 1
    }

    /// Returns the index of the access condition that applies to a block within its sector: 0…2 for data, 3 for the
    /// trailer.
    func accessGroup(of block: Int) -> Int {
        let blocks = blocks(of: sector(of: block))
        let index = block - blocks.lowerBound
        return blocks.count == Self.smallSectorSize ? index : index / 5
    }
}
