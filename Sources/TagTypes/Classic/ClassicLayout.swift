// Sectors and blocks of MIFARE Classic — NXP MF1S50yyX and MF1S70yyX, Memory Organization; AN10833 (SAK values)
import Chips

/// The sectors of a MIFARE Classic: 32 of 4 blocks, then 8 of 16; smaller chips have the first of them.
struct ClassicLayout: Hashable, Sendable {
    static let blockSize = 16
    /// MAD2 has a sector of its own, in the middle of what may hold data.
    static let secondDirectorySector = 16
    private static let smallSectorCount = 32
    private static let smallSectorSize = 4
    private static let largeSectorSize = 16

    /// The chip.
    let model: ChipModel
    /// The number of sectors.
    let sectorCount: Int

    /// Takes the size from SEL_RES, the only byte that shows it.
    init(selRes: UInt8) {
        model = ChipModel(selRes: selRes)
        let count = model.blockCount
        let largeStart = Self.smallSectorCount * Self.smallSectorSize
        sectorCount = min(count, largeStart) / Self.smallSectorSize + max(0, count - largeStart) / Self.largeSectorSize
    }

    var blockCount: Int { sectorCount == 0 ? 0 : blocks(of: sectorCount - 1).upperBound }

    /// The sectors with a MIFARE application directory.
    var directorySectors: [Int] { sectorCount > Self.smallSectorSize * 4 ? [0, Self.secondDirectorySector] : [0] }

    /// The sectors that may belong to applications.
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

    /// The block with the keys and access bits of a sector.
    func trailer(of sector: Int) -> Int { blocks(of: sector).upperBound - 1 }

    func isTrailer(_ block: Int) -> Bool { trailer(of: sector(of: block)) == block }

    /// The blocks of a sector that hold data; the first of sector 0 is the manufacturer's.
    func dataBlocks(of sector: Int) -> Range<Int> {
        let blocks = blocks(of: sector)
        return (sector == 0 ? 1 : blocks.lowerBound)..<blocks.upperBound - 1
    }

    /// Which of the four access conditions of its sector rules a block: 0…2 for data, 3 for the trailer.
    func accessGroup(of block: Int) -> Int {
        let blocks = blocks(of: sector(of: block))
        let index = block - blocks.lowerBound
        return blocks.count == Self.smallSectorSize ? index : index / 5
    }
}
