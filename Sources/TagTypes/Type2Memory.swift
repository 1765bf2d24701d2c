// Type 2 Tag commands over a cache of blocks — NFC Forum T2T (READ, WRITE), NXP NTAG21x (GET_VERSION, FAST_READ)
import NFCReader

/// The blocks of one activated Type 2 Tag, read once and then remembered.
///
/// Blocks are numbered through all sectors. A tag that answered NAK is reselected, and authenticated again, before the
/// next command.
final class Type2Memory {
    /// The number of blocks of a sector, all that READ and WRITE can address at a time.
    static let sectorBlockCount = 256
    /// How often a WRITE without an answer is repeated; writing the same bytes twice is harmless.
    private static let writeRetries = 3
    private static let readCommand: UInt8 = 0x30
    private static let writeCommand: UInt8 = 0xA2
    private static let fastReadCommand: UInt8 = 0x3A
    private static let getVersionCommand: UInt8 = 0x60

    let channel: any TagChannel
    /// The chip, when ``identify()`` found one it knows; FAST_READ is used then.
    private(set) var chip: Type2Chip?
    private(set) var version: [UInt8]?
    private var cache: [Int: [UInt8]] = [:]
    /// The sector that commands reach now; 0 after each activation.
    var sector = 0
    /// What opens the tag again after each activation, once it was proven.
    var credential: Type2Credential?
    /// The first block that could not be read though its neighbour below could: a password area begins there.
    private(set) var firstUnreadable: Int?

    init(channel: any TagChannel) {
        self.channel = channel
    }

    /// The number of blocks worth asking for in one exchange.
    var runLength: Int { hasFastRead ? max(1, channel.maxResponseLength / 4) : 4 }

    private var hasFastRead: Bool { chip?.features.contains(.fastRead) ?? false }

    /// The number of blocks that may exist.
    var blockCount: Int { chip?.blockCount ?? Self.sectorBlockCount }

    /// The bytes of a block already read, without asking the tag.
    func cached(_ block: Int) -> [UInt8]? { cache[block] }

    /// Forgets what is known of these blocks.
    func forget(_ blocks: some Sequence<Int>) {
        for block in blocks { cache[block] = nil }
        firstUnreadable = nil
    }

    /// Forgets which blocks were refused, because something was done about it.
    func forgetRefusals() { firstUnreadable = nil }

    /// Forgets all blocks, not the chip.
    func forgetAll() {
        cache = [:]
        firstUnreadable = nil
    }

    // MARK: Commands

    /// Takes the chip for what it did not say by GET_VERSION but proved otherwise.
    func recognise(_ chip: Type2Chip) { self.chip = chip }

    /// GET_VERSION; a tag that does not know it answers NAK and is selected again.
    func identify() throws(TagError) {
        do {
            let answer = try exchange([Self.getVersionCommand], framing: .raw)
            version = answer
            chip = Type2Chip(version: answer)
        } catch .reader(.noAnswer) {
            try reselect()
        }
    }

    /// Returns one block, reading it and, as far as one exchange goes, those after it up to `limit` when it is not cached.
    func block(_ block: Int, limit: Int) throws(TagError) -> [UInt8] {
        if let known = cache[block] { return known }
        try load(block...max(block, min(block + runLength, limit) - 1))
        if let known = cache[block] { return known }
        throw unreadable(block)
    }

    /// Reads the blocks of the range that are not cached, in as few exchanges as the reader and the chip allow.
    ///
    /// Blocks that a password guards stay out of the cache; ask ``block(_:limit:)`` for the error.
    func load(_ range: ClosedRange<Int>) throws(TagError) {
        var next = range.lowerBound
        while next <= range.upperBound {
            if let firstUnreadable, next >= firstUnreadable { return }
            guard cache[next] == nil else {
                next += 1
                continue
            }
            guard let run = run(from: next), run.lowerBound <= range.upperBound else { return }
            guard run.lowerBound == next else {
                next = run.lowerBound
                continue
            }
            var last = min(range.upperBound, run.upperBound, next + runLength - 1)
            if hasFastRead {
                while cache[last] != nil { last -= 1 }
                try fastRead(next...last)
            } else {
                try read(next, limit: last)
                guard cache[next] != nil else { return }
            }
        }
    }

    /// The blocks of one sector from `block` on, or from the next that exists on.
    private func run(from block: Int) -> ClosedRange<Int>? {
        let run = chip.map { $0.run(from: block) } ?? block...max(block, Self.sectorBlockCount - 1)
        return run.map { run in
            let sectorEnd = (run.lowerBound / Self.sectorBlockCount + 1) * Self.sectorBlockCount - 1
            return run.lowerBound...min(run.upperBound, sectorEnd)
        }
    }

    /// WRITE, repeated after silence; does nothing when the block is known to hold these bytes.
    func write(_ bytes: [UInt8], to block: Int) throws(TagError) {
        guard cache[block] != bytes else { return }
        cache[block] = nil
        try repeated(Self.writeRetries) { () throws(TagError) in try send(bytes, to: block) }
    }

    /// Selects the tag again after a NAK or silence, and opens it again where it was open.
    func reselect() throws(TagError) {
        try activate()
        guard let credential else { return }
        do {
            try credential.authenticate(on: channel)
        } catch .reader(.noAnswer) {
            // It opened before: silence is an accident until it happens again.
            try activate()
            try credential.authenticate(on: channel)
        }
    }

    /// Selects the tag again, which leaves it in sector 0 and without authentication.
    func activate() throws(TagError) {
        sector = 0
        try onReader { () throws(ReaderError) in try channel.reselect() }
    }

    private func send(_ bytes: [UInt8], to block: Int) throws(TagError) {
        try select(sectorOf: block)
        _ = try exchange([Self.writeCommand, UInt8(truncatingIfNeeded: block)] + bytes, framing: .handled)
        cache[block] = bytes
    }

    /// READ: 16 bytes, of which those after the first block may have rolled over to block 0.
    private func read(_ block: Int, limit: Int) throws(TagError) {
        guard let answer = try repeated(readCommand(block), framing: .handled, in: block) else {
            firstUnreadable = block
            return
        }
        try expect(16, in: answer, command: "READ", block: block)
        for index in 0..<4 where block + index <= max(block, limit) {
            let bytes = Array(answer[index * 4..<index * 4 + 4])
            // Past its end, or before a guarded block, the chip goes on at block 0. A block that looks like it is
            // left for a READ of its own, whose first block cannot be rolled over.
            if index > 0, block > 0, bytes == cache[0] { return }
            if cache[block + index] == nil { cache[block + index] = bytes }
        }
    }

    /// FAST_READ; when the chip refuses, halves the range to find where the guarded blocks begin.
    private func fastRead(_ range: ClosedRange<Int>) throws(TagError) {
        if let answer = try repeated(fastReadCommand(range), framing: .raw, in: range.lowerBound) {
            return try store(answer, of: range)
        }
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            do {
                try select(sectorOf: low)
                try store(try exchange(fastReadCommand(low...middle), framing: .raw), of: low...middle)
                low = middle + 1
            } catch .reader(.noAnswer) {
                try reselect()
                high = middle
            }
        }
        firstUnreadable = low
    }

    private func readCommand(_ block: Int) -> [UInt8] { [Self.readCommand, UInt8(truncatingIfNeeded: block)] }

    private func fastReadCommand(_ range: ClosedRange<Int>) -> [UInt8] {
        [
            Self.fastReadCommand, UInt8(truncatingIfNeeded: range.lowerBound),
            UInt8(truncatingIfNeeded: range.upperBound),
        ]
    }

    private func store(_ answer: [UInt8], of range: ClosedRange<Int>) throws(TagError) {
        try expect(range.count * 4, in: answer, command: "FAST_READ", block: range.lowerBound)
        for (index, block) in range.enumerated() { cache[block] = Array(answer[index * 4..<index * 4 + 4]) }
    }

    /// Sends a command that only reads, once more after silence; `nil` when the tag is there and refuses.
    func repeated(_ command: [UInt8], framing: Framing, in block: Int = 0) throws(TagError) -> [UInt8]? {
        for _ in 0..<2 {
            do {
                try select(sectorOf: block)
                return try exchange(command, framing: framing)
            } catch .reader(.noAnswer) {
                try reselect()
            }
        }
        return nil
    }

    func exchange(_ command: [UInt8], framing: Framing) throws(TagError) -> [UInt8] {
        try onReader { () throws(ReaderError) in try channel.transceive(command, framing: framing) }
    }

    private func expect(_ count: Int, in answer: [UInt8], command: String, block: Int) throws(TagError) {
        guard answer.count == count else {
            throw .protocolViolation(
                field: "the answer to \(command)", found: "\(answer.count) bytes", expected: "\(count) bytes",
                offset: block * 4)
        }
    }

    private func unreadable(_ block: Int) -> TagError {
        guard let chip else { return .commandFailed(command: "READ", offset: block * 4, sw: nil) }
        let exists = chip.blocks.contains { $0.contains(block) }
        return exists && chip.protection != nil
            ? .passwordNeeded(block: block) : .commandFailed(command: "READ", offset: block * 4, sw: nil)
    }
}
