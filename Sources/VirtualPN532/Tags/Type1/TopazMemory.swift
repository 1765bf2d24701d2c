// Memory of a Topaz tag with its lock bits — NFC Forum Type 1 Tag, static and dynamic memory structure

/// The non-volatile memory of a Topaz tag.
///
/// Block 0 contains the UID. The data area consists of blocks 1 to C, and on a Topaz 512 also of blocks 10 to 3F. Block
/// D is reserved. Block E contains LOCK-0, LOCK-1 and six OTP bytes. On a Topaz 512, block F contains two reserved
/// bytes and the dynamic lock bits.
struct TopazMemory: Hashable, Sendable {
    static let blockSize = 8
    /// The number of bytes in blocks 0 to E, which RALL returns.
    static let staticSize = 15 * blockSize
    static let segmentSize = 16 * blockSize
    private static let reservedBlock = 0x0D
    private static let lockBlock = 0x0E
    private static let dynamicLockBlock = 0x0F
    /// The offset of the dynamic lock bits in block F, after two reserved bytes.
    private static let dynamicLockOffset = 2

    let chip: TopazChip
    private(set) var bytes: [UInt8]

    /// Creates the memory in delivery state, optionally formatted for NDEF.
    ///
    /// `uid` has 7 bytes, of which the last is the manufacturer code.
    init(chip: TopazChip, uid: [UInt8], isFormatted: Bool) {
        self.chip = chip
        bytes = [UInt8](repeating: 0, count: chip.blockCount * Self.blockSize)
        store(uid, at: 0)
        store(chip.reservedAndLocks, at: Self.reservedBlock * Self.blockSize)
        if isFormatted { store(chip.formatted, at: Self.blockSize) }
    }

    /// The bytes in `range`.
    ///
    /// Bytes that are not in the memory read as zero.
    subscript(range: Range<Int>) -> [UInt8] {
        range.map { bytes.indices.contains($0) ? bytes[$0] : 0x00 }
    }

    /// Writes bytes regardless of locks, as in the factory.
    ///
    /// Bytes that do not fit into the memory are dropped.
    mutating func store(_ content: some Collection<UInt8>, at address: Int) {
        for (index, byte) in zip(bytes.indices.dropFirst(address), content) { bytes[index] = byte }
    }

    /// Whether WRITE-E and WRITE-E8 may change a block.
    func canErase(_ block: Int) -> Bool { !isOneTimeProgrammable(block) && !isLocked(block) }

    /// Whether WRITE-NE and WRITE-NE8 may change a block.
    ///
    /// In blocks E and F, these commands can set bits but never clear them.
    func canSetBits(_ block: Int) -> Bool { isOneTimeProgrammable(block) || !isLocked(block) }

    private func isOneTimeProgrammable(_ block: Int) -> Bool {
        block == Self.lockBlock || chip.isDynamic && block == Self.dynamicLockBlock
    }

    /// Whether the lock bit of a block is set.
    ///
    /// LOCK-0 and LOCK-1 contain the bits for blocks 0 to F. Block F contains those for the blocks from 10 on.
    private func isLocked(_ block: Int) -> Bool {
        guard (0..<chip.blockCount).contains(block) else { return false }
        let (first, bit) =
            block <= Self.dynamicLockBlock
            ? (Self.lockBlock * Self.blockSize, block)
            : (Self.dynamicLockBlock * Self.blockSize + Self.dynamicLockOffset, block - Self.dynamicLockBlock - 1)
        return bytes[first + bit / 8] >> UInt8(bit % 8) & 1 == 1
    }
}
