// Exchanges with the tag in a PC/SC reader's field

import Logging
import ReaderInterface

/// The reader's side of a channel.
protocol ChannelOwner: APDUCarrier {
    /// Whether the channel's target is the one that is connected now.
    func isCurrent(_ channel: PCSCChannel) -> Bool
    func reselect(_ target: Target) throws(ReaderError)
}

/// The channel to the target that a reader has connected.
///
/// The channel becomes invalid when the reader connects another target.
final class PCSCChannel: TagChannel {
    let target: Target
    let reader: String
    private unowned let owner: any ChannelOwner
    private let logger: Logger
    private let longestAPDU: APDULimit
    private var translator: FrameTranslator
    let session: TransparentSession
    private var mask = WireMask()
    var proof = AddressProof.unknown
    var blockSize = BlockSize()
    /// The command that loaded the key that is now in the reader.
    ///
    /// The same key is not loaded again, to avoid wear if the reader stores it permanently.
    private var loadedKey: [UInt8]?
    /// Whether a password or key was sent since the last activation.
    private(set) var hasAuthenticated = false
    /// The last unanswered command, and how many times it was not answered.
    ///
    /// Other commands in between do not reset the count.
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
        // The reader did not remove this ACK.
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

    /// Clears the channel's state after a reset of the card.
    ///
    /// No session is open, and the reader may have lost the key.
    func forgetState() {
        session.forget()
        loadedKey = nil
        hasAuthenticated = false
    }

    func plan(_ command: [UInt8]) -> FramePlan? { translator.plan(command, framing: .raw) }

    func frame(_ command: [UInt8]) throws(ReaderError) -> FrameAnswer {
        try traced(command, .raw, Self.defaultTimeout, limit: maxFrameLength)
    }

    /// SECTOR SELECT — NFC Forum T2T.
    private static let sectorSelect: UInt8 = 0xC2
    private static let readOfBlock0: [UInt8] = [0x30, 0x00]
    /// The first bytes of PWD_AUTH and of both parts of an Ultralight C's AUTHENTICATE.
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
        // Verify the addresses now, because after SECTOR SELECT, the numbers 0 and 1 mean other blocks.
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
                // The reader supports sessions, so this failure was one of the radio.
                guard !session.wasOpen else { throw .noAnswer }
                // Try another route, and do not try sessions again for later commands.
                translator.hasNoSession = true
                return try answer(to: command, framing, timeout)
            }
            return try exchange(command, isSlow ? timeout : nil)
        }
    }

    func cannotSend(_ command: [UInt8]) -> ReaderError {
        // If the reader supports the command with the plain request flags, the error names the flags that it does not
        // support.
        var flags: UInt8?
        if case .nfcV = target, command.count > 1, command[0] & ~Self.addressFlag != Self.plainFlags,
            translator.plan([Self.plainFlags] + command[1...], framing: .raw) != nil
        {
            flags = command[0]
        }
        return .cannotSend(
            command: code(of: command), reader: reader, technology: target.technology, flags: flags)
    }

    /// The flag for a high data rate, which readers set themselves, like the address flag — ISO/IEC 15693-3, 7.3.1.
    private static let plainFlags: UInt8 = 0x02
    private static let addressFlag: UInt8 = 0x20

    /// Returns the byte that identifies a command.
    ///
    /// FeliCa frames start with a length, and NFC-V requests with flags.
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

    /// Returns a duration in microseconds, limited to the range from 1 ms to 5 s.
    ///
    /// Readers are known to wait up to 5 s.
    private static func microseconds(_ duration: Duration) -> UInt32 {
        UInt32(min(max(duration, .milliseconds(1)), .seconds(5)) / .microseconds(1))
    }

    // MARK: APDUs

    func send(_ apdu: [UInt8]) throws(ReaderError) -> ReaderResponse { try owner.transmit(apdu) }

    private func answer(to apdus: [[UInt8]], _ form: FramePlan.Answer) throws(ReaderError) -> FrameAnswer {
        // End the session, because the last APDU needs the card outside a session.
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

    /// Extracts the answer from `D5 43 status answer`.
    ///
    /// Bits 0…5 of the status are the error — NXP UM0701-02, 7.1.
    private static func directAnswer(_ response: ReaderResponse) throws(ReaderError) -> [UInt8] {
        guard response.isSuccess, response.data.count >= 3, response.data[0] == 0xD5,
            response.data[1] == 0x43 || response.data[1] == 0x41, response.data[2] & 0x3F == 0
        else { throw .noAnswer }
        return Array(response.data[3...])
    }

    /// Adds the response flags that a reader removed.
    ///
    /// A status word that corresponds to a tag's error code is converted to that code.
    ///
    /// ISO/IEC 15693-3, 7.4.2. The correspondence is inferred from PC/SC part 3.
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

/// The longest APDUs that a reader supports.
struct APDULimit: Hashable {
    /// The maximum number of bytes in a command APDU.
    let command: Int
    /// The maximum number of bytes in a response APDU.
    let response: Int

    /// Short APDUs — ISO/IEC 7816-4, 5.1.
    ///
    /// Command: header, Lc, 255 bytes, Le. Response: 256 bytes and a status word.
    static let short = APDULimit(command: 261, response: 258)
    /// Extended APDUs.
    ///
    /// Each limit is 65,535 instead of 65,536 bytes, so that an APDU fits into a message of the reader process.
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

    /// The maximum length of the data that READ MULTIPLE BLOCKS returns, in bytes.
    ///
    /// A program that is known to work with an ACR1552U uses 128 bytes.
    private static let nfcVData = 128
    /// The number of bytes for the objects C0, 92 and 96, and for the header of 97.
    private static let sessionOverhead = 5 + 3 + 4 + 3
    /// The number of bytes for D5, 43 and a status.
    private static let directOverhead = 3

    var maxResponseLength: Int {
        switch target {
        case .nfcA(let card) where card.isISODEP: longestAPDU.response
        case .nfcB: longestAPDU.response
        case .nfcA where dialect.rawNFCA == nil: 16
        case .nfcA where dialect.rawNFCA == .transparent: 256 - Self.sessionOverhead
        case .nfcF where dialect.nfcF == .transparent: 256 - Self.sessionOverhead
        // The ACR122U's answers have at most 255 bytes, including their status word.
        case .nfcA, .nfcF, .jewel: 253 - Self.directOverhead
        case .nfcV: 1 + Self.nfcVData
        }
    }
}
