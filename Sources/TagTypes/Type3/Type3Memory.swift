// The blocks of a Type 3 Tag, with a cache — NFC Forum T3T, CHECK and UPDATE within Nbr and Nbw
import Chips
import ReaderInterface

/// The blocks in the NDEF system of one activated card, each of which is read once and then cached.
final class Type3Memory {
    private static let blocks = 0...0xFFFF

    let channel: any TagChannel
    let patience: Patience
    private var commands: Type3Commands
    /// Whether the card responds to the NDEF system code, or `nil` before the first poll.
    private var hasNDEFSystem: Bool?
    private var cache: [Int: [UInt8]] = [:]
    private var readCount = 1
    private var writeCount = 1

    init(channel: any TagChannel, patience: Patience) {
        self.channel = channel
        self.patience = patience
        commands = Type3Commands(channel: channel, idm: channel.target.identifier)
    }

    /// The chip if it is a FeliCa Lite or Lite-S according to the IC code in byte 1 of PMm, or `nil` if it is not.
    ///
    /// The NDEF support of these chips is a setting.
    var lite: Chip? {
        guard case .nfcF(let target) = channel.target, target.pad.count == 8 else { return nil }
        return ChipModel(icCode: target.pad[1]).map { Chip($0, evidence: target.pad) }
    }

    /// Returns the system codes of the card, or an empty list if the card does not return them.
    ///
    /// FeliCa Lite and Lite-S never return them.
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

    /// Polls for the NDEF system, unless the activation already found it, and returns whether the card has this system.
    func activate() throws(TagError) -> Bool {
        if let hasNDEFSystem { return hasNDEFSystem }
        let found = if isNDEFTarget { true } else { try findNDEF() }
        hasNDEFSystem = found
        return found
    }

    var readLimit: Int { commands.readLimit }

    /// Sets the maximum numbers of blocks that one command reads and writes.
    ///
    /// The limits of the chip and the reader may lower these numbers.
    func limit(read: Int, write: Int) {
        readCount = max(1, lite == nil ? read : min(read, Self.liteLimits.read))
        writeCount = max(1, lite == nil ? write : min(write, Self.liteLimits.write))
    }

    func cached(_ block: Int) -> [UInt8]? { cache[block] }

    /// Returns the bytes of one block, and reads it if needed.
    func block(_ block: Int) throws(TagError) -> [UInt8] {
        try load([block])
        return cache[block] ?? []
    }

    /// Reads the blocks that are not cached, in as few commands as the card allows.
    func load(_ blocks: some Sequence<Int>) throws(TagError) {
        var missing = blocks.filter { cache[$0] == nil }[...]
        while !missing.isEmpty {
            var run = missing.prefix(min(readCount, commands.readLimit))
            if let block = run.first(where: { !Self.blocks.contains($0) }) {
                throw .unsupported(
                    reason: "block \(block) does not exist; block numbers end at \(Self.blocks.upperBound)")
            }
            do throws(TagError) {
                let found = try insist(on: Self.readName, at: offset(of: run.first)) { number throws(TagError) in
                    run = run.prefix(Self.length(run.count, attempt: number))
                    return try commands.read(Array(run))
                }
                for (block, bytes) in zip(run, found) { cache[block] = bytes }
                missing = missing.dropFirst(run.count)
            } catch .refused where run.count > 1 {
                // Some cards accept fewer blocks than their attribute information block states, so request fewer.
                readCount = run.count / 2
            }
        }
    }

    func forget(_ blocks: some Sequence<Int>) {
        for block in blocks { cache[block] = nil }
    }

    /// Forgets everything that was read, but not which system the card responds to.
    func forgetAll() { cache = [:] }

    /// Forgets everything that was read, and also the system, so that the card is polled again when needed.
    ///
    /// The card may now respond to another system code.
    func forgetSystem() {
        hasNDEFSystem = nil
        forgetAll()
    }

    /// Reads these blocks in one command, to test whether the card accepts the command.
    func probeRead(_ blocks: [Int]) throws(TagError) {
        _ = try insist(on: Self.readName, patience: .silentRefusal) { _ throws(TagError) in try commands.read(blocks) }
    }

    /// Writes the same bytes to each of these blocks in one command, to test whether the card accepts the command.
    func probeWrite(_ blocks: [Int], _ bytes: [UInt8]) throws(TagError) {
        try insist(on: Self.writeName, patience: .silentRefusal) { _ throws(TagError) in
            try commands.write(blocks, blocks.flatMap { _ in bytes })
        }
    }

    func write(_ bytes: [UInt8], to block: Int) throws(TagError) {
        _ = try write(firstOf: [PlannedWrite(address: block, bytes: bytes)])
    }

    private var isNDEFTarget: Bool {
        guard case .nfcF(let target) = channel.target else { return false }
        return target.systemCode == Type3Commands.ndefSystem
    }

    /// Selects the NDEF system, and returns whether the card answered.
    ///
    /// If several cards are in the field, another one may answer. Its answer does not count.
    private func pollNDEF() throws(TagError) -> Bool {
        guard let idm = try commands.polling(Type3Commands.ndefSystem),
            FeliCaCommands.isSameCard(idm, channel.target.identifier)
        else { return false }
        commands.idm = idm
        return true
    }

    /// Polls for the NDEF system, and returns whether the card has it.
    ///
    /// A card without that system does not answer at all, so several attempts are made, unless something else explains
    /// the missing answer.
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

    /// Whether the memory configuration of a FeliCa Lite or Lite-S prevents it from responding to the NDEF system code.
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

    /// Returns the number of blocks to request in an attempt.
    ///
    /// Later attempts request fewer blocks, because noise breaks long frames first.
    private static func length(_ count: Int, attempt: Int) -> Int { attempt < 2 ? count : max(1, count / 2) }

    private func offset(of block: Int?) -> Int? { block.map { $0 * Type3Commands.blockSize } }
}

extension Type3Memory: ReselectableMemory {
    /// Always true, because answers have a CRC.
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
