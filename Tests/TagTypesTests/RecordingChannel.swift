// A channel to a card kept in memory, with faults at any command
import ReaderInterface

/// A card whose memory survives the loss of the field, but whose state does not.
protocol Card: AnyObject {
    /// Returns the answer to a command, or nil for a NAK or silence.
    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]?
    /// Resets the state, because the field was off or the card was selected again.
    func reset()
}

/// Counts and records commands.
///
/// It can lose the tag, or one answer, before or after any command is carried out.
final class RecordingChannel: TagChannel {
    enum Fault: Hashable {
        /// The tag leaves permanently.
        ///
        /// If `after` is true, command `at` is carried out first.
        case lost(at: Int, after: Bool)
        /// One answer is lost, but the tag stays.
        case silence(at: Int, after: Bool)
        /// No command with this code is ever answered, but the tag stays.
        case deaf(to: UInt8)
    }

    let target: Target
    let maxCommandLength: Int
    let maxResponseLength: Int
    private let card: any Card
    private let fault: Fault?
    private var isLost = false
    private var isMute = false
    private(set) var commands: [[UInt8]] = []
    private(set) var reselections = 0

    init(
        _ card: any Card, target: Target = .type2, fault: Fault? = nil, maxCommandLength: Int = 262,
        maxResponseLength: Int = 262
    ) {
        self.card = card
        self.target = target
        self.fault = fault
        self.maxCommandLength = maxCommandLength
        self.maxResponseLength = maxResponseLength
        card.reset()
    }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        guard let answer = try answer(to: command, framing: framing) else { throw .noAnswer }
        return answer
    }

    /// Acts like a reader that receives four bits.
    ///
    /// A missing answer of the card becomes a NAK, and an answer without bytes an ACK.
    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        guard case .nfcA(let tag) = target, !tag.isISODEP else {
            return .bytes(try transceive(command, framing: .raw, timeout: timeout))
        }
        let framing: Framing = [0x30, 0xA2].contains(command.first) ? .handled : .raw
        guard let answer = try answer(to: command, framing: framing) else { return .nibble(0x0) }
        return answer.isEmpty ? .nibble(0xA) : .bytes(answer)
    }

    /// Returns the card's answer, or nil for a NAK.
    private func answer(to command: [UInt8], framing: Framing) throws(ReaderError) -> [UInt8]? {
        let number = commands.count
        commands.append(command)
        guard !isLost, !isMute else { throw .noAnswer }
        switch fault {
        case .lost(number, let after)?:
            if after { _ = card.answer(command, framing: framing) }
            isLost = true
            throw .noAnswer
        case .silence(number, let after)?:
            if after { _ = card.answer(command, framing: framing) }
            isMute = true
            throw .noAnswer
        case .deaf(command.first)?:
            isMute = true
            throw .noAnswer
        default: break
        }
        let answer = card.answer(command, framing: framing)
        if answer == nil { isMute = true }
        return answer
    }

    func reselect() throws(ReaderError) {
        reselections += 1
        guard !isLost else { throw .tagLost }
        isMute = false
        card.reset()
    }
}

/// A Type 2 Tag chip, with the commands that its data sheet describes.
final class Type2Card: Card {
    var memory: [UInt8]
    let version: [UInt8]?
    /// The first block with password protection.
    var auth0 = 255
    var protectsReading = false
    private(set) var writes: [Int] = []

    /// Makes the memory of a tag whose data area begins with `tlvs`.
    init(blocks: Int, cc: String, version: String?, tlvs: [UInt8]) {
        memory = Array(repeating: 0, count: blocks * 4)
        memory.replaceSubrange(0..<10, with: bytes("04A1B29FC3D4E5807248"))
        memory.replaceSubrange(12..<16, with: bytes(cc))
        memory.replaceSubrange(16..<16 + tlvs.count, with: tlvs)
        self.version = version.map { bytes($0) }
        if version != nil { memory[(blocks - 4) * 4 + 3] = 0xFF }
    }

    static let deliveredNTAG213 = bytes("0103A00C340300FE")

    static func ntag213(_ tlvs: [UInt8] = deliveredNTAG213) -> Type2Card {
        Type2Card(blocks: 45, cc: "E1101200", version: "0004040201000F03", tlvs: tlvs)
    }
    static func ntag215(_ tlvs: [UInt8] = bytes("0300FE")) -> Type2Card {
        Type2Card(blocks: 135, cc: "E1103E00", version: "0004040201001103", tlvs: tlvs)
    }
    static func ntag216(_ tlvs: [UInt8] = bytes("0300FE")) -> Type2Card {
        Type2Card(blocks: 231, cc: "E1106D00", version: "0004040201001303", tlvs: tlvs)
    }
    static func ultralight(_ tlvs: [UInt8] = bytes("0300FE"), cc: String = "E1100600") -> Type2Card {
        Type2Card(blocks: 16, cc: cc, version: nil, tlvs: tlvs)
    }

    func reset() {}

    private var blockCount: Int { memory.count / 4 }
    private var readableEnd: Int { protectsReading ? min(auth0, blockCount) : blockCount }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        switch (command.first, framing) {
        case (0x60, .raw): return version
        case (0x30, .handled) where command.count == 2 && Int(command[1]) < readableEnd:
            return (0..<16).map { memory[(Int(command[1]) * 4 + $0) % (readableEnd * 4)] }
        case (0x3A, .raw) where version != nil && command.count == 3 && command[1] <= command[2]:
            guard Int(command[2]) < readableEnd else { return nil }
            return Array(memory[Int(command[1]) * 4..<Int(command[2]) * 4 + 4])
        case (0xA2, .handled) where command.count == 6: return write(Int(command[1]), Array(command[2...])) ? [] : nil
        default: return nil
        }
    }

    /// Whether the chip has dynamic lock bits and respects them: NTAG213, 215 and 216.
    var hasDynamicLock = true
    private var dynamicLockBlock: Int? { blockCount > 20 && hasDynamicLock ? blockCount - 5 : nil }

    private func isDynamicallyLocked(_ block: Int) -> Bool {
        guard let dynamicLockBlock, 16..<dynamicLockBlock ~= block else { return false }
        let bit = (block - 16) / (blockCount == 45 ? 2 : 16)
        return memory[dynamicLockBlock * 4 + bit / 8] & 1 << UInt8(bit % 8) != 0
    }

    private func write(_ block: Int, _ bytes: [UInt8]) -> Bool {
        guard 2..<blockCount ~= block, block < auth0 else { return false }
        let locks = UInt16(memory[10]) | UInt16(memory[11]) << 8
        if 3..<16 ~= block, locks & 1 << UInt16(block) != 0 { return false }
        if isDynamicallyLocked(block) { return false }
        writes.append(block)
        let isDynamicLock = dynamicLockBlock == block
        for (index, byte) in bytes.enumerated() {
            let address = block * 4 + index
            switch block {
            case 2: if index > 1 { memory[address] |= byte }
            case 3: memory[address] |= byte
            default: memory[address] = isDynamicLock ? memory[address] | byte : byte
            }
        }
        return true
    }
}

/// A card that refuses some commands, each a given number of times.
final class MuteCard: Card {
    private let card: any Card
    private var refusals: Int
    private let refuses: ([UInt8]) -> Bool

    init(_ card: any Card, refusals: Int = .max, to refuses: @escaping ([UInt8]) -> Bool) {
        self.card = card
        self.refusals = refusals
        self.refuses = refuses
    }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        guard refusals > 0, refuses(command) else { return card.answer(command, framing: framing) }
        refusals -= 1
        return nil
    }

    func reset() { card.reset() }
}
