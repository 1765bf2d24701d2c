// Memory of a Topaz tag with its lock bits — NFC Forum Type 1 Tag, static and dynamic memory structure

/// All that a Topaz tag keeps without power.
///
/// Block 0 is the UID; blocks 1 to C are the data area, on a Topaz 512 blocks 10 to 3F too; block D is reserved; block
/// E holds LOCK-0, LOCK-1 and six OTP bytes; block F, on a Topaz 512, two reserved bytes and the dynamic lock bits.
struct TopazMemory: Hashable, Sendable {
    static let blockSize = 8
    /// RALL shows the blocks 0 to E.
    static let staticSize = 15 * blockSize
    static let segmentSize = 16 * blockSize
    private static let reservedBlock = 0x0D
    private static let lockBlock = 0x0E
    private static let dynamicLockBlock = 0x0F
    /// Before the dynamic lock bits, block F has two reserved bytes.
    private static let dynamicLockOffset = 2

    let chip: TopazChip
    private(set) var bytes: [UInt8]

    /// Memory as delivered by the factory, and formatted for NDEF or not.
    ///
    /// The UID has 7 bytes, the last of them the manufacturer's code.
    init(chip: TopazChip, uid: [UInt8], isFormatted: Bool) {
        self.chip = chip
        bytes = [UInt8](repeating: 0, count: chip.blockCount * Self.blockSize)
        store(uid, at: 0)
        store(chip.reservedAndLocks, at: Self.reservedBlock * Self.blockSize)
        if isFormatted { store(chip.formatted, at: Self.blockSize) }
    }

    /// The bytes of `range`; beyond the memory there are zeros.
    subscript(range: Range<Int>) -> [UInt8] {
        range.map { bytes.indices.contains($0) ? bytes[$0] : 0x00 }
    }

    /// Puts bytes into the memory as the factory can: past locks, and only as far as the memory goes.
    mutating func store(_ content: some Collection<UInt8>, at address: Int) {
        for (index, byte) in zip(bytes.indices.dropFirst(address), content) { bytes[index] = byte }
    }

    /// Whether WRITE-E and WRITE-E8 may change a block.
    func canErase(_ block: Int) -> Bool { !isOneTimeProgrammable(block) && !isLocked(block) }

    /// Whether WRITE-NE and WRITE-NE8 may change a block: bits of the blocks E and F can be set, never cleared.
    func canSetBits(_ block: Int) -> Bool { isOneTimeProgrammable(block) || !isLocked(block) }

    private func isOneTimeProgrammable(_ block: Int) -> Bool {
        block == Self.lockBlock || chip.isDynamic && block == Self.dynamicLockBlock
    }

    /// The lock bit of a block: LOCK-0 and LOCK-1 have one for each of the blocks 0 to F, block F those from 10 on.
    private func isLocked(_ block: Int) -> Bool {
        guard (0..<chip.blockCount).contains(block) else { return false }
        let (first, bit) =
            block <= Self.dynamicLockBlock
            ? (Self.lockBlock * Self.blockSize, block)
            : (Self.dynamicLockBlock * Self.blockSize + Self.dynamicLockOffset, block - Self.dynamicLockBlock - 1)
        return bytes[first + bit / 8] >> UInt8(bit % 8) & 1 == 1
    }
}
