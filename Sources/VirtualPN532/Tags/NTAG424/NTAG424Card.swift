// The command set of an NTAG 424 DNA — NXP NT4H2421Gx, 8.3 to 8.6, 10

/// The card's application, which executes the commands in the blocks of ISO-DEP.
///
/// Not simulated: LRP mode (after SetConfiguration switches to it, no key works), and authentication with the
/// originality keys, which requires LRP.
struct NTAG424Card: CardApplication {
    /// A command that continues with the next frame, `AF`.
    enum Pending: Hashable {
        case version(part: Int)
        case handshake(NTAG424Handshake)
    }

    /// A series of commands that read a file without authentication.
    ///
    /// Only the first command increments SDMReadCtr.
    struct ReadSeries: Hashable {
        enum Command { case readData, isoReadBinary }

        let command: Command
        let file: Int
        let padding: [UInt8]
    }

    enum Command {
        static let firstAuthentication: UInt8 = 0x71
        static let nonFirstAuthentication: UInt8 = 0x77
        static let additionalFrame: UInt8 = 0xAF
        static let readData: UInt8 = 0xAD
        static let writeData: UInt8 = 0x8D
        static let changeKey: UInt8 = 0xC4
        static let changeFileSettings: UInt8 = 0x5F
        static let updateBinary: UInt8 = 0xD6
    }

    private static let wrappedClass: UInt8 = 0x90
    private static let isoClass: UInt8 = 0x00
    private static let wrappedStatus: UInt8 = 0x91
    /// The length of the longest answer in bytes.
    ///
    /// Le has only one byte (8.4).
    static let longestAnswer = 256
    /// The assumed duration of a command that does not use AES.
    ///
    /// NXP does not specify it.
    private static let plainTime: Duration = .microseconds(500)
    static let cipherTime: Duration = .milliseconds(3)
    /// The typical value of tcy(W) in table 2.
    private static let writeTime: Duration = .milliseconds(1)
    /// The time before the status AUTHENTICATION_DELAY is sent: about 65 % of the frame waiting time of 38.66 ms (9).
    static let delayTime: Duration = .milliseconds(25)

    var memory: NTAG424Memory {
        didSet { if memory != oldValue { generation += 1 } }
    }
    private(set) var generation = 0
    /// Whether the application is selected.
    ///
    /// After power-up, the MF is selected.
    var isApplicationSelected = false
    /// The index of the current file for ISO/IEC 7816-4 commands; nil if no file is selected.
    var currentFile: Int?
    var session: NTAG424Session?
    var pending: Pending?
    var series: ReadSeries?
    /// The random UID since the last power-up (4 bytes); nil if the chip shows its own UID.
    private(set) var randomID: [UInt8]?
    var time: Duration = NTAG424Card.plainTime
    /// The command bytes that have arrived while the last chained block is still missing.
    private(set) var begun: [UInt8] = []
    /// Whether the power stays on until the memory has been written.
    private var isPowerStable = true
    private let random: @Sendable (Int) -> [UInt8]

    /// Creates a card.
    ///
    /// `random` returns the requested number of random bytes. The card requests RndB and then TI for
    /// AuthenticateEV2First, RndB for AuthenticateEV2NonFirst, the padding of PICCData, and the random UID without its
    /// first byte.
    init(
        memory: NTAG424Memory,
        random: @escaping @Sendable (Int) -> [UInt8] = { (0..<$0).map { _ in .random(in: 0...255) } }
    ) {
        (self.memory, self.random) = (memory, random)
        drawRandomID()
    }

    var commandTime: Duration? { time }

    // MARK: Power

    /// Resets the volatile state because the field was switched off or the card was deselected.
    ///
    /// The received part of a chained write stays in the memory (8.5).
    mutating func powerOff() {
        storeBegun()
        (isApplicationSelected, currentFile, session, pending, series, begun) = (false, nil, nil, nil, nil, [])
    }

    /// Generates the random UID if it is switched on.
    ///
    /// Switching to it takes effect after a power cycle (8.1.1).
    mutating func drawRandomID() {
        // ISO/IEC 14443-3: a UID that starts with 08 is a random number.
        randomID = memory.configuration.hasRandomID ? [0x08] + random(3) : nil
    }

    func randomBytes(_ count: Int) -> [UInt8] { random(count) }

    /// Changes the memory, unless power fails first.
    ///
    /// The hardware writes up to 128 bytes completely or not at all (8.6).
    mutating func commit(_ change: (inout NTAG424Memory) -> Void) {
        if isPowerStable { change(&memory) }
    }

    // MARK: Commands

    mutating func begin(_ command: [UInt8]) { begun = command }

    mutating func execute(_ command: [UInt8], stored: @escaping @Sendable (Int) -> Int) -> [UInt8] {
        isPowerStable = stored(1) == 1
        time = Self.plainTime
        let generation = generation
        defer {
            (begun, isPowerStable) = ([], true)
            if generation != self.generation { time += Self.writeTime }
        }
        switch command.first {
        case Self.wrappedClass:
            let (status, data) = wrapped(command)
            return data + [Self.wrappedStatus, status.rawValue]
        case Self.isoClass:
            return iso(command)
        default:
            // 8.3: native commands must be wrapped.
            forgetState()
            return StatusWord.classNotSupported.bytes
        }
    }

    /// Parses a short APDU, whose length fields have one byte (8.4).
    ///
    /// Returns nil for any other command.
    static func apdu(_ command: [UInt8]) -> CommandAPDU? {
        let isExtended = command.count >= 7 && command[4] == 0
        return isExtended ? nil : CommandAPDU(command)
    }

    private mutating func wrapped(_ command: [UInt8]) -> (NTAG424Status, [UInt8]) {
        do throws(NTAG424Status) {
            guard let apdu = Self.apdu(command), apdu.wantsAll else { throw .lengthError }
            guard apdu.p1 == 0, apdu.p2 == 0 else { throw .parameterError }
            return try native(apdu.ins, apdu.data)
        } catch {
            // 9.1.9: any error ends the authenticated state.
            forgetState()
            return (error, [])
        }
    }

    mutating func forgetState() { (session, pending) = (nil, nil) }

    private mutating func native(
        _ code: UInt8, _ data: [UInt8]
    ) throws(NTAG424Status) -> (NTAG424Status, [UInt8]) {
        if code != Command.readData { series = nil }
        if let pending {
            self.pending = nil
            guard code == Command.additionalFrame else { throw .commandAborted }
            return try proceed(pending, data)
        }
        switch code {
        case Command.firstAuthentication, Command.nonFirstAuthentication:
            return (.additionalFrame, try challenge(isFirst: code == Command.firstAuthentication, data))
        case 0x60:
            try expect(try open(code, data, headerSize: 0, .mac).isEmpty)
            pending = .version(part: 1)
            return (.additionalFrame, Array(memory.version[..<7]))
        case 0x3C: return (.signature, try readSignature(code, data))
        default: return (.success, try answer(code, data))
        }
    }

    private mutating func answer(_ code: UInt8, _ data: [UInt8]) throws(NTAG424Status) -> [UInt8] {
        switch code {
        case 0x51: return try cardUID(code, data)
        case 0x64: return try keyVersion(code, data)
        case 0xF5: return try fileSettings(code, data)
        case 0xF6: return try fileCounters(code, data)
        case Command.changeFileSettings: return try changeFileSettings(code, data)
        case Command.changeKey: return try changeKey(code, data)
        case 0x5C: return try setConfiguration(code, data)
        case Command.readData: return try readData(code, data)
        case Command.writeData: return try writeData(code, data)
        default: throw .illegalCommand
        }
    }

    private mutating func proceed(
        _ pending: Pending, _ data: [UInt8]
    ) throws(NTAG424Status) -> (NTAG424Status, [UInt8]) {
        switch pending {
        case .handshake(let handshake):
            return (.success, try authenticate(handshake, data))
        case .version(let part):
            try expect(data.isEmpty)
            if part == 1 {
                self.pending = .version(part: 2)
                return (.additionalFrame, Array(memory.version[7..<14]))
            }
            // Table 22: the MAC covers all three parts.
            return (.success, Array(seal(memory.version, .mac).dropFirst(14)))
        }
    }

    func expect(_ condition: Bool) throws(NTAG424Status) {
        guard condition else { throw .lengthError }
    }

    /// Throws an error if the MF is selected instead of the application.
    func expectApplication() throws(NTAG424Status) {
        guard isApplicationSelected else { throw .permissionDenied }
    }

    // MARK: Secure messaging

    /// Checks and removes the protection of a command, and returns CmdData.
    ///
    /// Without a session, returns the data after the header.
    mutating func open(
        _ code: UInt8, _ data: [UInt8], headerSize: Int, _ mode: NTAG424Mode
    ) throws(NTAG424Status) -> [UInt8] {
        try expect(data.count >= headerSize)
        let (header, body) = (Array(data.prefix(headerSize)), Array(data.dropFirst(headerSize)))
        guard session != nil else { return body }
        if mode != .plain { time = max(time, Self.cipherTime) }
        var opened = session
        let content = try opened?.open(code, header, body, mode)
        session = opened
        return content ?? body
    }

    /// Adds the protection to RespData.
    ///
    /// Without a session, the data stays unchanged.
    func seal(_ data: [UInt8], _ mode: NTAG424Mode, status: NTAG424Status = .success) -> [UInt8] {
        session?.seal(data, mode, status: status) ?? data
    }

    // MARK: Chained writes

    /// Writes the received part of a write command that is incomplete or has a wrong MAC.
    mutating func storeBegun() {
        guard let write = try? plannedWrite(begun) else { return }
        memory.files[write.file].store(write.data, at: write.offset)
    }
}
