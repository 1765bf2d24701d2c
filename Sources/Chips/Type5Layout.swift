// Where everything is in the memory of an ISO 15693 chip, and how it locks — the chips' data sheets

/// The memory of an ISO 15693 chip.
public struct Type5Layout: Hashable, Sendable {
    /// What LOCK BLOCK does.
    public enum Lock: Hashable, Sendable {
        /// It locks any block permanently.
        case anyBlock
        /// It is not there, or locks the first blocks only: areas or sectors have locks of their own.
        case notData
    }

    /// The number of bytes in a block.
    public let blockLength: Int
    /// The number of blocks.
    public let blockCount: Int
    /// The number of blocks from 0 on that are plain memory: a counter is not.
    public let plainBlockCount: Int
    /// What LOCK BLOCK does; `nil` where only the tag's capability container says.
    public let lock: Lock?
    /// Whether writes and locks want the option flag; the tag answers after an end of frame of its own then.
    public let wantsOption: Bool
    /// The number of blocks that one READ MULTIPLE BLOCKS must not go beyond, from a multiple of it on; `nil` for no limit.
    public let sectorBlockCount: Int?

    init(
        _ blockCount: Int, of blockLength: Int = 4, plain: Int? = nil, lock: Lock?, wantsOption: Bool = false,
        sector sectorBlockCount: Int? = nil
    ) {
        self.sectorBlockCount = sectorBlockCount
        (self.blockLength, self.blockCount, plainBlockCount) = (blockLength, blockCount, plain ?? blockCount)
        (self.lock, self.wantsOption) = (lock, wantsOption)
    }

    /// Whether a number of blocks in the system information is that of this chip, with or without a counter at its end.
    func hasBlockCount(_ count: Int) -> Bool { plainBlockCount...blockCount ~= count }

    /// The length of the longest message, as nfctool formats the chip: the data area comes after the capability container.
    public var capacity: Int { Type5Formatting(blockCount: blockCount, blockLength: blockLength).capacity }
}

/// How a blank ISO 15693 chip is made an NDEF tag.
public struct Type5Formatting: Hashable, Sendable {
    /// The length of the capability container in bytes, 4 or 8.
    public let containerLength: Int
    /// MLEN: the length of the data area in units of 8 bytes, 1…1024.
    public let mlen: Int
    /// Whether block numbers take 2 bytes, magic number E2.
    public let isExtended: Bool

    /// Plans the format of a memory.
    public init(blockCount: Int, blockLength: Int) {
        let units = blockCount * blockLength / 8
        mlen = units - 1
        containerLength = units >= 256 ? 8 : 4
        isExtended = blockCount > 256
    }

    /// The length of the longest message: its TLV has 2 bytes before it, or 4 from 255 bytes on.
    public var capacity: Int { max(0, max(8 * mlen - 4, min(8 * mlen - 2, 254))) }
}
