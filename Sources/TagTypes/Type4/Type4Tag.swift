// Type 4 Tag NDEF access — NFC Forum T4T, NDEF Detection and Read Procedures
import Hexadecimal
public import ReaderInterface

/// An NFC Forum Type 4 Tag: an NDEF tag application over ISO-DEP.
public final class Type4Tag: ForumTag {
    /// The selected NDEF file, or the reason why there is none.
    enum Application {
        case missing(reason: String)
        case present(Type4NDEFFile)
    }

    /// The result of selecting the NDEF file.
    enum Selection {
        case missing(reason: String)
        case selected(Type4CapabilityContainer)
    }

    /// The application or file that is selected on the card, as far as it is known.
    private enum Selected {
        case unknown
        /// The application that contains the NDEF file with this identifier. The file itself may also be selected.
        case application(of: UInt16)
        /// The NDEF file with this identifier.
        case file(UInt16)
    }

    /// The answer to select of a DESFire in the factory state.
    static let desfireATS: [UInt8] = [0x75, 0x77, 0x81, 0x02, 0x80]
    /// The answer to select of an NTAG 413 or 424 DNA.
    static let ntagATS: [UInt8] = [0x77, 0x77, 0x71, 0x02, 0x80]

    /// The connection to the target.
    public let channel: any TagChannel
    let patience: Patience
    var commands: Type4Commands
    private var application: Application?
    private var selected = Selected.unknown
    /// The version that GetVersion reported, or `nil` if it was not requested or not reported.
    var version: DESFireVersion?
    var isIdentified = false
    /// Whether the card has the application of electronic passports, or `nil` if this has not been checked.
    var isPassport: Bool?
    /// The known contents of the NDEF file, for each piece of a write plan.
    var known: [Span: [UInt8]] = [:]

    /// Creates a tag for an activated target.
    ///
    /// Sends nothing.
    ///
    /// - Parameters:
    ///   - channel: the connection to the activated tag.
    ///   - patience: how long commands are retried if the tag does not answer.
    public init(on channel: any TagChannel, patience: Patience = .standard) {
        self.channel = channel
        self.patience = patience
        commands = Type4Commands(over: channel)
    }

    /// The kind of tag.
    public var type: TagType? { .type4 }

    /// The chip, or `nil` if it was not identified.
    ///
    /// GetVersion identifies a chip, and so does an answer to select that NXP's application note AN10833 lists.
    /// ``memoryMap()`` sends GetVersion, and so do operations on cards without an NDEF application. Reading a message
    /// does not require it. A passport is recognised by its application, which no other card has.
    public var chip: Chip? {
        if let version { return version.chip }
        if isPassport == true { return Chip(name: "Electronic passport", evidence: Type4Commands.passportApplication) }
        guard case .nfcA(let target) = channel.target else { return nil }
        switch target.ats {
        case Self.desfireATS: return Chip(name: "MIFARE DESFire", evidence: target.ats)
        case Self.ntagATS: return Chip(name: "NTAG 4xx DNA", evidence: target.ats)
        default:
            // The ATS in the target lacks its length byte.
            let ats = [UInt8(truncatingIfNeeded: target.ats.count + 1)] + target.ats
            return ClassicOrigin.isMIFAREPlus(ats: ats) ? Chip(name: "MIFARE Plus", evidence: target.ats) : nil
        }
    }

    /// Runs the NDEF detection procedure: application, capability container, NDEF file, NLEN.
    ///
    /// The first READ BINARY of the NDEF file fetches as much as fits into one answer, so short messages arrive
    /// together with NLEN.
    public func detect() throws(TagError) -> NDEFState {
        switch try detectedApplication() {
        case .missing(let reason):
            let state = try initialisable()
            try identifyPassport()
            let isBlank = if case .refused? = state { false } else { state != nil }
            var found = NDEFState(
                status: .notSupported, capacity: state.map { capacityOnceInitialised($0) } ?? 0, messageLength: nil,
                isBlank: isBlank, reason: reason)
            found.taken = state.flatMap { memoryOnceInitialised($0) }
            return found
        case .present(let file):
            let reason = file.writeRefusal
            return NDEFState(
                status: reason == nil ? .readWrite : .readOnly, capacity: file.container.capacity,
                messageLength: file.nlen, reason: reason)
        }
    }

    /// Reads the message after NLEN.
    public func readNDEF() throws(TagError) -> [UInt8] {
        let file = try presentFile()
        let end = file.container.nlenSize + file.nlen
        let head = file.head.prefix(end).dropFirst(file.container.nlenSize)
        guard file.head.count < end else { return Array(head) }
        return try head + readFile(offset: file.head.count, count: end - file.head.count)
    }

    /// Reads bytes of the NDEF file piece by piece.
    ///
    /// If a request for a piece gets no answer, its bytes are requested again in shorter pieces.
    func readFile(offset: Int, count: Int) throws(TagError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let place = offset + bytes.count
            let rest = count - bytes.count
            bytes += try insist(on: "READ BINARY", at: place) { number throws(TagError) in
                if number > 1 { commands.shorten() }
                try ensureFileSelected()
                return try commands.read(offset: place, count: min(rest, commands.mle))
            }
        }
        return bytes
    }

    /// Checks that there is no NDEF application.
    public func requireBlank() throws(TagError) {
        guard case .missing = try detectedApplication() else { throw .notBlank }
    }

    /// Creates an NDEF application on a DESFire EV1 or later, with the capability container last, and detects it.
    ///
    /// Other Type 4 Tags are initialised by their manufacturers. After an interruption, another call continues where
    /// the interrupted one stopped.
    public func initialise() throws(TagError) {
        guard case .missing(let reason) = try detectedApplication() else { throw .notBlank }
        try persistently("creating an NDEF application") { () throws(TagError) in
            if case .present = try detectedApplication() { return }
            guard let state = try desfireState() else {
                throw .unsupported(
                    reason: "a blank Type 4 Tag is initialised by its chip's own commands; \(reason)")
            }
            try createApplication(state)
            forgetApplication()
            _ = try presentFile()
        }
    }

    /// Returns the NDEF file, or throws the error that explains why there is none.
    func presentFile() throws(TagError) -> Type4NDEFFile {
        switch try detectedApplication() {
        case .missing(let reason): throw .notNDEF(reason: reason)
        case .present(let file): return file
        }
    }

    func ensureFileSelected() throws(TagError) {
        switch selected {
        case .file: return
        case .application(of: let file):
            selected = .unknown
            if try commands.select(fileID: file) == .success {
                selected = .file(file)
                return
            }
        case .unknown: break
        }
        if case .missing(let reason) = try selectNDEFFile() { throw .notNDEF(reason: reason) }
    }

    /// Notes that the NDEF file may no longer be selected, although its application still is.
    func noteOtherCommand() {
        if case .file(let file) = selected { selected = .application(of: file) }
    }

    func detectedApplication() throws(TagError) -> Application {
        if let application { return application }
        let found = try insist(on: "SELECT and READ BINARY") { number throws(TagError) in
            if number > 1 { commands.shorten() }
            return try detectApplication()
        }
        application = found
        return found
    }

    /// Forgets the selection and everything that was read.
    func forgetApplication() {
        application = nil
        selected = .unknown
        known = [:]
    }

    private func detectApplication() throws(TagError) -> Application {
        switch try selectNDEFFile() {
        case .missing(let reason): .missing(reason: reason)
        case .selected(let container): .present(try Type4NDEFFile(container, head: readHead(container)))
        }
    }

    /// Selects the NDEF file, whatever its first bytes are: after an interruption, NLEN may hold any value.
    func selectNDEFFile() throws(TagError) -> Selection {
        selected = .unknown
        guard let sw = try applicationStatus() else {
            return .missing(reason: "its answer to SELECT has no status word, so it does not support ISO/IEC 7816-4")
        }
        guard sw == .success else { return missing("the NDEF application", sw) }
        let ccSW = try commands.select(fileID: Type4CapabilityContainer.fileID)
        guard ccSW != .noDiagnosis else {
            throw .commandFailed(command: "SELECT of the capability container", offset: nil, sw: ccSW.rawValue)
        }
        guard ccSW == .success else { return missing("the capability container", ccSW) }
        let head = try commands.read(offset: 0, count: Type4CapabilityContainer.minimalLength)
        let more = Type4CapabilityContainer.neededLength(head) - head.count
        let bytes = more > 0 ? try head + commands.read(offset: head.count, count: more) : head
        guard 2...3 ~= bytes[2] >> 4 else {
            return .missing(reason: "its mapping version is \(bytes[2].hex); only 2x and 3x are supported")
        }
        let container: Type4CapabilityContainer
        do throws(TagError) {
            container = try Type4CapabilityContainer(bytes)
        } catch {
            guard try isContainerUnfinished(bytes) else { throw error }
            return .missing(reason: Self.unfinishedContainer)
        }
        commands.limit(to: container)
        guard container.file.readAccess == 0x00 else {
            return .missing(
                reason: "its capability container does not allow unrestricted reading (access "
                    + "\(container.file.readAccess.hex))")
        }
        let fileSW = try commands.select(fileID: container.file.identifier)
        guard fileSW == .success else {
            if try isContainerUnfinished(bytes) { return .missing(reason: Self.unfinishedContainer) }
            throw .commandFailed(
                command: "SELECT of file \(container.file.identifier.hex)", offset: nil, sw: fileSW.rawValue)
        }
        selected = .file(container.file.identifier)
        return .selected(container)
    }

    /// Reads the start of the NDEF file.
    ///
    /// If the card refuses a long READ BINARY, only NLEN is read.
    private func readHead(_ container: Type4CapabilityContainer) throws(TagError) -> [UInt8] {
        do throws(TagError) {
            let head = try commands.readBinary(offset: 0, length: container.file.size)
            if head.count >= container.nlenSize { return head }
        } catch .commandFailed {}
        return try commands.read(offset: 0, count: container.nlenSize)
    }

    /// Selects the NDEF application and returns the status word, or `nil` if the card supports only proprietary
    /// commands.
    ///
    /// A MIFARE Plus is such a card.
    private func applicationStatus() throws(TagError) -> StatusWord? {
        do throws(TagError) {
            return try commands.selectNDEFApplication()
        } catch {
            guard case .protocolViolation = error else { throw error }
            return nil
        }
    }

    /// Checks once for the passport application, unless GetVersion identified an NXP chip.
    private func identifyPassport() throws(TagError) {
        guard isPassport == nil, version == nil else { return }
        do throws(TagError) {
            isPassport = try persistently("SELECT") { () throws(TagError) in
                let answer = try commands.selectPassportApplication()
                // Other cards may take GetVersion for the start of a chained command, which this SELECT ended.
                return try (answer == .lastCommandExpected ? commands.selectPassportApplication() : answer) == .success
            }
        } catch .protocolViolation {
            // The card does not support ISO/IEC 7816-4.
            isPassport = false
        }
    }

    private func missing(_ what: String, _ sw: StatusWord) -> Selection {
        .missing(reason: "SELECT of \(what) returned SW \(sw.rawValue.hex) (\(sw.meaning))")
    }

    /// Runs a procedure that only reads or that can be resumed.
    ///
    /// After a missing answer, the tag is activated again and the procedure is repeated from its beginning.
    func persistently<T>(_ name: String, _ procedure: () throws(TagError) -> T) throws(TagError) -> T {
        try insist(on: name) { _ throws(TagError) in try procedure() }
    }

    /// Activates the tag again, which resets the selection.
    func restart() throws(TagError) {
        try onReader { () throws(ReaderError) in try channel.reselect() }
        forgetApplication()
    }
}

extension Type4Tag: PersistentlyAsked {
    func reselect() throws(TagError) { try restart() }
}

/// The selected NDEF file of a Type 4 Tag.
struct Type4NDEFFile: Hashable, Sendable {
    let container: Type4CapabilityContainer
    /// The start of the file: NLEN and as much of the message as one answer contained.
    let head: [UInt8]
    /// The length of the message in bytes.
    let nlen: Int

    init(_ container: Type4CapabilityContainer, head: [UInt8]) throws(TagError) {
        self.container = container
        self.head = head
        guard head.count >= container.nlenSize else {
            throw .protocolViolation(
                field: "NLEN", found: "\(ByteCount(head.count))", expected: "\(container.nlenSize) bytes", offset: 0)
        }
        nlen = Int(head.bigEndian(at: 0, container.nlenSize))
        guard nlen <= container.capacity else {
            throw .protocolViolation(
                field: "NLEN", found: "\(nlen)", expected: "at most \(container.capacity)", offset: 0)
        }
    }

    /// The reason why the capability container does not allow writing, or `nil` if it does.
    var writeRefusal: String? {
        switch container.file.writeAccess {
        case 0x00: nil
        case let access: "its capability container does not allow unrestricted writing (access \(access.hex))"
        }
    }
}
