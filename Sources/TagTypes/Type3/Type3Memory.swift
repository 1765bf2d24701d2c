// Type 3 Tag blocks over a cache — NFC Forum T3T, CHECK and UPDATE within Nbr and Nbw
import Chips
import ReaderInterface

/// The blocks in the NDEF system of one activated card, each read once and then cached.
final class Type3Memory {
    private static let blocks = 0...0xFFFF

    let channel: any TagChannel
    let patience: Patience
    private var commands: Type3Commands
    /// Whether the card responds to the NDEF system code, once it has been polled for it.
    private var hasNDEFSystem: Bool?
    private var cache: [Int: [UInt8]] = [:]
    private var readCount = 1
    private var writeCount = 1

    init(channel: any TagChannel, patience: Patience) {
        self.channel = channel
        self.patience = patience
        commands = Type3Commands(channel: channel, idm: channel.target.identifier)
    }

    /// The chip according to the IC code in byte 1 of PMm, if it is a FeliCa Lite or Lite-S, whose NDEF support is a
    /// setting.
    var lite: Chip? {
        guard case .nfcF(let target) = channel.target, target.pad.count == 8 else { return nil }
        return ChipModel(icCode: target.pad[1]).map { Chip($0, evidence: target.pad) }
    }

    /// Returns the systems of the card, or an empty list if it does not list them.
    ///
    /// FeliCa Lite and Lite-S never do.
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

    /// The maximum number of blocks that a FeliCa Lite or Lite-S accepts in one read and in one write.
    static let liteLimits = (read: 4, write: 1)

    /// Polls for the NDEF system, unless the activation already found it, and returns whether the card has one.
    func activate() throws(TagError) -> Bool {
        if let hasNDEFSystem { return hasNDEFSystem }
        let found = if isNDEFTarget { true } else { try findNDEF() }
        hasNDEFSystem = found
        return found
    }

    /// The maximum number of blocks in one read with this reader.
    var readLimit: Int { commands.readLimit }

    /// Sets the maximum number of blocks per command.
    ///
    /// The limits of the chip and the reader may lower it.
    func limit(read: Int, write: Int) {
        readCount = max(1, lite == nil ? read : min(read, Self.liteLimits.read))
        writeCount = max(1, lite == nil ? write : min(write, Self.liteLimits.write))
    }

    /// Returns the cached bytes of a block, without sending anything to the card.
    func cached(_ block: Int) -> [UInt8]? { cache[block] }

    /// Returns one block, reading it if needed.
    func block(_ block: Int) throws(TagError) -> [UInt8] {
        try load([block])
        return cache[block] ?? []
    }

    /// Reads the blocks that are not cached, in as few commands as the card allows.
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
                // Some cards accept fewer blocks than their attribute information block claims.
                readCount = run.count / 2
            }
        }
    }

    func forget(_ blocks: some Sequence<Int>) {
        for block in blocks { cache[block] = nil }
    }

    /// Forgets everything that was read, but not the system from which it was read.
    func forgetAll() { cache = [:] }

    /// Forgets the system too, so that it is polled again when needed.
    ///
    /// The card may now respond to another system code.
    func forgetSystem() {
        hasNDEFSystem = nil
        forgetAll()
    }

    /// Reads these blocks in one command, to find out whether the card accepts it.
    func probeRead(_ blocks: [Int]) throws(TagError) {
        _ = try insist(on: Self.readName, patience: .silentRefusal) { _ throws(TagError) in try commands.read(blocks) }
    }

    /// Writes the same bytes to each of these blocks in one command, to find out whether the card accepts it.
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

    /// Polls for the NDEF system, several times unless the silence is explained, because a card without that system does
    /// not answer at all.
    private func findNDEF() throws(TagError) -> Bool {
        do throws(TagError) {
            return try insist(on: "Polling", patience: .silentRefusal) { number throws(TagError) in
                if number == 1, try isClosedToNDEF() { return false }
                guard try pollNDEF() else { throw .reader(.noAnswer) }
                return true
            }
        } catch .noReliableAnswer {
            return false
        }
    }

    /// Whether the memory configuration of a FeliCa Lite or Lite-S keeps it from answering to the NDEF system code.
    private func isClosedToNDEF() throws(TagError) -> Bool {
        guard lite != nil else { return false }
        do throws(TagError) {
            let configuration = FeliCaMemoryConfiguration(try block(FeliCaMemoryConfiguration.number))
            return configuration.map { !$0.isNDEF } ?? false
        } catch {
            switch error {
            case .noReliableAnswer, .refused: return false
            default: throw error
            }
        }
    }

    func reselect() throws(TagError) {
        try onReader { () throws(ReaderError) in try channel.reselect() }
        // The activation selected the first system of the card, so the NDEF system must be selected again.
        if hasNDEFSystem == true, !isNDEFTarget { _ = try pollNDEF() }
    }

    private static let readName = "Read Without Encryption"
    private static let writeName = "Write Without Encryption"

    /// Returns the number of blocks for an attempt.
    ///
    /// Later attempts use fewer, because noise breaks long frames first.
    private static func length(_ count: Int, attempt: Int) -> Int { attempt < 2 ? count : max(1, count / 2) }

    private func offset(of block: Int?) -> Int? { block.map { $0 * Type3Commands.blockSize } }
}

extension Type3Memory: ReselectableMemory {
    /// True, because answers have a CRC.
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
