// Commands to the tag in a PC/SC reader's field, and its answers

import Logging
import ReaderInterface

/// What a channel needs of its reader.
protocol ChannelOwner: APDUCarrier {
    /// Whether the channel's target is the connected one.
    func isCurrent(_ channel: PCSCChannel) -> Bool
    /// Activates the target again.
    func reselect(_ target: Target) throws(ReaderError)
}

/// The channel to the target a reader has connected; dead as soon as the reader connects another.
final class PCSCChannel: TagChannel {
    let target: Target
    let reader: String
    private unowned let owner: any ChannelOwner
    private let logger: Logger
    private let longestAPDU: APDULimit
    private var translator: FrameTranslator
    let session: TransparentSession
    private var mask = WireMask()
    /// Whether the reader's block addresses are known to be right.
    var proof = AddressProof.unknown
    var blockSize = BlockSize()
    /// The key that the reader holds: loading it again would wear a memory that keeps it.
    private var loadedKey: [UInt8]?
    /// A password or key was sent since the last activation.
    private(set) var hasAuthenticated = false
    /// The last command without an answer, and how often it was not answered; other commands in between do not reset it.
    var silence: (command: [UInt8], count: Int) = ([], 0)

    init(
        target: Target, reader: String, dialect: ReaderDialect, owner: any ChannelOwner, limit: APDULimit,
        logger: Logger
    ) {
        self.target = target
        self.reader = reader
        self.owner = owner
        self.logger = logger
        longestAPDU = limit
        translator = FrameTranslator(dialect: dialect, target: target)
        session = TransparentSession(owner)
    }

    var dialect: ReaderDialect { translator.dialect }

    func carries(_ command: [UInt8], framing: Framing) -> Bool {
        guard let plan = translator.plan(command, framing: framing) else { return false }
        return !plan.updatesBinary || !owner.isCurrent(self) || canUpdateBinary()
    }

    func hidesRefusal(of command: [UInt8]) -> Bool {
        switch plan(command) {
        case .apdus(_, .nfcV)?, .blocks(.write)?: true
        case .apdus?, .blocks(.read)?, .frame?, nil: false
        }
    }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        switch try traced(command, framing, timeout, limit: maxCommandLength) {
        case .bytes(let bytes): return bytes
        // ACK, where the reader does not take it off itself.
        case .nibble(0xA) where framing == .handled: return []
        case .nibble: throw .noAnswer
        }
    }

    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        do throws(ReaderError) {
            let answer = try traced(command, .raw, timeout, limit: maxFrameLength)
            if silence.command == command { silence = ([], 0) }
            return answer
        } catch .noAnswer where isBlockCommand(command) {
            return try refusal(of: command)
        } catch .noAnswer where isBlockCommandAfterPassword(command) {
            silence = (command, silence.command == command ? silence.count + 1 : 1)
            guard isRefused else { throw .noAnswer }
            return .nibble(0)
        }
    }

    func reselect() throws(ReaderError) {
        guard owner.isCurrent(self) else { throw .tagLost }
        forgetState()
        try owner.reselect(target)
    }

    /// The card was reset: no session is open, and the reader may have forgotten the key.
    func forgetState() {
        session.forget()
        loadedKey = nil
        hasAuthenticated = false
    }

    /// How a frame would be sent.
    func plan(_ command: [UInt8]) -> FramePlan? { translator.plan(command, framing: .raw) }

    /// Sends a frame once.
    func frame(_ command: [UInt8]) throws(ReaderError) -> FrameAnswer {
        try traced(command, .raw, Self.defaultTimeout, limit: maxFrameLength)
    }

    /// SECTOR SELECT — NFC Forum T2T.
    private static let sectorSelect: UInt8 = 0xC2
    private static let readOfBlock0: [UInt8] = [0x30, 0x00]
    /// PWD_AUTH, and AUTHENTICATE of an Ultralight C.
    private static let authenticating: Set<UInt8> = [0x1B, 0x1A, 0xAF]

    private func traced(
        _ command: [UInt8], _ framing: Framing, _ timeout: Duration, limit: Int
    ) throws(ReaderError) -> FrameAnswer {
        guard owner.isCurrent(self) else { throw .tagLost }
        guard 1...limit ~= command.count else { throw .commandTooLong(length: command.count, limit: limit) }
        if case .nfcA = target, Self.authenticating.contains(command[0]) { hasAuthenticated = true }
        let shown = mask.text(ofCommand: command, to: target)
        logger.trace("> \(shown)")
        do throws(ReaderError) {
            let answer = try answer(to: command, framing, timeout)
            switch answer {
            case .bytes(let bytes):
                let shown = mask.text(ofAnswer: bytes)
                logger.trace("< \(shown)")
            case .nibble(let nibble): logger.trace("< 4 bits: \(nibble)")
            }
            return answer
        } catch {
            logger.trace("< \(error)")
            throw error
        }
    }

    private func answer(
        to command: [UInt8], _ framing: Framing, _ timeout: Duration
    ) throws(ReaderError) -> FrameAnswer {
        guard let plan = translator.plan(command, framing: framing) else { throw cannotSend(command) }
        // Behind SECTOR SELECT, blocks 0 and 1 are others.
        if case .nfcA = target, command.first == Self.sectorSelect, proof == .unknown,
            case .apdus? = self.plan(Self.readOfBlock0)
        {
            _ = canUpdateBinary()
        }
        if plan.updatesBinary { try proveAddresses(for: command) }
        switch plan {
        case .apdus(let apdus, let form): return try answer(to: apdus, form)
        case .blocks(let access): return .bytes(try answer(to: access))
        case .frame(let standard, let isSlow):
            guard try session.open(standard) else {
                // The reader knows sessions: this time the radio failed.
                guard !session.wasOpen else { throw .noAnswer }
                // Another way may be left, and later commands need not try this one.
                translator.hasNoSession = true
                return try answer(to: command, framing, timeout)
            }
            return try exchange(command, isSlow ? timeout : nil)
        }
    }

    func cannotSend(_ command: [UInt8]) -> ReaderError {
        // The reader may support this command with the plain request flags.
        var flags: UInt8?
        if case .nfcV = target, command.count > 1, command[0] & ~Self.addressFlag != Self.plainFlags,
            translator.plan([Self.plainFlags] + command[1...], framing: .raw) != nil
        {
            flags = command[0]
        }
        return .cannotSend(
            command: code(of: command), reader: reader, technology: target.technology, flags: flags)
    }

    /// High data rate; readers set this flag and the address flag themselves — ISO/IEC 15693-3, 7.3.1.
    private static let plainFlags: UInt8 = 0x02
    private static let addressFlag: UInt8 = 0x20

    /// The byte that names a command: FeliCa frames begin with a length, NFC-V requests with flags.
    private func code(of command: [UInt8]) -> UInt8 {
        switch target {
        case .nfcF, .nfcV: command.dropFirst().first ?? command.first ?? 0
        case .nfcA(let card) where card.isISODEP && command.count >= 4: command[1]
        case .nfcA, .nfcB, .jewel: command.first ?? 0
        }
    }

    private func exchange(_ frame: [UInt8], _ timeout: Duration?) throws(ReaderError) -> FrameAnswer {
        let answer = try session.exchange(frame, microseconds: timeout.map(Self.microseconds))
        if case .nfcA = target, answer.bytes.count == 1, answer.lastBits == 4 || answer.bytes[0] <= 0x0F {
            return .nibble(answer.bytes[0] & 0x0F)
        }
        return .bytes(answer.bytes)
    }

    /// 1 ms to 5 s: as long as readers are known to wait.
    private static func microseconds(_ duration: Duration) -> UInt32 {
        UInt32(min(max(duration, .milliseconds(1)), .seconds(5)) / .microseconds(1))
    }

    // MARK: APDUs

    func send(_ apdu: [UInt8]) throws(ReaderError) -> ReaderResponse { try owner.transmit(apdu) }

    private func answer(to apdus: [[UInt8]], _ form: FramePlan.Answer) throws(ReaderError) -> FrameAnswer {
        // The last APDU needs the card without a session between.
        if session.standard != nil { session.end() }
        for apdu in apdus.dropLast() where apdu != loadedKey {
            guard try send(apdu).isSuccess else { throw .noAnswer }
            loadedKey = apdu
        }
        guard let last = apdus.last else { throw .noAnswer }
        let response = try send(last)
        switch form {
        case .apdu: return .bytes(response.bytes)
        case .data(let count):
            if response.isRefusal { return .nibble(0) }
            guard response.isSuccess, response.data.count >= count else { throw .noAnswer }
            return .bytes(Array(response.data.prefix(count)))
        case .acknowledgement:
            if response.isRefusal { return .nibble(0) }
            guard response.isSuccess else { throw .noAnswer }
            return .nibble(0xA)
        case .direct: return .bytes(try Self.directAnswer(response))
        case .nfcV: return .bytes(try Self.nfcVAnswer(response))
        }
    }

    /// `D5 43 status answer`; status bits 0…5 are the error — NXP UM0701-02, 7.1.
    private static func directAnswer(_ response: ReaderResponse) throws(ReaderError) -> [UInt8] {
        guard response.isSuccess, response.data.count >= 3, response.data[0] == 0xD5,
            response.data[1] == 0x43 || response.data[1] == 0x41, response.data[2] & 0x3F == 0
        else { throw .noAnswer }
        return Array(response.data[3...])
    }

    /// The flags that a reader took off: the status words that have a counterpart among the tag's error codes become that.
    ///
    /// ISO/IEC 15693-3, 7.4.2; which status word stands for which is our reading of PC/SC part 3.
    static func nfcVAnswer(_ response: ReaderResponse) throws(ReaderError) -> [UInt8] {
        switch response.sw {
        case 0x9000: return [0x00] + response.data
        case 0x6A82: return [0x01, 0x10]
        case 0x6982, 0x6986: return [0x01, 0x12]
        case 0x6A81, 0x6D00: return [0x01, 0x01]
        default: throw .noAnswer
        }
    }
}

// MARK: Lengths

/// The longest APDUs that a reader carries.
struct APDULimit: Hashable {
    /// Bytes of a command APDU.
    let command: Int
    /// Bytes of a response APDU.
    let response: Int

    /// Short APDUs — ISO/IEC 7816-4, 5.1: header, Lc, 255 bytes, Le; 256 bytes and a status word.
    static let short = APDULimit(command: 261, response: 258)
    /// Extended APDUs; a byte less than 65,536 keeps lengths within the reader process's messages.
    static let extended = APDULimit(command: 65_535, response: 65_535)
}

extension PCSCChannel {
    var maxCommandLength: Int {
        switch target {
        case .nfcA(let card) where card.isISODEP: longestAPDU.command
        case .nfcB: longestAPDU.command
        case .nfcA where dialect.rawNFCA == .transparent: 0xFF - TransparentSession.overhead
        case .nfcF where dialect.nfcF == .transparent: 0xFF - TransparentSession.overhead
        case .nfcA, .nfcF: 0xFF - 2
        case .jewel: 0xFF - 3
        case .nfcV: 0xFF - TransparentSession.overhead
        }
    }

    /// A program that works with an ACR1552U limits READ MULTIPLE BLOCKS to 128 bytes.
    private static let nfcVData = 128
    /// C0, 92, 96 and the head of 97.
    private static let sessionOverhead = 5 + 3 + 4 + 3
    /// D5, 43 and a status.
    private static let directOverhead = 3

    var maxResponseLength: Int {
        switch target {
        case .nfcA(let card) where card.isISODEP: longestAPDU.response
        case .nfcB: longestAPDU.response
        case .nfcA where dialect.rawNFCA == nil: 16
        case .nfcA where dialect.rawNFCA == .transparent: 256 - Self.sessionOverhead
        case .nfcF where dialect.nfcF == .transparent: 256 - Self.sessionOverhead
        // The ACR122U's answers end at 255 bytes with their status word.
        case .nfcA, .nfcF, .jewel: 253 - Self.directOverhead
        case .nfcV: 1 + Self.nfcVData
        }
    }
}
