// Type 4 Tag NDEF access — NFC Forum T4T, NDEF Detection and Read Procedures
import Hexadecimal
public import ReaderInterface

/// An NFC Forum Type 4 Tag: an NDEF tag application behind ISO-DEP.
public final class Type4Tag: ForumTag {
    /// The NDEF file, selected, or why there is none.
    enum Application {
        case missing(reason: String)
        case present(Type4NDEFFile)
    }

    /// The outcome of the SELECTs that lead to the NDEF file.
    enum Selection {
        case missing(reason: String)
        case selected(Type4CapabilityContainer)
    }

    /// The answer to select of a DESFire as it is delivered.
    static let desfireATS: [UInt8] = [0x75, 0x77, 0x81, 0x02, 0x80]
    /// The answer to select of an NTAG 413 or 424 DNA.
    static let ntagATS: [UInt8] = [0x77, 0x77, 0x71, 0x02, 0x80]

    /// The connection to the target.
    public let channel: any TagChannel
    let patience: Patience
    var commands: Type4Commands
    private var application: Application?
    /// Whether the NDEF file is the selected one.
    var isFileSelected = false
    /// The answer to GetVersion, once it was asked for.
    var version: DESFireVersion?
    var isIdentified = false
    /// Whether it has the application of electronic passports, once it was asked for.
    var isPassport: Bool?
    /// What is known of the NDEF file, by the pieces of a write plan.
    var known: [Span: [UInt8]] = [:]

    /// Makes a tag for an activated target.
    ///
    /// Sends nothing.
    ///
    /// - Parameters:
    ///   - channel: the connection to the activated tag.
    ///   - patience: how long the tag is asked again when it does not answer.
    public init(on channel: any TagChannel, patience: Patience = .standard) {
        self.channel = channel
        self.patience = patience
        commands = Type4Commands(over: channel)
    }

    /// The kind of tag.
    public var type: TagType? { .type4 }

    /// The chip, where GetVersion named it, or the answer to select is one that NXP's application note AN10833 lists.
    ///
    /// GetVersion is asked by ``memoryMap()`` and of cards without an NDEF application: reading goes without. A passport is
    /// recognized by its application, which no other card has.
    public var chip: Chip? {
        if let version { return version.chip }
        if isPassport == true { return Chip(name: "Electronic passport", evidence: Type4Commands.passportApplication) }
        guard case .nfcA(let target) = channel.target else { return nil }
        switch target.ats {
        case Self.desfireATS: return Chip(name: "MIFARE DESFire", evidence: target.ats)
        case Self.ntagATS: return Chip(name: "NTAG 4xx DNA", evidence: target.ats)
        default:
            // With its length byte.
            let ats = [UInt8(truncatingIfNeeded: target.ats.count + 1)] + target.ats
            return ClassicOrigin.isMIFAREPlus(ats: ats) ? Chip(name: "MIFARE Plus", evidence: target.ats) : nil
        }
    }

    /// Runs the NDEF detection procedure: application, capability container, NDEF file, NLEN.
    ///
    /// The first READ BINARY of the NDEF file fetches as much as one answer carries, so short messages come with NLEN.
    public func detect() throws(TagError) -> NDEFState {
        switch try detectedApplication() {
        case .missing(let reason):
            let state = try initialisable()
            try identifyPassport()
            let isBlank = if case .refused? = state { false } else { state != nil }
            return NDEFState(
                status: .notSupported, capacity: state.map { capacityOnceInitialised($0) } ?? 0, messageLength: nil,
                isBlank: isBlank, reason: reason)
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

    /// Bytes of the NDEF file, piece by piece: a piece without an answer is asked for again, and then in shorter ones.
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

    /// Makes sure that there is no NDEF application.
    public func requireBlank() throws(TagError) {
        guard case .missing = try detectedApplication() else { throw .notBlank }
    }

    /// Makes an NDEF application on a DESFire from EV1 on, the capability container last, and detects it.
    ///
    /// Other Type 4 Tags are initialised by their makers. Run again, it goes on where it was interrupted.
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

    /// The NDEF file, or the error that says why there is none.
    func presentFile() throws(TagError) -> Type4NDEFFile {
        switch try detectedApplication() {
        case .missing(let reason): throw .notNDEF(reason: reason)
        case .present(let file): return file
        }
    }

    /// Selects the NDEF file unless it is.
    func ensureFileSelected() throws(TagError) {
        if isFileSelected { return }
        if case .missing(let reason) = try selectNDEFFile() { throw .notNDEF(reason: reason) }
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

    /// Selects and reads everything again when it is next needed.
    func forgetApplication() {
        application = nil
        isFileSelected = false
        known = [:]
    }

    private func detectApplication() throws(TagError) -> Application {
        switch try selectNDEFFile() {
        case .missing(let reason): .missing(reason: reason)
        case .selected(let container): .present(try Type4NDEFFile(container, head: readHead(container)))
        }
    }

    /// The NDEF file selected, whatever its first bytes say: after a cut NLEN may be anything.
    func selectNDEFFile() throws(TagError) -> Selection {
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
        let container = try Type4CapabilityContainer(bytes)
        commands.limit(to: container)
        guard container.file.readAccess == 0x00 else {
            return .missing(
                reason: "its capability container does not allow unrestricted reading (access "
                    + "\(container.file.readAccess.hex))")
        }
        let fileSW = try commands.select(fileID: container.file.identifier)
        guard fileSW == .success else {
            throw .commandFailed(
                command: "SELECT of file \(container.file.identifier.hex)", offset: nil, sw: fileSW.rawValue)
        }
        isFileSelected = true
        return .selected(container)
    }

    /// The beginning of the NDEF file.
    ///
    /// A card that refuses a long READ BINARY is asked for NLEN alone.
    private func readHead(_ container: Type4CapabilityContainer) throws(TagError) -> [UInt8] {
        do throws(TagError) {
            let head = try commands.readBinary(offset: 0, length: container.file.size)
            if head.count >= container.nlenSize { return head }
        } catch .commandFailed {}
        return try commands.read(offset: 0, count: container.nlenSize)
    }

    /// What SELECT of the NDEF application returns; nil from a card with commands of its own, such as a MIFARE Plus.
    private func applicationStatus() throws(TagError) -> StatusWord? {
        do throws(TagError) {
            return try commands.selectNDEFApplication()
        } catch {
            guard case .protocolViolation = error else { throw error }
            return nil
        }
    }

    /// Asks for the passport application, once, of a card that is no chip of NXP's by its version.
    private func identifyPassport() throws(TagError) {
        guard isPassport == nil, version == nil else { return }
        do throws(TagError) {
            isPassport = try persistently("SELECT") { () throws(TagError) in
                let answer = try commands.selectPassportApplication()
                // The class of GetVersion begins a chain on other cards, which this command ended.
                return try (answer == .lastCommandExpected ? commands.selectPassportApplication() : answer) == .success
            }
        } catch .protocolViolation {
            // It does not speak ISO/IEC 7816-4.
            isPassport = false
        }
    }

    private func missing(_ what: String, _ sw: StatusWord) -> Selection {
        .missing(reason: "SELECT of \(what) returned SW \(sw.rawValue.hex) (\(sw.meaning))")
    }

    /// Runs a procedure that only reads or goes on where it was interrupted, again from activation on after silence.
    func persistently<T>(_ name: String, _ procedure: () throws(TagError) -> T) throws(TagError) -> T {
        try insist(on: name) { _ throws(TagError) in try procedure() }
    }

    /// Activates the tag again, which forgets what was selected.
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
    /// The beginning of the file: NLEN and, as far as one answer carried it, the message.
    let head: [UInt8]
    /// The length of the message in bytes.
    let nlen: Int

    init(_ container: Type4CapabilityContainer, head: [UInt8]) throws(TagError) {
        self.container = container
        self.head = head
        guard head.count >= container.nlenSize else {
            throw .protocolViolation(
                field: "NLEN", found: "\(head.count) bytes", expected: "\(container.nlenSize) bytes", offset: 0)
        }
        nlen = Int(head.bigEndian(at: 0, container.nlenSize))
        guard nlen <= container.capacity else {
            throw .protocolViolation(
                field: "NLEN", found: "\(nlen)", expected: "at most \(container.capacity)", offset: 0)
        }
    }

    /// Why the capability container does not allow writing, `nil` when it does.
    var writeRefusal: String? {
        switch container.file.writeAccess {
        case 0x00: nil
        case let access: "its capability container does not allow unrestricted writing (access \(access.hex))"
        }
    }
}
