// The properties that distinguish ISO 15693 chips

/// A chip that is available as a virtual tag.
public struct ISO15693Chip: Hashable, Sendable, CustomStringConvertible {
    /// How a chip treats the option flag in writes and locks.
    enum WriteOption: Hashable, Sendable {
        /// The flag may be set or not, as in the standard.
        case allowed
        /// The chip answers with error 03 if the flag is not set.
        case required
        /// The chip answers with error 03 if the flag is set.
        case refused
    }

    /// The bits for the fields in the answer to Get System Information, b1 to b4 — ISO/IEC 15693-3, 10.4.12.
    enum Information {
        static let dsfid: UInt8 = 0x01
        static let afi: UInt8 = 0x02
        static let memorySize: UInt8 = 0x04
        static let icReference: UInt8 = 0x08
        static let all: UInt8 = 0x0F
    }

    /// The groups of chips with the same custom commands.
    enum Family: Hashable, Sendable {
        case none, slix, slixL, slix2, st25DV
    }

    /// The name on the command line.
    public let id: String
    /// The name in data sheets.
    public let name: String
    /// The first bytes of the chip's UIDs: E0, the manufacturer code, and the manufacturer's product bytes.
    let uidPrefix: [UInt8]
    /// The number of bytes in a block.
    public let blockSize: Int
    /// The number of blocks.
    public let blockCount: Int
    let icReference: UInt8
    /// The card name (NN) in the ATR that readers create for the chip.
    var cardName: UInt16 = 0x0000
    let commands: Set<UInt8>
    /// The fields in the answer to Get System Information.
    ///
    /// The extended form can contain all fields.
    var information = Information.all
    /// The maximum number of blocks in one read; nil for no limit.
    var longestRead: Int?
    /// The number of blocks in a sector, if reads cannot cross sector boundaries; nil otherwise.
    var sectorSize: Int?
    /// Whether a read that exceeds the memory returns the existing blocks instead of error 10.
    var truncatesReads = false
    var writeOption = WriteOption.allowed
    /// Whether commands for blocks need two-byte block numbers and the protocol extension flag, as on old ST chips.
    var usesProtocolExtension = false
    /// The blocks that LOCK BLOCK can lock; nil for all blocks.
    var lockableBlocks: Range<Int>?
    /// The maximum number of blocks in one Write Multiple Blocks; nil for no limit.
    var longestWrite: Int?
    var family = Family.none
    /// The programming time for one command.
    ///
    /// The standard permits up to 20 ms.
    var programmingTime = Duration.milliseconds(5)
    /// The first bytes of the memory at delivery.
    ///
    /// The other bytes are zero.
    var factoryBytes: [UInt8] = []

    /// The name on the command line.
    public var description: String { id }

    /// The size of the memory in bytes.
    public var size: Int { blockSize * blockCount }

    /// The number of the block with the counter, which is the last block; nil for a chip without a counter.
    var counterBlock: Int? { family == .slix2 ? blockCount - 1 : nil }

    var userBlocks: Int { counterBlock ?? blockCount }

    /// A capability container and an empty message, to be stored from block 0 on, as in NFC Forum Type 5 Tags.
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
