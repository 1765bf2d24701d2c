// Which blocks of a Type 5 Tag are locked — ISO/IEC 15693-3, Block Security Status
import ReaderInterface

/// The security status of blocks, as far as it was read, and how the tag tells it.
struct Type5SecurityStatus {
    /// How a tag tells the status of its blocks.
    enum Way {
        /// By Get Multiple Block Security Status, as far as that was tried.
        case command
        /// With each block, when the option flag of READ SINGLE BLOCK is set.
        case option
        /// Not at all.
        case none
    }

    private static let lockBit: UInt8 = 0x01

    var way = Way.command
    /// Whether the tag told the status of a block.
    private(set) var isTold = false
    private var bytes: [Int: UInt8] = [:]

    subscript(block: Int) -> UInt8? {
        get { bytes[block] }
        set {
            bytes[block] = newValue
            if newValue != nil { isTold = true }
        }
    }

    mutating func forget(_ blocks: some Sequence<Int>) {
        for block in blocks { bytes[block] = nil }
    }

    mutating func forgetAll() { bytes = [:] }

    /// Whether a block is locked; `nil` where it is not known.
    func isLocked(_ block: Int) -> Bool? { bytes[block].map { $0 & Self.lockBit != 0 } }
}

extension Type5Memory {
    /// Whether a block is locked; `nil` when the tag does not tell.
    func isLocked(_ block: Int) throws(TagError) -> Bool? {
        try loadStatus(block...block)
        return status.isLocked(block)
    }

    /// The number of blocks whose status one exchange tells.
    var statusRunLength: Int { max(1, min(channel.maxResponseLength - 1, Self.shortBlockCount)) }

    /// Reads the status of those blocks of the range for which it is not known; of a tag that does not tell, nothing.
    func loadStatus(_ range: ClosedRange<Int>) throws(TagError) {
        var next = range.lowerBound
        while next <= range.upperBound {
            guard status[next] == nil else {
                next += 1
                continue
            }
            switch status.way {
            case .command:
                var count = min(range.upperBound - next + 1, statusRunLength)
                if isShort(next), addressing == .standard { count = min(count, Self.shortBlockCount - next) }
                count = (1..<count).first { status[next + $0] != nil } ?? count
                if let found = try statusByCommand(next, count) {
                    for (block, byte) in zip(next..., found) { status[block] = byte }
                } else if status.isTold {
                    return
                } else {
                    status.way = .option
                }
            case .option:
                guard let byte = try statusByOption(next) else {
                    if !status.isTold { status.way = .none }
                    return
                }
                status[next] = byte
            case .none: return
            }
        }
    }

    /// At least one byte, for the first of the blocks.
    private func statusByCommand(_ block: Int, _ count: Int) throws(TagError) -> ArraySlice<UInt8>? {
        let code: ISO15693Command.Code =
            isShort(block) ? .getMultipleBlockSecurityStatus : .extendedGetMultipleBlockSecurityStatus
        guard let data = try ask(command(code, block, count: count)), !data.isEmpty else { return nil }
        return data.prefix(count)
    }

    private func statusByOption(_ block: Int) throws(TagError) -> UInt8? {
        guard blockSize > 0, let data = try ask(command(readCode(of: block), block, .option)),
            data.count == blockSize + 1
        else { return nil }
        return data[0]
    }
}
