// Where everything is in the memory of a Type 2 Tag chip — NFC Forum T2T, Memory Structure; the chips' data sheets

/// The memory and the commands of a Type 2 Tag chip.
public struct Type2Layout: Hashable, Sendable {
    /// What a chip can do beyond READ and WRITE.
    public struct Features: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Makes a set of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// FAST_READ.
        public static let fastRead = Features(rawValue: 1 << 0)
        /// READ_SIG.
        public static let signature = Features(rawValue: 1 << 1)
        /// The UID shows as text in the memory.
        public static let uidMirror = Features(rawValue: 1 << 2)
        /// The NFC counter, number 2, and its mirror.
        public static let nfcCounter = Features(rawValue: 1 << 3)
        /// Three one-way counters with tearing flags.
        public static let threeCounters = Features(rawValue: 1 << 4)
        /// A 16-bit counter in a block, little-endian.
        public static let counterBlock = Features(rawValue: 1 << 5)
        /// The UID is in the memory without check bytes.
        public static let plainUID = Features(rawValue: 1 << 6)
    }

    /// The blocks that exist, over all sectors, ascending from 0; what lies between is invalid.
    public let blocks: [ClosedRange<Int>]
    /// The number of blocks for user data, from block 4.
    public let userBlockCount: Int
    /// User memory that no capability container can reach.
    public let furtherUserBlocks: ClosedRange<Int>?
    /// Where the dynamic lock bits are.
    public let dynamicLock: DynamicLockLayout?
    /// How a password or a key protects the memory, `nil` when nothing does.
    public let protection: Type2Protection?
    /// What the chip can do.
    public let features: Features
    /// The registers in force since power-up, a copy of the configuration that only the I2C side changes.
    public let sessionRegisters: [Int]
    /// The configuration register block whose byte 2 is REG_LOCK: bits that can only be set.
    public let registerLockBlock: Int?
    /// The blocks with a secret that the chip has besides its protection, such as a password that kills the tag and the
    /// block that takes it, or a second key.
    public let killBlocks: ClosedRange<Int>?
    /// The blocks after the user memory that only the maker writes.
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

    /// The number of blocks of a sector, all that READ and WRITE can address at a time.
    public static let sectorBlockCount = 256

    /// The number of blocks from 0 to the last one that exists.
    public var blockCount: Int { (blocks.last?.upperBound ?? -1) + 1 }
    /// The block after those for user data of the data area.
    public var userEnd: Int { 4 + userBlockCount }
    /// The block with the one-way counter.
    public var counterBlock: Int? {
        features.contains(.counterBlock) ? dynamicLock.map { $0.blocks.upperBound + 1 } : nil
    }
    /// The block after those that AUTH0 can name, all of them in sector 0.
    public var protectableEnd: Int {
        (blocks.last { $0.lowerBound < Self.sectorBlockCount }).map {
            min($0.upperBound + 1, Self.sectorBlockCount)
        } ?? 0
    }

    /// The run of existing blocks that `block` is in, or the next one after it.
    public func run(from block: Int) -> ClosedRange<Int>? {
        blocks.first { $0.upperBound >= block }.map { max($0.lowerBound, block)...$0.upperBound }
    }

    /// Whether a block is nothing that a user writes: what a write does there is refused, or kills the tag.
    public func isUntouchable(_ block: Int) -> Bool {
        killBlocks?.contains(block) ?? false || internalBlocks.contains { $0.contains(block) }
    }
}

/// How a Type 2 Tag chip is made an NDEF tag.
public struct Type2Formatting: Hashable, Sendable {
    /// The length of the data area in units of 8 bytes: byte 2 of the capability container.
    public let dataAreaSize: UInt8
    /// The value of NXP's Lock Control TLV, 3 bytes; `nil` where the chip has none.
    public let lockControl: [UInt8]?
    /// Whether the maker delivers the chip so; a blank chip is formatted so.
    public let isDelivered: Bool

    init(_ dataAreaSize: UInt8, lockControl: [UInt8]? = nil, isDelivered: Bool = true) {
        (self.dataAreaSize, self.lockControl, self.isDelivered) = (dataAreaSize, lockControl, isDelivered)
    }

    /// The TLVs of the data area: the Lock Control TLV where the chip has one, and an empty message.
    public var tlvs: [UInt8] { (lockControl.map { [0x01, 0x03] + $0 } ?? []) + [0x03, 0x00, 0xFE] }

    /// The length in bytes of the longest message: its TLV has 2 bytes before it, or 4 from 255 bytes on.
    public var capacity: Int {
        let free = 8 * Int(dataAreaSize) - (lockControl.map { 2 + $0.count } ?? 0)
        return max(free - 4, min(free - 2, 254))
    }
}
