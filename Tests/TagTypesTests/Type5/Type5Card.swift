// ISO 15693 tags kept in memory — ISO/IEC 15693-3; NFC Forum T5T
import ReaderInterface

@testable import TagTypes

/// An ISO 15693 chip with the commands of the standard.
///
/// Differences between chips are settings.
final class Type5Card: Card {
    /// How the chip reports its memory, and how it accepts block numbers from 256 on.
    enum Kind {
        /// Get System Information, and block numbers of one byte.
        case plain
        /// Extended Get System Information, and the extended commands.
        case extended
        /// Get System Information, and all commands, with the protocol extension flag.
        case protocolExtension
        /// No Get System Information at all.
        case mute
    }

    enum MultipleRead {
        case none
        /// Reading past the end is an error.
        case exact
        /// Blocks beyond the end are omitted, as on an ICODE.
        case truncated
    }

    static let uid = bytes("E004 0108 11223344")

    var memory: [UInt8]
    let blockSize: Int
    var uid = Type5Card.uid
    var kind = Kind.plain
    var multipleRead = MultipleRead.exact
    /// The maximum number of blocks in one READ MULTIPLE BLOCKS.
    var longestRun = 256
    /// Whether Get Multiple Block Security Status is answered.
    var tellsStatus = true
    /// Whether the option flag of reads has an effect.
    var tellsStatusByOption = true
    /// The setting of the option flag that writes and locks require, or nil if either setting is accepted.
    var neededOption: Bool?
    /// The blocks that LOCK BLOCK can lock.
    var lockable: (Int) -> Bool = { _ in true }
    /// The error of a write to a locked block.
    var lockedError: UInt8 = 0x12
    var locked: Set<Int> = []
    private(set) var writes: [Int] = []
    private(set) var locks: [Int] = []

    init(blocks: Int, of blockSize: Int = 4, _ contents: [UInt8] = []) {
        self.blockSize = blockSize
        memory = contents + [UInt8](repeating: 0, count: blocks * blockSize - contents.count)
    }

    /// Returns a formatted tag of this size, with a message.
    static func formatted(
        blocks: Int, of blockSize: Int = 4, cc: String, _ message: [UInt8], before: [UInt8] = []
    ) -> Type5Card {
        Type5Card(blocks: blocks, of: blockSize, bytes(cc) + before + tlv(message))
    }

    static func slix2(_ message: [UInt8]) -> Type5Card {
        let card = formatted(blocks: 80, cc: "E1402709", message)
        card.multipleRead = .truncated
        return card
    }

    /// Returns a my-d vicinity.
    ///
    /// It has blocks of 8 bytes, so that container and TLV share the first block.
    static func myD(_ message: [UInt8]) -> Type5Card {
        let card = formatted(blocks: 32, of: 8, cc: "E1401F01", message)
        card.uid = bytes("E005 4011 22334455")
        return card
    }

    /// Returns a tag with a proprietary TLV, because of which T and L of the message are in different blocks.
    static func straddled(_ message: [UInt8]) -> Type5Card {
        let card = formatted(blocks: 128, cc: "E1403F01", message, before: bytes("FD05 0102030405"))
        card.uid = bytes("E07F 0111 22334455")
        return card
    }

    static func large(_ message: [UInt8]) -> Type5Card {
        let card = formatted(blocks: 16, of: 32, cc: "E1403F01", message)
        card.uid = bytes("E07F 0211 22334455")
        return card
    }

    /// Returns a tag with a container of 8 bytes, extended commands, and no memory in the plain system information.
    static func st25DV16K(_ message: [UInt8]) -> Type5Card {
        let card = formatted(blocks: 512, cc: "E2400001 000000FF", message)
        card.uid = bytes("E002 2611 22334455")
        card.kind = .extended
        card.lockable = { $0 < 2 }
        return card
    }

    /// Returns an older ST chip.
    ///
    /// All of its commands have the protocol extension flag, and the size in the container overflows.
    static func m24LR64(_ message: [UInt8], blocks: Int = 2048) -> Type5Card {
        let card = formatted(blocks: blocks, cc: "E140FF05", message)
        card.uid = bytes("E002 5E11 22334455")
        card.kind = .protocolExtension
        card.lockable = { _ in false }
        return card
    }

    var target: Target { .nfcV(NFCVTarget(uid: uid)) }
    var blockCount: Int { memory.count / blockSize }

    func reset() {}

    func block(_ number: Int) -> [UInt8] { Array(memory[number * blockSize..<(number + 1) * blockSize]) }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        guard framing == .raw, command.count >= 10 else { return nil }
        let (flags, code) = (command[0], command[1])
        // In Extended Get System Information, the request field precedes the UID, and in custom commands, the
        // manufacturer code.
        let start = code == 0x3B || code >= 0xA0 ? 3 : 2
        guard flags & 0x26 == 0x22, command.count >= start + 8, Array(command[start..<start + 8].reversed()) == uid
        else {
            return nil
        }
        let parameters = Array(command[(start + 8)...])
        let hasExtension = flags & 0x08 != 0
        guard !hasExtension || kind == .protocolExtension else { return error(0x03) }
        let hasOption = flags & 0x40 != 0
        switch code {
        case 0x2B: return systemInformation(hasExtension)
        case 0x3B where kind == .extended: return [0x00] + information(blockCountBytes: 2)
        case 0x20, 0x21, 0x22, 0x23, 0x2C:
            guard hasExtension == (kind == .protocolExtension) else { return error(0x0F) }
            return blockCommand(code, parameters, numberSize: hasExtension ? 2 : 1, hasOption)
        case 0x30, 0x31, 0x32, 0x33, 0x3C:
            guard kind == .extended else { return error(0x01) }
            return blockCommand(code - 0x10, parameters, numberSize: 2, hasOption)
        default: return error(0x01)
        }
    }

    private func error(_ code: UInt8) -> [UInt8] { [0x01, code] }

    private func systemInformation(_ hasExtension: Bool) -> [UInt8] {
        switch kind {
        case .plain: [0x00] + information(blockCountBytes: 1)
        case .extended: [0x00] + information(blockCountBytes: 0)
        case .protocolExtension where hasExtension: [0x00] + information(blockCountBytes: 2)
        case .protocolExtension, .mute: error(0x0F)
        }
    }

    private func information(blockCountBytes: Int) -> [UInt8] {
        let count = blockCount - 1
        let memory: [UInt8] =
            switch blockCountBytes {
            case 0: []
            case 1: [UInt8(count), UInt8(blockSize - 1)]
            default: [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(blockSize - 1)]
            }
        return [memory.isEmpty ? 0x0B : 0x0F] + uid.reversed() + [0xD5, 0xAF] + memory + [0x5E]
    }

    private func blockCommand(
        _ code: UInt8, _ parameters: [UInt8], numberSize: Int, _ hasOption: Bool
    ) -> [UInt8] {
        guard parameters.count >= numberSize else { return error(0x02) }
        let number = parameters.prefix(numberSize).reversed().reduce(0) { $0 << 8 | Int($1) }
        let rest = Array(parameters.dropFirst(numberSize))
        // On the older ST chips, READ MULTIPLE BLOCKS has a one-byte count, even with two-byte block numbers.
        let count = rest.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) } + 1
        guard number < blockCount else { return error(0x10) }
        switch code {
        case 0x20:
            guard rest.isEmpty else { return error(0x02) }
            if hasOption, !tellsStatusByOption { return error(0x03) }
            return [0x00] + (hasOption ? [locked.contains(number) ? 1 : 0] : []) + block(number)
        case 0x23:
            guard multipleRead != .none, count <= longestRun else { return error(0x01) }
            if kind == .protocolExtension, number / 32 != (number + count - 1) / 32 { return error(0x0F) }
            guard number + count <= blockCount || multipleRead == .truncated else { return error(0x10) }
            if hasOption, !tellsStatusByOption { return error(0x03) }
            return [0x00]
                + (number..<min(number + count, blockCount)).flatMap { number in
                    (hasOption ? [locked.contains(number) ? 1 : 0] : []) + block(number)
                }
        case 0x2C:
            guard tellsStatus else { return error(0x01) }
            guard number + count <= blockCount else { return error(0x10) }
            return [0x00] + (number..<number + count).map { locked.contains($0) ? 1 : 0 }
        default:
            if let neededOption, neededOption != hasOption { return error(0x03) }
            return code == 0x21 ? write(number, rest) : lock(number)
        }
    }

    private func write(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count == blockSize else { return error(0x02) }
        guard !locked.contains(number) else { return error(lockedError) }
        memory.replaceSubrange(number * blockSize..<(number + 1) * blockSize, with: bytes)
        writes.append(number)
        return [0x00]
    }

    private func lock(_ number: Int) -> [UInt8] {
        guard !locked.contains(number) else { return error(0x11) }
        guard lockable(number) else { return error(0x14) }
        locked.insert(number)
        locks.append(number)
        return [0x00]
    }
}

/// A reader with a card that stays selected after silence.
///
/// The reader may give up on writes, and may not support some commands.
final class VicinityChannel: TagChannel {
    let target: Target
    var maxCommandLength = 262
    var maxResponseLength = 262
    private let card: any Card
    /// Whether answers to writes and locks never arrive, although the commands are carried out.
    var losesWriteAnswers = false
    /// The codes of commands that the reader cannot send.
    var unknownCodes: Set<UInt8> = []
    /// Whether the reader removes the response flags, so that an error looks like silence.
    var hidesErrors = false
    /// Returns what becomes of an answer on its way, or nil if it is lost.
    var distort: (_ command: [UInt8], _ answer: [UInt8]) -> [UInt8]? = { $1 }
    private(set) var commands: [[UInt8]] = []

    init(_ card: Type5Card) {
        self.card = card
        target = card.target
    }

    func carries(_ command: [UInt8], framing: Framing) -> Bool {
        command.count < 2 || !unknownCodes.contains(command[1])
    }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        guard carries(command, framing: framing) else { throw .cannotSend(command: command[1], reader: "test") }
        commands.append(command)
        guard let answer = card.answer(command, framing: framing), let answer = distort(command, answer),
            !hidesErrors || answer.first != 0x01, !losesWriteAnswers || ![0x21, 0x22, 0x31, 0x32].contains(command[1])
        else { throw .noAnswer }
        return Array(answer.prefix(maxResponseLength))
    }

    func hidesRefusal(of command: [UInt8]) -> Bool { hidesErrors }

    func reselect() throws(ReaderError) {}

    /// Returns the codes of the commands since the last call.
    func codes() -> [UInt8] {
        defer { commands = [] }
        return commands.map { $0[1] }
    }
}
