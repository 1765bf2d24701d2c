// Dynamic lock bits of Type 2 Tags — NFC Forum T2T, Dynamic Lock Bytes; NXP data sheets

/// The positions of dynamic lock bits and the blocks that each of them locks, from block 16 on.
public struct DynamicLockLayout: Hashable, Sendable {
    /// The byte address of the first lock byte.
    public let address: Int
    /// The position of each lock bit, counted from bit 0 of the first lock byte.
    public let positions: [Int]
    /// The number of blocks that one bit locks.
    public let blocksPerBit: Int
    /// The first block that the bits do not cover, even if ``blocksPerBit`` would let the last bit reach it.
    public let end: Int
    /// The block-locking bits as a mask over the lock bytes, or empty if there are none or they are not known.
    public let blockLocking: [UInt8]
    /// For each lock bit in ``positions``, the position of the block-locking bit that freezes it when set.
    ///
    /// The list is empty if the positions are not known.
    public let freezers: [Int]
    /// For each block after the user memory that a bit locks, the position of that bit.
    public let further: [Int: Int]

    /// The first block that dynamic lock bits cover.
    ///
    /// Earlier blocks have static lock bits.
    public static let firstBlock = 16

    /// The number of lock bits for user memory.
    public var bitCount: Int { positions.count }
    /// The number of bytes that the bits occupy.
    public var byteCount: Int { max(positions.max() ?? 0, further.values.max() ?? 0) / 8 + 1 }
    /// The blocks that the bits occupy.
    public var blocks: ClosedRange<Int> { address / 4...(address + byteCount - 1) / 4 }

    /// Creates contiguous lock bits at the start of a block, with block-locking bits in byte 2 of that block.
    ///
    /// Each block-locking bit freezes two lock bits. On an NTAG213, for example, bit BL 16-19 freezes the lock bits of
    /// blocks 16-17 and 18-19 — NXP data sheets, dynamic lock bytes.
    init(block: Int, bitCount: Int, blocksPerBit: Int, blockLocking: UInt8, end: Int) {
        self.init(
            address: block * 4, positions: Array(0..<bitCount), blocksPerBit: blocksPerBit,
            blockLocking: [0, 0, blockLocking], end: end, freezers: (0..<bitCount).map { 16 + $0 / 2 })
    }

    /// Creates contiguous lock bits at a byte address.
    public init(address: Int, bitCount: Int, blocksPerBit: Int) {
        self.init(
            address: address, positions: Array(0..<bitCount), blocksPerBit: blocksPerBit,
            end: Self.firstBlock + bitCount * blocksPerBit)
    }

    init(
        address: Int, positions: [Int], blocksPerBit: Int, blockLocking: [UInt8] = [], end: Int,
        freezers: [Int] = [], further: [Int: Int] = [:]
    ) {
        self.address = address
        self.positions = positions
        self.blocksPerBit = max(1, blocksPerBit)
        self.blockLocking = blockLocking
        self.end = end
        self.freezers = freezers
        self.further = further
    }

    /// Returns the position of the bit that locks `block`, or `nil` if there is none.
    public func bit(of block: Int) -> Int? {
        if let position = further[block] { return position }
        guard Self.firstBlock..<end ~= block else { return nil }
        let index = (block - Self.firstBlock) / blocksPerBit
        return index < positions.count ? positions[index] : nil
    }

    /// Returns the position of the bit that freezes the lock bit of `block`, or `nil` if none is known.
    public func freezer(of block: Int) -> Int? {
        guard let bit = bit(of: block), let index = positions.firstIndex(of: bit) else { return nil }
        return index < freezers.count ? freezers[index] : nil
    }

    /// The lock bytes in which every bit that locks user memory is set.
    public var lockBits: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (positions.max() ?? 0) / 8 + 1)
        for position in positions { bytes[position / 8] |= 1 << UInt8(position % 8) }
        return bytes
    }
}
