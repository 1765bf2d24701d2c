// Dynamic lock bits of Type 2 Tags — NFC Forum T2T, Dynamic Lock Bytes; NXP data sheets

/// Where dynamic lock bits are and what each of them locks, from block 16 on.
public struct DynamicLockLayout: Hashable, Sendable {
    /// The byte address of the first lock byte.
    public let address: Int
    /// Where each lock bit is, counted from bit 0 of the first lock byte.
    public let positions: [Int]
    /// The number of blocks one bit locks.
    public let blocksPerBit: Int
    /// The first block the bits do not cover though the last one would reach it.
    public let end: Int
    /// The block-locking bits, laid over the lock bytes, on chips known to have them.
    public let blockLocking: [UInt8]
    /// The positions of the bits that lock blocks after the user memory.
    public let further: [Int: Int]

    /// The first block dynamic lock bits speak of; those before have static ones.
    public static let firstBlock = 16

    /// The number of lock bits for user memory.
    public var bitCount: Int { positions.count }
    /// The number of bytes the bits occupy.
    public var byteCount: Int { max(positions.max() ?? 0, further.values.max() ?? 0) / 8 + 1 }
    /// The blocks the bits occupy.
    public var blocks: ClosedRange<Int> { address / 4...(address + byteCount - 1) / 4 }

    /// Lock bits at the start of a block, one after the other, and block-locking bits in its byte 2.
    init(block: Int, bitCount: Int, blocksPerBit: Int, blockLocking: UInt8, end: Int) {
        self.init(
            address: block * 4, positions: Array(0..<bitCount), blocksPerBit: blocksPerBit,
            blockLocking: [0, 0, blockLocking], end: end)
    }

    /// Lock bits at a byte address, one after the other.
    public init(address: Int, bitCount: Int, blocksPerBit: Int) {
        self.init(
            address: address, positions: Array(0..<bitCount), blocksPerBit: blocksPerBit,
            end: Self.firstBlock + bitCount * blocksPerBit)
    }

    init(
        address: Int, positions: [Int], blocksPerBit: Int, blockLocking: [UInt8] = [], end: Int,
        further: [Int: Int] = [:]
    ) {
        self.address = address
        self.positions = positions
        self.blocksPerBit = max(1, blocksPerBit)
        self.blockLocking = blockLocking
        self.end = end
        self.further = further
    }

    /// The position of the bit that locks `block`, `nil` when none does.
    public func bit(of block: Int) -> Int? {
        if let position = further[block] { return position }
        guard Self.firstBlock..<end ~= block else { return nil }
        let index = (block - Self.firstBlock) / blocksPerBit
        return index < positions.count ? positions[index] : nil
    }

    /// The lock bytes with every bit set that locks user memory.
    public var lockBits: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (positions.max() ?? 0) / 8 + 1)
        for position in positions { bytes[position / 8] |= 1 << UInt8(position % 8) }
        return bytes
    }
}
