// The command set of a MIFARE DESFire — NXP MF3ICDx21_41_81; ISO/IEC 7816-4 wrapping

/// The card's application, which executes the commands in the blocks of ISO-DEP.
///
/// The card supports standard data files in plain communication mode, and DES, two-key triple DES and AES keys. It does
/// not support backup, value and record files, or three-key triple DES.
struct DESFireCard: CardApplication {
    /// The operation that continues with the next frame, `AF`.
    enum Continuation: Hashable {
        case version(part: Int)
        case handshake(DESFireHandshake)
        case answer([UInt8])
        case write(Write)
    }

    struct Write: Hashable {
        let file: Int
        var offset: Int
        var missing: Int
        /// The command code and all data of the command so far.
        var command: [UInt8]
    }

    /// The maximum number of data bytes in one native frame.
    private static let frameSize = 59
    private static let wrappedClass: UInt8 = 0x90
    private static let wrappedStatus: UInt8 = 0x91

    var memory: DESFireMemory {
        didSet { if memory != oldValue { generation += 1 } }
    }
    private(set) var generation = 0
    /// The index of the selected application.
    ///
    /// Index 0 is the card level.
    var selected = 0
    /// The index of the current file for ISO/IEC 7816-4 commands; nil if no file is selected.
    var currentFile: Int?
    var session: DESFireSession?
    var continuation: Continuation?
    private var noise: TearNoise
    /// Receives the length of a write in bytes, and returns how many of these bytes reach the memory.
    ///
    /// If it is nil, all bytes reach the memory.
    var stored: (@Sendable (Int) -> Int)?

    init(memory: DESFireMemory) {
        self.memory = memory
        noise = TearNoise(seed: memory.version)
    }

    mutating func powerOff() {
        (selected, currentFile, session, continuation) = (0, nil, nil, nil)
    }

    mutating func execute(_ command: [UInt8], stored: @escaping @Sendable (Int) -> Int) -> [UInt8] {
        self.stored = stored
        defer { self.stored = nil }
        switch command.first {
        case Self.wrappedClass:
            guard let apdu = CommandAPDU(command), apdu.p1 == 0, apdu.p2 == 0 else {
                return [Self.wrappedStatus, DESFireStatus.lengthError.rawValue]
            }
            let (status, data) = native(apdu.ins, apdu.data)
            return data + [Self.wrappedStatus, status.rawValue]
        case 0x00:
            return iso(command)
        case let code?:
            let (status, data) = native(code, Array(command.dropFirst()))
            return [status.rawValue] + data
        case nil:
            return [DESFireStatus.lengthError.rawValue]
        }
    }

    var application: DESFireApplication {
        get { memory.applications[selected] }
        set { memory.applications[selected] = newValue }
    }

    mutating func select(_ index: Int) {
        (selected, currentFile, session) = (index, nil, nil)
    }

    // MARK: Native commands

    private mutating func native(_ code: UInt8, _ data: [UInt8]) -> (DESFireStatus, [UInt8]) {
        do throws(DESFireStatus) {
            if code == DESFireStatus.additionalFrame.rawValue {
                guard let continuation else { throw .illegalCommand }
                self.continuation = nil
                return try proceed(continuation, data)
            }
            continuation = nil
            return try begin(code, data)
        } catch {
            continuation = nil
            // After an error, the vectors that card and reader chain from message to message would differ.
            if session?.authentication != .legacy { session = nil }
            return (error, [])
        }
    }

    private mutating func begin(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> (DESFireStatus, [UInt8]) {
        if let authentication = DESFireAuthentication(rawValue: code) { return try challenge(authentication, data) }
        switch code {
        case 0x5A:
            try selectApplication(data)
            return (.success, [])
        case 0xC4, 0x54:
            return try secure(code, data)
        case 0x5F where try changeRight(of: data) != DESFireFile.free:
            return try secure(code, data)
        case 0x3D:
            return try write(code, data)
        case 0x60:
            try expect(data.isEmpty)
            session?.absorb([code])
            continuation = .version(part: 1)
            return (.additionalFrame, Array(memory.version.prefix(7)))
        default:
            session?.absorb([code] + data)
            return split(try answer(code, data))
        }
    }

    private mutating func answer(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
        switch code {
        case 0xCA: try createApplication(data)
        case 0xDA: try deleteApplication(data)
        case 0x6A: return try applicationIdentifiers(data)
        case 0xFC: try format(data)
        case 0x6E: return try freeMemory(data)
        case 0x45: return try keySettings(data)
        case 0x64: return try keyVersion(data)
        case 0x6F, 0x61: return try fileIdentifiers(data, areISO: code == 0x61)
        case 0xF5: return try fileSettings(data)
        case 0x5F: try changeFileSettings(data[...])
        case 0xCD: try createFile(data)
        case 0xDF: try deleteFile(data)
        case 0xBD: return try read(data)
        default: throw .illegalCommand
        }
        return []
    }

    private mutating func proceed(
        _ continuation: Continuation, _ data: [UInt8]
    ) throws(DESFireStatus) -> (DESFireStatus, [UInt8]) {
        switch continuation {
        case .version(let part):
            try expect(data.isEmpty)
            if part == 1 {
                self.continuation = .version(part: 2)
                return (.additionalFrame, Array(memory.version[7..<14]))
            }
            // The MAC covers all three parts of the version.
            let sealed = session?.seal(memory.version) ?? memory.version
            return (.success, Array(sealed.dropFirst(14)))
        case .answer(let rest):
            try expect(data.isEmpty)
            return frame(rest)
        case .handshake(var handshake):
            let (session, answer) = try handshake.finish(data)
            self.session = session
            return (.success, answer)
        case .write(let write):
            return try proceed(write, data)
        }
    }

    /// Returns the first frame of an answer.
    ///
    /// In a session, the answer includes the session's MAC.
    private mutating func split(_ data: [UInt8]) -> (DESFireStatus, [UInt8]) { frame(session?.seal(data) ?? data) }

    private mutating func frame(_ data: [UInt8]) -> (DESFireStatus, [UInt8]) {
        guard data.count > Self.frameSize else { return (.success, data) }
        continuation = .answer(Array(data.dropFirst(Self.frameSize)))
        return (.additionalFrame, Array(data.prefix(Self.frameSize)))
    }

    func expect(_ condition: Bool) throws(DESFireStatus) {
        guard condition else { throw .lengthError }
    }

    // MARK: Authentication

    private mutating func challenge(
        _ authentication: DESFireAuthentication, _ data: [UInt8]
    ) throws(DESFireStatus) -> (DESFireStatus, [UInt8]) {
        session = nil
        try expect(data.count == 1)
        guard application.keys.indices.contains(Int(data[0])) else { throw .noSuchKey }
        let key = application.keys[Int(data[0])].cipher
        guard key.algorithm == authentication.algorithm else { throw .authenticationError }
        let random = noise.next().bigEndianBytes + noise.next().bigEndianBytes
        var handshake = DESFireHandshake(
            authentication, keyNumber: data[0], key: key, challenge: Array(random.prefix(key.blockSize)))
        let answer = handshake.firstAnswer()
        continuation = .handshake(handshake)
        return (.additionalFrame, answer)
    }

    /// Whether the session was authenticated with key 0 of the application, its master key.
    var isMaster: Bool { session?.keyNumber == 0 }

    /// Executes a command with enciphered data: ChangeKey, ChangeKeySettings or ChangeFileSettings.
    private mutating func secure(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> (DESFireStatus, [UInt8]) {
        guard var session else { throw .authenticationError }
        switch code {
        case 0xC4:
            let isOwnKey = try changeKey(data, &session)
            // A session ends when the key with which it was authenticated changes.
            self.session = isOwnKey ? nil : session
        case 0x54:
            guard isMaster, application.keySettings & DESFireApplication.Setting.settingsChangeable != 0 else {
                throw isMaster ? .permissionDenied : .authenticationError
            }
            let settings = try session.decipher(data, after: [code], size: 1).data
            application.keySettings = settings[0]
            self.session = session
        default:
            guard session.keyNumber == (try changeRight(of: data)) else { throw .authenticationError }
            let settings = try session.decipher(Array(data.dropFirst()), after: [code, data[0]], size: 3).data
            try changeFileSettings([data[0]] + settings)
            self.session = session
        }
        return split([])
    }
}
