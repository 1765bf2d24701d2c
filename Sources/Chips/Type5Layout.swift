// The memory layout of an ISO 15693 chip, and its locks — the chips' data sheets

/// The memory of an ISO 15693 chip.
public struct Type5Layout: Hashable, Sendable {
    /// The effect of LOCK BLOCK.
    public enum Lock: Hashable, Sendable {
        /// The command locks any block permanently.
        case anyBlock
        /// The command is not supported, or locks only the first blocks. Areas or sectors have separate locks.
        case notData
    }

    /// The number of bytes in a block.
    public let blockLength: Int
    /// The number of blocks.
    public let blockCount: Int
    /// The number of blocks of ordinary memory, starting with block 0.
    ///
    /// A counter is not included.
    public let plainBlockCount: Int
    /// The effect of LOCK BLOCK, or `nil` if only the capability container of the tag shows it.
    public let lock: Lock?
    /// Whether writes and locks need the option flag.
    ///
    /// If so, the tag answers only after a separate end of frame.
    public let wantsOption: Bool
    /// The number of blocks in a sector, whose boundary a READ MULTIPLE BLOCKS must not cross, or `nil` for no limit.
    public let sectorBlockCount: Int?
    /// Whether a password can protect pages of the memory.
    ///
    /// GET NXP SYSTEM INFORMATION reports which pages the password protects.
    public let hasPages: Bool

    init(
        _ blockCount: Int, of blockLength: Int = 4, plain: Int? = nil, lock: Lock?, wantsOption: Bool = false,
        sector sectorBlockCount: Int? = nil, hasPages: Bool = false
    ) {
        self.hasPages = hasPages
        self.sectorBlockCount = sectorBlockCount
        (self.blockLength, self.blockCount, plainBlockCount) = (blockLength, blockCount, plain ?? blockCount)
        (self.lock, self.wantsOption) = (lock, wantsOption)
    }

    /// Whether the number of blocks in the system information matches this chip, with or without a counter at the end.
    func hasBlockCount(_ count: Int) -> Bool { plainBlockCount...blockCount ~= count }

    /// The maximum length in bytes of a message on a chip that nfctool formats.
    ///
    /// The data area follows the capability container.
    public var capacity: Int { Type5Formatting(blockCount: blockCount, blockLength: blockLength).capacity }
}

/// The format of a blank ISO 15693 chip as an NDEF tag.
public struct Type5Formatting: Hashable, Sendable {
    /// The length of the capability container in bytes, 4 or 8.
    public let containerLength: Int
    /// MLEN: the length of the data area in units of 8 bytes, 1…1024.
    public let mlen: Int
    /// Whether block numbers have 2 bytes, so that the magic number is E2.
    public let isExtended: Bool

    /// Plans the format of a memory of this size.
    public init(blockCount: Int, blockLength: Int) {
        let units = blockCount * blockLength / 8
        mlen = units - 1
        containerLength = units >= 256 ? 8 : 4
        isExtended = blockCount > 256
    }

    /// The maximum length of a message in bytes.
    ///
    /// The head of the TLV takes 2 bytes, or 4 for messages of 255 bytes or more.
    public var capacity: Int { max(0, max(8 * mlen - 4, min(8 * mlen - 2, 254))) }
}
