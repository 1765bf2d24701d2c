// Type 3 Tag blocks over a cache — NFC Forum T3T, CHECK and UPDATE within Nbr and Nbw
import Chips
import ReaderInterface

/// The blocks of one activated card's NDEF system, read once and then remembered.
final class Type3Memory {
    private static let blocks = 0...0xFFFF

    let channel: any TagChannel
    let patience: Patience
    private var commands: Type3Commands
    /// Whether the card answers to the NDEF system code, once it was asked.
    private var hasNDEFSystem: Bool?
    private var cache: [Int: [UInt8]] = [:]
    private var readCount = 1
    private var writeCount = 1

    init(channel: any TagChannel, patience: Patience) {
        self.channel = channel
        self.patience = patience
        commands = Type3Commands(channel: channel, idm: channel.target.identifier)
    }

    /// The chip, by the IC code in byte 1 of PMm, if it is one that NDEF is a setting of.
    var lite: Chip? {
        guard case .nfcF(let target) = channel.target, target.pad.count == 8 else { return nil }
        return ChipModel(icCode: target.pad[1]).map { Chip($0, evidence: target.pad) }
    }

    /// The systems of the card; none where it does not list them, as the chips that NDEF is a setting of do not.
    func systemCodes() throws(TagError) -> [[UInt8]] {
        guard lite == nil else { return [] }
        do throws(TagError) {
            return try insist(on: "Request System Code", patience: .silentRefusal) { _ throws(TagError) in
                try commands.systemCodes()
            }
        } catch {
            switch error {
            case .reader(.noAnswer), .noReliableAnswer, .protocolViolation: return []
            default: throw error
            }
        }
    }

    /// The most blocks a FeliCa Lite or Lite-S gives for one read, and takes in one write.
    static let liteLimits = (read: 4, write: 1)

    /// Polls for the NDEF system unless that is the one activation found; false when the card has none.
    func activate() throws(TagError) -> Bool {
        if let hasNDEFSystem { return hasNDEFSystem }
        let found = if isNDEFTarget { true } else { try findNDEF() }
        hasNDEFSystem = found
        return found
    }

    /// The most blocks one read can carry on this reader.
    var readLimit: Int { commands.readLimit }

    /// Asks for at most this many blocks in a command; the chip and the reader may want fewer.
    func limit(read: Int, write: Int) {
        readCount = max(1, lite == nil ? read : min(read, Self.liteLimits.read))
        writeCount = max(1, lite == nil ? write : min(write, Self.liteLimits.write))
    }

    /// The bytes of a block already read, without asking the card.
    func cached(_ block: Int) -> [UInt8]? { cache[block] }

    /// Returns one block.
    func block(_ block: Int) throws(TagError) -> [UInt8] {
        try load([block])
        return cache[block] ?? []
    }

    /// Reads those of the blocks that are not known, in as few commands as the card takes.
    func load(_ blocks: some Sequence<Int>) throws(TagError) {
        var missing = blocks.filter { cache[$0] == nil }[...]
        while !missing.isEmpty {
            var run = missing.prefix(min(readCount, commands.readLimit))
            guard run.allSatisfy(Self.blocks.contains) else { throw .unsupported(reason: "the block does not exist") }
            do throws(TagError) {
                let found = try insist(on: Self.readName, at: offset(of: run.first)) { number throws(TagError) in
                    run = run.prefix(Self.length(run.count, attempt: number))
                    return try commands.read(Array(run))
                }
                for (block, bytes) in zip(run, found) { cache[block] = bytes }
                missing = missing.dropFirst(run.count)
            } catch .refused where run.count > 1 {
                // Some cards take fewer blocks than their attribute information block says.
                readCount = run.count / 2
            }
        }
    }

    func forget(_ blocks: some Sequence<Int>) {
        for block in blocks { cache[block] = nil }
    }

    /// Forgets all that was read, not which system it was read from.
    func forgetAll() { cache = [:] }

    /// Polls again when it is next needed: the card may answer to another system code.
    func forgetSystem() {
        hasNDEFSystem = nil
        forgetAll()
    }

    /// Reads these blocks in one command; only whether the card does it matters.
    func probeRead(_ blocks: [Int]) throws(TagError) {
        _ = try insist(on: Self.readName, patience: .silentRefusal) { _ throws(TagError) in try commands.read(blocks) }
    }

    /// Writes the same bytes to each of these blocks in one command; only whether the card does it matters.
    func probeWrite(_ blocks: [Int], _ bytes: [UInt8]) throws(TagError) {
        try insist(on: Self.writeName, patience: .silentRefusal) { _ throws(TagError) in
            try commands.write(blocks, blocks.flatMap { _ in bytes })
        }
    }

    /// Writes one block.
    func write(_ bytes: [UInt8], to block: Int) throws(TagError) {
        _ = try write(firstOf: [PlannedWrite(address: block, bytes: bytes)])
    }

    private var isNDEFTarget: Bool {
        guard case .nfcF(let target) = channel.target else { return false }
        return target.systemCode == Type3Commands.ndefSystem
    }

    private func pollNDEF() throws(TagError) -> Bool {
        guard let idm = try commands.polling(Type3Commands.ndefSystem) else { return false }
        commands.idm = idm
        return true
    }

    /// Polls for the NDEF system; silence is all that a card without one answers, so it is asked several times.
    private func findNDEF() throws(TagError) -> Bool {
        do throws(TagError) {
            return try insist(on: "Polling", patience: .silentRefusal) { _ throws(TagError) in
                guard try pollNDEF() else { throw .reader(.noAnswer) }
                return true
            }
        } catch .noReliableAnswer {
            return false
        }
    }

    func reselect() throws(TagError) {
        try onReader { () throws(ReaderError) in try channel.reselect() }
        // Activation went to the card's first system.
        if hasNDEFSystem == true, !isNDEFTarget { _ = try pollNDEF() }
    }

    private static let readName = "Read Without Encryption"
    private static let writeName = "Write Without Encryption"

    /// The number of blocks of a later attempt: noise breaks long frames first.
    private static func length(_ count: Int, attempt: Int) -> Int { attempt < 2 ? count : max(1, count / 2) }

    private func offset(of block: Int?) -> Int? { block.map { $0 * Type3Commands.blockSize } }
}

extension Type3Memory: ReselectableMemory {
    /// Answers have a CRC.
    var isAcknowledgementChecked: Bool { true }

    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]] {
        try load(spans.map(\.address))
        return spans.map { cache[$0.address] ?? [] }
    }

    func forget(_ spans: [Span]) { forget(spans.map(\.address)) }

    func write(_ bytes: [UInt8], at address: Int) throws(TagError) { try write(bytes, to: address) }

    func write(firstOf pieces: ArraySlice<PlannedWrite>) throws(TagError) -> Int {
        guard let last = pieces.map(\.address).max() else { return 0 }
        while true {
            var run = pieces.prefix(min(writeCount, commands.writeLimit(last)))
            guard run.allSatisfy({ Self.blocks.contains($0.address) && $0.bytes.count == Type3Commands.blockSize })
            else {
                throw .unsupported(reason: "a write covers whole blocks")
            }
            forget(run.map(\.address))
            do throws(TagError) {
                try insist(on: Self.writeName, at: offset(of: run.first?.address)) { number throws(TagError) in
                    run = run.prefix(Self.length(run.count, attempt: number))
                    try commands.write(run.map(\.address), run.flatMap(\.bytes))
                }
                for piece in run { cache[piece.address] = piece.bytes }
                return run.count
            } catch .refused where run.count > 1 {
                writeCount = run.count / 2
            }
        }
    }
}
