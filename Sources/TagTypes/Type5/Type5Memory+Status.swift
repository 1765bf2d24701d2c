// The lock status of the blocks of a Type 5 Tag — ISO/IEC 15693-3, Block Security Status
import ReaderInterface

/// The security status of blocks, as far as it has been read, and the way in which the tag reports it.
struct Type5SecurityStatus {
    enum Way {
        /// With Get Multiple Block Security Status, which is tried first.
        case command
        /// With each block that is read with the option flag.
        case option
        /// The tag does not report the status.
        case none
    }

    private static let lockBit: UInt8 = 0x01

    var way = Way.command
    /// Whether the tag has reported the status of any block.
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

    /// Whether a block is locked, or `nil` if that is not known.
    func isLocked(_ block: Int) -> Bool? { bytes[block].map { $0 & Self.lockBit != 0 } }
}

extension Type5Memory {
    /// Returns whether a block is locked, or `nil` if the tag does not report it.
    func isLocked(_ block: Int) throws(TagError) -> Bool? {
        try loadStatus(block...block)
        return status.isLocked(block)
    }

    /// The number of blocks whose status one exchange can report.
    var statusRunLength: Int { max(1, min(channel.maxResponseLength - 1, Self.shortBlockCount)) }

    /// Reads the status of the blocks in the range for which it is not known yet.
    ///
    /// If the tag does not report the status, the status stays unknown. Stops after `answers` answers that contain a
    /// status.
    func loadStatus(_ range: ClosedRange<Int>, answers: Int = .max) throws(TagError) {
        var (next, answers) = (range.lowerBound, answers)
        while next <= range.upperBound, answers > 0 {
            guard status[next] == nil else {
                next += 1
                continue
            }
            var count = min(range.upperBound - next + 1, statusRunLength)
            if isShort(next), addressing == .standard { count = min(count, Self.shortBlockCount - next) }
            count = (1..<count).first { status[next + $0] != nil } ?? count
            switch status.way {
            case .command:
                if let found = try statusByCommand(next, count) {
                    for (block, byte) in zip(next..., found) { status[block] = byte }
                    answers -= 1
                } else if status.isTold {
                    return
                } else {
                    status.way = .option
                }
            case .option:
                guard try readWithStatus(next, count) else {
                    if !status.isTold { status.way = .none }
                    return
                }
                answers -= 1
            case .none: return
            }
        }
    }

    /// Returns the status of the first block and of the following blocks that the tag reported with it, or `nil`
    /// without a valid answer.
    private func statusByCommand(_ block: Int, _ count: Int) throws(TagError) -> ArraySlice<UInt8>? {
        let code: ISO15693Command.Code =
            isShort(block) ? .getMultipleBlockSecurityStatus : .extendedGetMultipleBlockSecurityStatus
        guard let data = try ask(command(code, block, count: count), count: count), !data.isEmpty else { return nil }
        return data.prefix(count)
    }

    /// Reads blocks with the option flag, with which the tag puts the status before each block.
    ///
    /// Returns whether this worked.
    private func readWithStatus(_ block: Int, _ count: Int) throws(TagError) -> Bool {
        guard blockSize > 0 else { return false }
        let size = blockSize + 1
        let run = min(count, runLength(from: block), max(1, (channel.maxResponseLength - 1) / size))
        if run > 1 {
            let code = isShort(block) ? ISO15693Command.Code.readMultipleBlocks : .extendedReadMultipleBlocks
            // A tag that ignores the flag answers with as many bytes as without it.
            if let data = try ask(command(code, block, count: run, .option), count: run * size),
                data.count == run * size
            {
                for index in 0..<run { status[block + index] = data[index * size] }
                return true
            }
        }
        guard let data = try ask(command(readCode(of: block), block, .option), count: size), data.count == size else {
            return false
        }
        status[block] = data[0]
        return true
    }
}
