// What tells one ISO 15693 chip from another, as data

/// A chip of which there are virtual tags.
public struct ISO15693Chip: Hashable, Sendable, CustomStringConvertible {
    /// What a chip does with the option flag of writes and locks.
    enum WriteOption: Hashable, Sendable {
        /// Both ways of answering, as the standard has it.
        case allowed
        /// Error 03 without it.
        case required
        /// Error 03 with it.
        case refused
    }

    /// Which fields Get System Information has, b1 to b4 — ISO/IEC 15693-3, 10.4.12.
    enum Information {
        static let dsfid: UInt8 = 0x01
        static let afi: UInt8 = 0x02
        static let memorySize: UInt8 = 0x04
        static let icReference: UInt8 = 0x08
        static let all: UInt8 = 0x0F
    }

    /// The custom commands that a chip knows.
    enum Family: Hashable, Sendable {
        case none, slix, slixL, slix2, st25DV
    }

    /// The name on the command line.
    public let id: String
    /// The name in data sheets.
    public let name: String
    /// The first bytes of its UIDs: E0, the manufacturer, and what the manufacturer says of the product.
    let uidPrefix: [UInt8]
    /// Bytes in a block.
    public let blockSize: Int
    /// Blocks.
    public let blockCount: Int
    let icReference: UInt8
    /// NN of the ATR that readers make of it.
    var cardName: UInt16 = 0x0000
    /// The command codes of the standard that it knows.
    let commands: Set<UInt8>
    /// The fields of Get System Information; those of the extended form are all.
    var information = Information.all
    /// Most blocks of one read; nil for all.
    var longestRead: Int?
    /// Reads stay inside sectors of so many blocks.
    var sectorSize: Int?
    /// A read beyond the end gives the blocks that there are, instead of error 10.
    var truncatesReads = false
    var writeOption = WriteOption.allowed
    /// Blocks beyond FF are reached with the protocol extension flag, as old ST chips have it.
    var usesProtocolExtension = false
    /// The blocks that LOCK BLOCK locks; nil for all.
    var lockableBlocks: Range<Int>?
    /// Most blocks of one Write Multiple Blocks.
    var longestWrite: Int?
    var family = Family.none
    /// Time for programming a block; the standard allows 20 ms.
    var programmingTime = Duration.milliseconds(5)
    /// The first bytes of the memory as delivered; the rest is zero.
    var factoryBytes: [UInt8] = []

    /// The name on the command line.
    public var description: String { id }

    /// The memory in bytes.
    public var size: Int { blockSize * blockCount }

    /// The block that counts, of chips that have one: their last.
    var counterBlock: Int? { family == .slix2 ? blockCount - 1 : nil }

    /// The blocks for whatever one likes.
    var userBlocks: Int { counterBlock ?? blockCount }

    /// Capability container and an empty message, as NFC Forum Type 5 Tags have it from block 0 on.
    var emptyMessage: [UInt8] {
        let magic: UInt8 = blockCount > 256 ? 0xE2 : 0xE1
        let isLockable = commands.contains(0x22) && lockableBlocks == nil
        let features: UInt8 =
            (commands.contains(0x23) ? 0x01 : 0) | (isLockable ? 0x08 : 0) | (writeOption == .required ? 0x10 : 0)
        let user = userBlocks * blockSize
        let short = (user - 4) / 8
        guard short > 0xFF else { return [magic, 0x40, UInt8(short), features, 0x03, 0x00, 0xFE] }
        let long = (user - 8) / 8
        return [magic, 0x40, 0x00, features, 0, 0, UInt8(long >> 8), UInt8(long & 0xFF), 0x03, 0x00, 0xFE]
    }
}
