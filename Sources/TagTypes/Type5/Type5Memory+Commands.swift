// Block numbers in commands, and single exchanges with a Type 5 Tag — ISO/IEC 15693-3, Request Format

import ReaderInterface

extension Type5Memory {
    /// Whether the basic form of a command can address a block.
    func isShort(_ block: Int) -> Bool { block < Self.shortBlockCount || addressing == .protocolExtension }

    func readCode(of block: Int) -> ISO15693Command.Code {
        isShort(block) ? .readSingleBlock : .extendedReadSingleBlock
    }

    func writeCode(of block: Int) -> ISO15693Command.Code {
        isShort(block) ? .writeSingleBlock : .extendedWriteSingleBlock
    }

    func lockCode(of block: Int) -> ISO15693Command.Code { isShort(block) ? .lockBlock : .extendedLockBlock }

    /// Creates a command without block data, for one block or, with `count`, for a run of blocks.
    func command(
        _ code: ISO15693Command.Code, _ block: Int, count: Int? = nil, _ flags: ISO15693Command.Flags = []
    ) -> ISO15693Command {
        // On older ST chips, READ MULTIPLE BLOCKS takes a one-byte number of blocks.
        let isShort = code == .readMultipleBlocks
        let parameters = number(block, in: code) + (count.map { number($0 - 1, in: code, isShort: isShort) } ?? [])
        return ISO15693Command(code, parameters, flags.union(format))
    }

    /// Creates a command that programs the memory.
    func command(_ code: ISO15693Command.Code, _ block: Int, _ bytes: [UInt8]) -> ISO15693Command {
        ISO15693Command(code, number(block, in: code) + bytes, format.union(wantsOption ? .option : []))
    }

    private var format: ISO15693Command.Flags { addressing == .protocolExtension ? .protocolExtension : [] }

    /// Encodes a number as the command expects it: one byte, or two with the low byte first.
    private func number(_ number: Int, in code: ISO15693Command.Code, isShort: Bool = false) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: number)
        let isLong = code.isExtended || addressing == .protocolExtension && !isShort
        return isLong ? [low, UInt8(truncatingIfNeeded: number >> 8)] : [low]
    }

    /// The byte address of a block, for errors.
    func offset(of block: Int) -> Int { block * blockSize }

    /// Sends a command once.
    func exchange(
        _ command: ISO15693Command, timeout: Duration = Type5Memory.timeout(forAnswerOf: 0)
    ) throws(TagError) -> ISO15693Answer {
        let frame = command.frame(to: uid)
        let answer = try onReader { () throws(ReaderError) in
            try channel.transceive(frame, framing: .raw, timeout: timeout)
        }
        return try ISO15693Answer(answer)
    }

    /// Sends a command that some tags do not support and some readers cannot send.
    ///
    /// Returns `nil` if the reader cannot send the command, or if there is no valid answer. `count` is the length of
    /// the expected answer in bytes; a long answer extends the timeout.
    func ask(_ command: ISO15693Command, count: Int = 0) throws(TagError) -> [UInt8]? {
        guard channel.carries(command.frame(to: uid), framing: .raw) else { return nil }
        do throws(TagError) {
            let answer = try insist(on: "\(command.code)", patience: .optional) { _ throws(TagError) in
                try exchange(command, timeout: Self.timeout(forAnswerOf: count))
            }
            guard case .data(let data) = answer else { return nil }
            return data
        } catch .noReliableAnswer {
            return nil
        } catch .protocolViolation {
            return nil
        }
    }
}

extension ISO15693Command.Code {
    /// Whether block numbers take two bytes.
    fileprivate var isExtended: Bool { 0x30...0x3F ~= rawValue }
}

extension Type5Memory: ReselectableMemory {
    func reselect() throws(TagError) {
        try onReader { () throws(ReaderError) in try channel.reselect() }
    }

    /// Always true, because answers have a CRC.
    var isAcknowledgementChecked: Bool { true }

    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]] {
        let blocks = spans.map { $0.address / max(1, blockSize) }
        let missing = blocks.filter { cached($0) == nil }.sorted()
        // Only runs of missing blocks are read, not the blocks between them.
        for block in missing where cached(block) == nil {
            var last = block
            while missing.contains(last + 1) { last += 1 }
            try load(block...last)
        }
        return blocks.map { cached($0) ?? [] }
    }

    func forget(_ spans: [Span]) { forget(spans.map { $0.address / max(1, blockSize) }) }

    func write(_ bytes: [UInt8], at address: Int) throws(TagError) { try write(bytes, to: address / max(1, blockSize)) }
}
