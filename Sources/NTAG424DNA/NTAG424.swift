// Commands that a reader sends to an NTAG 424 DNA, and authentication — NXP NT4H2421Gx, 8.4, 9.1, 10; AN12196

public import ReaderInterface
public import SecureDynamicMessaging
public import TagTypes

/// A session with an NTAG 424 DNA, in AES mode.
///
/// ```swift
/// var chip = NTAG424(over: channel)
/// try chip.select()
/// try chip.authenticate(0, .factory)
/// let settings = try chip.fileSettings(.ndef)
/// ```
///
/// All commands block, and must be sent on the queue that owns the reader. Any error from the tag ends the
/// authenticated session.
public struct NTAG424 {
    /// The files of the application.
    public enum File: UInt8, Hashable, Sendable, CaseIterable {
        /// The capability container, 32 bytes.
        case capabilityContainer = 0x01
        /// The NDEF file, 256 bytes, which is the only one with Secure Dynamic Messaging.
        case ndef = 0x02
        /// The proprietary file, 128 bytes.
        case proprietary = 0x03

        /// The file's settings at delivery — tables of 8.2.3.
        public var factorySettings: NativeFileSettings {
            switch self {
            case .capabilityContainer:
                NativeFileSettings(
                    communication: .plain,
                    rights: .init(read: .free, write: .key(0), readWrite: .key(0), change: .key(0)), size: 32)
            case .ndef:
                NativeFileSettings(
                    communication: .plain, rights: .init(read: .free, write: .free, readWrite: .free, change: .key(0)),
                    size: 256)
            case .proprietary:
                NativeFileSettings(
                    communication: .full,
                    rights: .init(read: .key(2), write: .key(3), readWrite: .key(3), change: .key(0)), size: 128)
            }
        }
    }

    /// The codes of the commands, which have the same names as in the data sheet.
    enum Command: UInt8 {
        case authenticateEV2First = 0x71
        case authenticateEV2NonFirst = 0x77
        case additionalFrame = 0xAF
        case getVersion = 0x60
        case getCardUID = 0x51
        case getFileSettings = 0xF5
        case changeFileSettings = 0x5F
        case getFileCounters = 0xF6
        case getKeyVersion = 0x64
        case changeKey = 0xC4
        case readData = 0xAD
        case writeData = 0x8D

        var name: String {
            switch self {
            case .authenticateEV2First: "AuthenticateEV2First"
            case .authenticateEV2NonFirst: "AuthenticateEV2NonFirst"
            case .additionalFrame: "an additional frame"
            case .getVersion: "GetVersion"
            case .getCardUID: "GetCardUID"
            case .getFileSettings: "GetFileSettings"
            case .changeFileSettings: "ChangeFileSettings"
            case .getFileCounters: "GetFileCounters"
            case .getKeyVersion: "GetKeyVersion"
            case .changeKey: "ChangeKey"
            case .readData: "ReadData"
            case .writeData: "WriteData"
            }
        }
    }

    private static let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    private static let cla: UInt8 = 0x90
    private static let wrappedStatus: UInt8 = 0x91
    private static let randomLength = 16
    private static let (isComplete, hasMore): (UInt8, UInt8) = (0x00, 0xAF)
    private static let (delayed, authenticationError): (UInt8, UInt8) = (0xAD, 0xAE)
    /// The maximum number of frames in one answer, which is more than the three that GetVersion needs.
    private static let mostFrames = 4
    /// The maximum number of retries while a tag delays authentication.
    ///
    /// Each answer uses up about 25 ms of the delay.
    private static let mostDelays = 80

    private let exchange: APDUExchange
    private let random: () -> [UInt8]
    /// The authenticated session, or nil if there is none.
    private(set) var session: NTAG424Session?

    /// Creates a session over a channel to an activated tag, without sending anything.
    public init(over channel: any TagChannel) {
        self.init(over: channel) { (0..<Self.randomLength).map { _ in .random(in: 0...255) } }
    }

    /// Creates a session in which `random` provides RndA, 16 bytes, for each authentication.
    init(over channel: any TagChannel, session: NTAG424Session? = nil, random: @escaping () -> [UInt8]) {
        exchange = APDUExchange(over: channel)
        (self.session, self.random) = (session, random)
    }

    /// The number of the authenticated key, or nil if there is no authenticated session.
    public var authenticatedKey: Int? { session?.keyNumber }

    // MARK: Selection, authentication

    /// ISOSelectFile: selects the application.
    ///
    /// - Throws: `TagError.commandFailed` if the tag refuses the selection.
    public mutating func select() throws(TagError) {
        session = nil
        let answer = try exchange.send(
            CommandAPDU(ins: 0xA4, p1: 0x04, p2: 0x0C, data: Self.application, ne: 256))
        guard answer.sw == .success else {
            throw .commandFailed(command: "SELECT of the application", offset: nil, sw: answer.sw.rawValue)
        }
    }

    /// AuthenticateEV2First: mutual authentication with a key.
    ///
    /// - Parameters:
    ///   - number: the number of the key, 0…4.
    ///   - key: the key.
    /// - Throws: `TagError.wrongKey`; `TagError.commandFailed` with 91AD if the tag still delays authentication after
    ///   wrong keys.
    public mutating func authenticate(_ number: Int, _ key: AES128Key) throws(TagError) {
        // LenCap is 0: no capabilities follow.
        let exchange = try handshake(.authenticateEV2First, [UInt8(truncatingIfNeeded: number), 0x00], number, key)
        guard exchange.answer.count == 2 * AES128Key.length else {
            throw Self.wrongAnswer(to: .authenticateEV2First, exchange.answer)
        }
        session = NTAG424Session(
            keyNumber: number, key: key, rndA: exchange.rndA, rndB: exchange.rndB,
            transaction: Array(exchange.answer.prefix(4)))
        try checkRandom(
            exchange.rndA, in: exchange.answer.dropFirst(4).prefix(Self.randomLength), .authenticateEV2First)
    }

    /// AuthenticateEV2NonFirst: authenticates with another key in the same transaction, and continues the command
    /// counter.
    ///
    /// Without a session, it works like ``authenticate(_:_:)``. The errors are the same.
    public mutating func authenticateNext(_ number: Int, _ key: AES128Key) throws(TagError) {
        guard let previous = session else { return try authenticate(number, key) }
        let exchange = try handshake(.authenticateEV2NonFirst, [UInt8(truncatingIfNeeded: number)], number, key)
        session = NTAG424Session(
            keyNumber: number, key: key, rndA: exchange.rndA, rndB: exchange.rndB, transaction: previous.transaction,
            counter: previous.counter)
        try checkRandom(exchange.rndA, in: exchange.answer[...], .authenticateEV2NonFirst)
    }

    /// Performs both parts of an authentication, and returns the decrypted answer and both random numbers.
    private mutating func handshake(
        _ command: Command, _ data: [UInt8], _ number: Int, _ key: AES128Key
    ) throws(TagError) -> (answer: [UInt8], rndA: [UInt8], rndB: [UInt8]) {
        session = nil
        var challenge = try transceive(command.rawValue, data)
        for _ in 0..<Self.mostDelays where challenge.status == Self.delayed {
            challenge = try transceive(command.rawValue, data)
        }
        try require(challenge, Self.hasMore, command)
        guard challenge.data.count == Self.randomLength else { throw Self.wrongAnswer(to: command, challenge.data) }
        let rndA = random()
        let rndB = key.deciphered(challenge.data)
        let proof = try transceive(
            Command.additionalFrame.rawValue, key.enciphered(rndA + rndB.dropFirst() + rndB.prefix(1)))
        if proof.status == Self.authenticationError { throw .wrongKey(number: number) }
        try require(proof, Self.isComplete, command)
        guard !proof.data.isEmpty, proof.data.count.isMultiple(of: AES128Key.length) else {
            throw Self.wrongAnswer(to: command, proof.data)
        }
        return (key.deciphered(proof.data), rndA, rndB)
    }

    /// Checks that the tag has the key.
    ///
    /// The tag must return the reader's random number with the first byte moved to the end.
    private mutating func checkRandom(
        _ rndA: [UInt8], in answer: ArraySlice<UInt8>, _ command: Command
    ) throws(TagError) {
        guard answer.elementsEqual(rndA.dropFirst() + rndA.prefix(1)) else {
            session = nil
            throw Self.wrongAnswer(to: command, [])
        }
    }

    // MARK: Commands

    /// Sends a command with the session's protection, and returns the data of the answer.
    ///
    /// - Parameters:
    ///   - command: the command, with its code and its name for errors.
    ///   - header: the part that stays in plain text.
    ///   - data: the part that is encrypted in full mode.
    ///   - mode: the protection within a session. Without a session, the command is plain.
    ///   - endsSession: whether success ends the session, so that the answer has no MAC.
    /// - Returns: the data of all frames of the answer, in plain text.
    /// - Throws: `TagError.commandFailed`, `TagError.protocolViolation`. Either error ends the session.
    mutating func send(
        _ command: Command, header: [UInt8] = [], data: [UInt8] = [], _ mode: NativeFileSettings.Communication,
        endsSession: Bool = false
    ) throws(TagError) -> [UInt8] {
        var open = session
        session = nil
        let field = open?.sealed(command.rawValue, header, data, mode) ?? header + data
        var answer = try transceive(command.rawValue, field)
        var collected = answer.data
        for _ in 1..<Self.mostFrames where answer.status == Self.hasMore {
            answer = try transceive(Command.additionalFrame.rawValue, [])
            collected += answer.data
        }
        try require(answer, Self.isComplete, command)
        guard !endsSession else { return collected }
        let opened = try open?.opened(collected, to: command.name, mode)
        session = open
        return opened ?? collected
    }

    private func transceive(_ code: UInt8, _ data: [UInt8]) throws(TagError) -> (data: [UInt8], status: UInt8) {
        let answer = try exchange.send(CommandAPDU(cla: Self.cla, ins: code, p1: 0, p2: 0, data: data, ne: 256))
        guard answer.sw.sw1 == Self.wrappedStatus else {
            throw .commandFailed(
                command: Command(rawValue: code)?.name ?? "a command", offset: nil, sw: answer.sw.rawValue)
        }
        return (answer.data, answer.sw.sw2)
    }

    private func require(
        _ answer: (data: [UInt8], status: UInt8), _ status: UInt8, _ command: Command
    ) throws(TagError) {
        guard answer.status == status else {
            throw .commandFailed(
                command: command.name, offset: nil, sw: UInt16(Self.wrappedStatus) << 8 | UInt16(answer.status))
        }
    }

    static func wrongAnswer(to command: Command, _ found: [UInt8]) -> TagError {
        .protocolViolation(
            field: "the answer to \(command.name)",
            found: found.isEmpty ? "another random number" : "\(found.count) bytes",
            expected: "an answer as in the data sheet", offset: nil)
    }
}
