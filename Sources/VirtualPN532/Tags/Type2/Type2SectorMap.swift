// Addresses of an NTAG I2C on its RF interface — NXP data sheet NT3H1101_1201, "memory organization"

/// The valid sectors and addresses of an NTAG I2C.
///
/// Blocks are numbered in the order of Flipper files: user memory and lock bytes, configuration registers, session
/// registers.
struct Type2SectorMap: Hashable, Sendable {
    struct Area: Hashable, Sendable {
        let sector: UInt8
        let addresses: ClosedRange<Int>
        let firstBlock: Int
    }

    let areas: [Area]
    /// The number of the first of the two blocks with configuration registers.
    ///
    /// The first block contains NC_REG, LAST_NDEF_BLOCK, SRAM_MIRROR_BLOCK and WDT_LS. The second block contains
    /// WDT_MS, I2C_CLOCK_STR, REG_LOCK and 00.
    let configurationRegisters: Int

    /// The number of the first of the two blocks with session registers, which are in force and read-only over RF.
    ///
    /// These blocks contain NS_REG instead of REG_LOCK.
    var sessionRegisters: Int { configurationRegisters + 2 }

    static let ntagI2C1K = Type2SectorMap(
        areas: [
            Area(sector: 0, addresses: 0x00...0xE2, firstBlock: 0),
            Area(sector: 0, addresses: 0xE8...0xE9, firstBlock: 227),
            Area(sector: 3, addresses: 0xF8...0xF9, firstBlock: 229),
        ],
        configurationRegisters: 227)
    static let ntagI2C2K = Type2SectorMap(
        areas: [
            Area(sector: 0, addresses: 0x00...0xFF, firstBlock: 0),
            Area(sector: 1, addresses: 0x00...0xE0, firstBlock: 256),
            Area(sector: 1, addresses: 0xE8...0xE9, firstBlock: 481),
            Area(sector: 3, addresses: 0xF8...0xF9, firstBlock: 483),
        ],
        configurationRegisters: 481)

    /// Returns the number of the block at an address, or nil if there is no such block.
    func block(at address: Int, sector: UInt8) -> Int? {
        areas.first { $0.sector == sector && $0.addresses.contains(address) }
            .map { $0.firstBlock + address - $0.addresses.lowerBound }
    }

    func hasSector(_ sector: UInt8) -> Bool {
        areas.contains { $0.sector == sector }
    }
}
