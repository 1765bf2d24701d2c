// Type 2 Tag commands, with a cache of blocks — NFC Forum T2T (READ, WRITE), NXP NTAG21x (GET_VERSION, FAST_READ)
import Chips
import Hexadecimal
import ReaderInterface

/// The blocks of one activated Type 2 Tag, each of which is read once and then cached.
///
/// Blocks are numbered consecutively across all sectors. After a NAK, the tag is selected and authenticated again
/// before the next command.
final class Type2Memory {
    /// The number of blocks in a sector; READ and WRITE can address only the selected sector.
    static let sectorBlockCount = Type2Layout.sectorBlockCount
    private static let readCommand: UInt8 = 0x30
    private static let writeCommand: UInt8 = 0xA2
    private static let fastReadCommand: UInt8 = 0x3A
    private static let getVersionCommand: UInt8 = 0x60
    private static let ack: UInt8 = 0xA
    /// The code of PWD_AUTH, which is used to check whether a reader can send the command.
    ///
    /// The command is incomplete and never reaches a tag.
    private static let passwordProbe: [UInt8] = [0x1B]

    let channel: any TagChannel
    let patience: Patience
    /// The chip, or `nil` if ``identify()`` has not identified a known one.
    ///
    /// FAST_READ is sent only to a known chip.
    private(set) var chip: Type2Chip?
    private(set) var version: [UInt8]?
    private var cache: [Int: [UInt8]] = [:]
    /// The number of the selected sector, which is 0 after each activation.
    var sector = 0
    /// The credential with which the tag is opened again after each activation, or `nil` if there is none.
    var credential: Type2Credential?
    /// The first block that the tag refused to read, where a password area may start, or `nil` if there is none.
    private(set) var firstUnreadable: Int?
    /// The numbers of the requested blocks that the dump of a virtual tag does not contain.
    private var absent: Set<Int> = []
    private var fastReading = FastReading()

    init(channel: any TagChannel, patience: Patience) {
        self.channel = channel
        self.patience = patience
    }

    /// The number of blocks to request in one exchange.
    var runLength: Int { hasFastRead ? min(fastReading.limit, max(1, channel.maxResponseLength / 4)) : 4 }

    private var hasFastRead: Bool {
        fastReading.isWorthwhile && chip?.features.contains(.fastRead) ?? false && carriesFastRead
    }

    private lazy var carriesFastRead = channel.carries(fastReadCommand(0...0), framing: .raw)

    /// The maximum number of blocks that may exist, as far as the chip is known.
    var blockCount: Int { chip?.blockCount ?? Self.sectorBlockCount }

    func cached(_ block: Int) -> [UInt8]? { cache[block] }

    func forget(_ blocks: some Sequence<Int>) {
        for block in blocks { cache[block] = nil }
        forgetRefusals()
    }

    /// Forgets which blocks were refused, because the cause may have been removed.
    func forgetRefusals() {
        firstUnreadable = nil
        fastReading.refused = nil
    }

    /// Whether the chip did not answer GET_VERSION, and its memory explains why.
    private(set) var isLikeFirstUltralight = false

    /// Forgets all blocks, but not the chip.
    func forgetAll() {
        cache = [:]
        forgetRefusals()
    }

    // MARK: Commands

    /// Sets the chip to a model that was recognised by other means than GET_VERSION.
    func recognise(_ model: ChipModel, by evidence: [UInt8]) { chip = Type2Chip(Chip(model, evidence: evidence)) }

    /// Identifies the chip with GET_VERSION, or leaves it unknown if it does not support this command.
    ///
    /// The last, slow attempt is omitted if the memory is like that of the first Ultralight, which never answers.
    func identify() throws(TagError) {
        let answer = try ask([Self.getVersionCommand], framing: .raw) { () throws(TagError) in
            isLikeFirstUltralight = try hasMemoryOfFirstUltralight()
            return isLikeFirstUltralight
        }
        guard let answer else { return }
        version = answer
        chip = Type2Chip(version: answer)
    }

    /// Throws the reader's own error if the chip is unknown because this reader cannot send GET_VERSION.
    func requireIdentifyingReader() throws(TagError) {
        if chip == nil { try channel.require([Self.getVersionCommand], framing: .raw) }
    }

    /// Throws the reader's own error if the reader cannot write to this tag.
    func requireWritingReader() throws(TagError) {
        // Static lock bits can only be set, so writing zeros changes nothing — NFC Forum T2T, Static Lock Bytes.
        try channel.require([Self.writeCommand, 2, 0, 0, 0, 0], framing: .handled)
    }

    /// Returns the bytes of a block; if it is not cached, one exchange reads it and the next blocks before `limit`.
    func block(_ block: Int, limit: Int) throws(TagError) -> [UInt8] {
        if let known = cache[block] { return known }
        try load(block...max(block, min(block + runLength, limit) - 1))
        if let known = cache[block] { return known }
        throw unreadable(block)
    }

    /// Reads the blocks in the range that are not cached, in as few exchanges as the reader and the chip allow.
    ///
    /// Blocks that a password protects stay out of the cache; ``block(_:limit:)`` throws the error for such a block.
    func load(_ range: ClosedRange<Int>) throws(TagError) {
        var next = range.lowerBound
        while next <= range.upperBound {
            if let firstUnreadable, next >= firstUnreadable { return }
            guard cache[next] == nil, !absent.contains(next) else {
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
                try fastRead(next...fastReading.end(from: next, last))
            } else {
                try read(next, limit: last)
            }
            guard cache[next] != nil || absent.contains(next) else { return }
        }
    }

    /// Returns the run of blocks within one sector that starts at `block` or at the next existing block, or `nil` if
    /// there is none.
    private func run(from block: Int) -> ClosedRange<Int>? {
        let run = chip.map { $0.run(from: block) } ?? block...max(block, Self.sectorBlockCount - 1)
        return run.map { run in
            let sectorEnd = (run.lowerBound / Self.sectorBlockCount + 1) * Self.sectorBlockCount - 1
            return run.lowerBound...min(run.upperBound, sectorEnd)
        }
    }

    /// Sends WRITE until the tag answers, or sends nothing if the cache shows that the block holds these bytes.
    ///
    /// - Throws: ``TagError/commandFailed(command:offset:sw:)`` if the tag refuses.
    func write(_ bytes: [UInt8], to block: Int) throws(TagError) {
        guard cache[block] != bytes else { return }
        guard try sendWrite(bytes, to: block) else {
            // An unknown chip may require a password. If the reader cannot send a password, throw the reader's error.
            if chip == nil { try channel.require(Self.passwordProbe, framing: .raw) }
            throw .commandFailed(command: "WRITE", offset: block * 4, sw: nil)
        }
        cache[block] = bytes
    }

    /// Sends WRITE, whatever the cache contains, and returns whether the tag accepted it.
    func sendWrite(_ bytes: [UInt8], to block: Int) throws(TagError) -> Bool {
        cache[block] = nil
        let command = [Self.writeCommand, UInt8(truncatingIfNeeded: block)] + bytes
        return try inquire("WRITE", at: block * 4) { (number) throws(TagError) in
            try attempt(number, command, framing: .handled, in: block)
        } != nil
    }

    /// Selects the tag again after a NAK or a missing answer, and authenticates again if it had accepted a
    /// password or key.
    func reselect() throws(TagError) {
        try activate()
        try authenticateAgain()
    }

    /// Selects the tag again, which leaves the tag in sector 0 and unauthenticated.
    func activate() throws(TagError) {
        sector = 0
        try onReader { () throws(ReaderError) in try channel.reselect() }
    }

    /// Sends READ and caches the blocks in the answer.
    ///
    /// After the first block, the 16 bytes of the answer may continue with block 0, because a READ can roll over.
    private func read(_ block: Int, limit: Int) throws(TagError) {
        let answer: [UInt8]?
        do throws(TagError) {
            answer = try inquire("READ", at: block * 4) { (number) throws(TagError) in
                try attempt(number, readCommand(block), framing: .handled, in: block, count: 16)
            }
        } catch .reader(.notInFile) {
            absent.insert(block)
            return
        }
        guard let answer else {
            firstUnreadable = block
            return
        }
        let start: [UInt8]? = block == 0 ? Array(answer[..<4]) : cache[0]
        // Without block 0, a dump does not show where a READ rolls over to that block.
        let count = absent.contains(0) ? 1 : 4
        for index in 0..<count where block + index <= max(block, limit) {
            let bytes = Array(answer[index * 4..<index * 4 + 4])
            // At the end of the memory, or before a protected block, a READ continues with block 0. A block that looks
            // like block 0 is therefore read with a separate READ, whose first block is always the requested one. On an
            // Ultralight C, block 3 may be the first protected block — MF0ICU2 7.5.8 and 9.2.
            if index > 0, bytes == start { return }
            if cache[block + index] == nil { cache[block + index] = bytes }
        }
    }

    /// Sends FAST_READ for the range or its first part, or READ if that fails.
    ///
    /// A NAK may mean that blocks are protected, or that the chip accepts only shorter ranges. After noise, all later
    /// ranges are shorter. READ shows whether the first block can be read.
    private func fastRead(_ range: ClosedRange<Int>) throws(TagError) {
        var last = range.upperBound
        while last > range.lowerBound {
            let part = range.lowerBound...last
            var found = try fastReadOnce(part, 0)
            if found == nil { found = try fastReadOnce(part, 1) }
            switch found {
            case .answer(let answer)?:
                for (index, block) in part.enumerated() { cache[block] = Array(answer[index * 4..<index * 4 + 4]) }
                fastReading.succeeded(part)
                return
            case .refusal?: fastReading.refused = last
            case nil: fastReading.shorten(from: part.count)
            }
            last = range.lowerBound + part.count / 2 - 1
        }
        try read(range.lowerBound, limit: fastReading.refused == nil ? range.upperBound : range.lowerBound)
        if cache[range.lowerBound] != nil { fastReading.succeeded(range.lowerBound...range.lowerBound) }
    }

    /// Sends one FAST_READ, or activates the tag again and returns `nil` after noise.
    private func fastReadOnce(_ range: ClosedRange<Int>, _ number: Int) throws(TagError) -> Attempt<[UInt8]>? {
        do throws(TagError) {
            let found = try attempt(
                number, fastReadCommand(range), framing: .raw, in: range.lowerBound, count: range.count * 4)
            if case .refusal = found { try activateAgain() }
            return found
        } catch .reader(.noAnswer) {
            // The tag may have sent a NAK, or the answer was lost to noise.
        } catch .protocolViolation {
            // This is noise too: some readers deliver bytes twice.
        }
        try activateAgain()
        return nil
    }

    private func readCommand(_ block: Int) -> [UInt8] { [Self.readCommand, UInt8(truncatingIfNeeded: block)] }

    private func fastReadCommand(_ range: ClosedRange<Int>) -> [UInt8] {
        [
            Self.fastReadCommand, UInt8(truncatingIfNeeded: range.lowerBound),
            UInt8(truncatingIfNeeded: range.upperBound),
        ]
    }

    /// Sends a command that not every chip supports, or returns `nil` if there is no valid answer.
    ///
    /// There is no valid answer if the tag refuses, if answers are repeatedly missing or invalid, or if the reader
    /// cannot send the command. An answer must have `count` bytes. If `count` is `nil`, any length is accepted. The
    /// last attempt is omitted if `isExplained` shows that the tag does not support the command.
    func ask(
        _ command: [UInt8], framing: Framing, count: Int? = nil,
        unless isExplained: () throws(TagError) -> Bool = { false }
    ) throws(TagError) -> [UInt8]? {
        let name = "command \(command.prefix(1).spacedHex)"
        do throws(TagError) {
            return try inquire(name, patience: .optional, refusals: 1) { (number) throws(TagError) in
                if number == Patience.optional.attempts - 1, try isExplained() {
                    throw .noReliableAnswer(command: name, offset: nil)
                }
                return try attempt(number, command, framing: framing, in: 0, count: count)
            }
        } catch .noReliableAnswer {
            return nil
        } catch .reader(.cannotSend) {
            // Some PC/SC readers support only READ and WRITE.
            return nil
        } catch .protocolViolation {
            // The chip may use this code for a different command.
            return nil
        }
    }

    /// Sends a command once.
    ///
    /// The first of every three attempts uses the fastest way; the others use a way that makes a NAK visible.
    private func attempt(
        _ number: Int, _ command: [UInt8], framing: Framing, in block: Int, count: Int? = nil
    ) throws(TagError) -> Attempt<[UInt8]> {
        try select(sectorOf: block)
        guard number % 3 != 0, command.count <= channel.maxFrameLength else {
            return .answer(try checked(try exchange(command, framing: framing), command, count, block))
        }
        let answer = try onReader { () throws(ReaderError) in
            try channel.exchangeFrame(command, timeout: type(of: channel).defaultTimeout)
        }
        switch answer {
        case .bytes(let bytes): return .answer(try checked(bytes, command, count, block))
        // Only a WRITE is answered with ACK.
        case .nibble(Self.ack) where count == nil: return .answer([])
        case .nibble(Self.ack): throw .reader(.noAnswer)
        case .nibble(let nibble): return .refusal(nibble)
        }
    }

    func exchange(_ command: [UInt8], framing: Framing) throws(TagError) -> [UInt8] {
        try onReader { () throws(ReaderError) in try channel.transceive(command, framing: framing) }
    }

    private func checked(
        _ answer: [UInt8], _ command: [UInt8], _ count: Int?, _ block: Int
    ) throws(TagError) -> [UInt8] {
        guard let count, answer.count != count else { return answer }
        throw .protocolViolation(
            field: "the answer to \(Self.name(command))", found: "\(ByteCount(answer.count))",
            expected: "\(count) bytes",
            offset: block * 4)
    }

    private static func name(_ command: [UInt8]) -> String {
        switch command.first {
        case readCommand: "READ"
        case fastReadCommand: "FAST_READ"
        default: "command \(command.prefix(1).spacedHex)"
        }
    }

    private func unreadable(_ block: Int) -> TagError {
        if absent.contains(block) { return .reader(.notInFile(block: block)) }
        if let sunLayout, block < sunLayout.blockCount {
            return .passwordNeeded(block: block)
        }
        guard let chip else { return .commandFailed(command: "READ", offset: block * 4, sw: nil) }
        let exists = chip.blocks.contains { $0.contains(block) }
        return exists && chip.protection != nil
            ? .passwordNeeded(block: block) : .commandFailed(command: "READ", offset: block * 4, sw: nil)
    }
}
