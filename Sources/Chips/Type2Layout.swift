// The memory layout of a Type 2 Tag chip — NFC Forum T2T, Memory Structure; the chips' data sheets

/// The memory and the commands of a Type 2 Tag chip.
public struct Type2Layout: Hashable, Sendable {
    /// The features of a chip besides READ and WRITE.
    public struct Features: OptionSet, Hashable, Sendable {
        /// The feature bits.
        public let rawValue: Int

        /// Creates a set of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// FAST_READ.
        public static let fastRead = Features(rawValue: 1 << 0)
        /// READ_SIG.
        public static let signature = Features(rawValue: 1 << 1)
        /// The chip can show its UID as text in the memory.
        public static let uidMirror = Features(rawValue: 1 << 2)
        /// The NFC counter, which has number 2, and its mirror.
        public static let nfcCounter = Features(rawValue: 1 << 3)
        /// Three one-way counters with tearing flags.
        public static let threeCounters = Features(rawValue: 1 << 4)
        /// A 16-bit counter in a block, little-endian.
        public static let counterBlock = Features(rawValue: 1 << 5)
        /// The memory holds the UID without check bytes.
        public static let plainUID = Features(rawValue: 1 << 6)
    }

    /// The ranges of existing blocks in all sectors, in ascending order from block 0.
    ///
    /// Blocks between the ranges do not exist.
    public let blocks: [ClosedRange<Int>]
    /// The number of blocks for user data, starting with block 4.
    public let userBlockCount: Int
    /// The user memory that no capability container can cover, or `nil` if there is none.
    public let furtherUserBlocks: ClosedRange<Int>?
    /// The layout of the dynamic lock bits, or `nil` if none are known.
    public let dynamicLock: DynamicLockLayout?
    /// The protection with a password or key, or `nil` if there is none.
    public let protection: Type2Protection?
    /// The features of the chip.
    public let features: Features
    /// The blocks of the session registers.
    ///
    /// The registers are a copy of the configuration that the chip has used since power-up. Only the I²C side can
    /// change them.
    public let sessionRegisters: [Int]
    /// The configuration register block whose byte 2 is REG_LOCK, or `nil` if the chip has none.
    ///
    /// The bits of REG_LOCK can only be set.
    public let registerLockBlock: Int?
    /// The blocks with a secret that is not part of the protection: a kill password and the block that accepts it, or a
    /// second key; `nil` if there are none.
    public let killBlocks: ClosedRange<Int>?
    /// The blocks after the user memory that only the manufacturer writes.
    public let internalBlocks: [ClosedRange<Int>]

    init(
        _ blocks: [ClosedRange<Int>], user userBlockCount: Int, further: ClosedRange<Int>? = nil,
        lock: DynamicLockLayout? = nil, protection: Type2Protection? = nil, _ features: Features = [],
        sessionRegisters: [Int] = [], registerLock: Int? = nil, kill: ClosedRange<Int>? = nil,
        internal: [ClosedRange<Int>] = []
    ) {
        (self.blocks, self.userBlockCount, furtherUserBlocks) = (blocks, userBlockCount, further)
        (dynamicLock, self.protection, self.features) = (lock, protection, features)
        (self.sessionRegisters, registerLockBlock) = (sessionRegisters, registerLock)
        (killBlocks, internalBlocks) = (kill, `internal`)
    }

    /// The number of blocks in a sector.
    ///
    /// READ and WRITE can address only the blocks of the selected sector.
    public static let sectorBlockCount = 256

    /// The number of the last existing block plus 1.
    ///
    /// Block numbers in the gaps between the ranges are also counted.
    public var blockCount: Int { (blocks.last?.upperBound ?? -1) + 1 }
    /// The first block after the user data blocks of the data area.
    public var userEnd: Int { 4 + userBlockCount }
    /// The block with the one-way counter, or `nil` if there is none.
    public var counterBlock: Int? {
        features.contains(.counterBlock) ? dynamicLock.map { $0.blocks.upperBound + 1 } : nil
    }
    /// The block after the last one that AUTH0 can name; AUTH0 reaches only sector 0.
    public var protectableEnd: Int {
        (blocks.last { $0.lowerBound < Self.sectorBlockCount }).map {
            min($0.upperBound + 1, Self.sectorBlockCount)
        } ?? 0
    }

    /// Returns the run of existing blocks that begins with `block`, or with the next existing block after it; `nil` if
    /// there is none.
    public func run(from block: Int) -> ClosedRange<Int>? {
        blocks.first { $0.upperBound >= block }.map { max($0.lowerBound, block)...$0.upperBound }
    }

    /// Whether users must never write a block, because the chip refuses the write or the write kills the tag.
    public func isUntouchable(_ block: Int) -> Bool {
        killBlocks?.contains(block) ?? false || internalBlocks.contains { $0.contains(block) }
    }
}

/// The format of a Type 2 Tag chip as an NDEF tag.
public struct Type2Formatting: Hashable, Sendable {
    /// The length of the data area in units of 8 bytes: byte 2 of the capability container.
    public let dataAreaSize: UInt8
    /// The value of NXP's Lock Control TLV, 3 bytes, or `nil` if the chip has none.
    public let lockControl: [UInt8]?
    /// Whether the manufacturer delivers the chip in this format.
    ///
    /// nfctool also uses this format for blank chips of the model.
    public let isDelivered: Bool

    init(_ dataAreaSize: UInt8, lockControl: [UInt8]? = nil, isDelivered: Bool = true) {
        (self.dataAreaSize, self.lockControl, self.isDelivered) = (dataAreaSize, lockControl, isDelivered)
    }

    /// The TLVs of the data area: the Lock Control TLV if the chip has one, and an empty message.
    public var tlvs: [UInt8] { (lockControl.map { [0x01, 0x03] + $0 } ?? []) + [0x03, 0x00, 0xFE] }

    /// The maximum length of a message in bytes.
    ///
    /// The head of the TLV takes 2 bytes, or 4 for messages of 255 bytes or more.
    public var capacity: Int {
        let free = 8 * Int(dataAreaSize) - (lockControl.map { 2 + $0.count } ?? 0)
        return max(free - 4, min(free - 2, 254))
    }
}
