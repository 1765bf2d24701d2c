// One reader over PC/SC, owned by one serial queue — PC/SC part 5; winscard.h

import Clibpcsclite
public import Dispatch
public import Logging
public import ReaderInterface
import Synchronization

// Unchecked: mutable state is touched on `queue` only, but for `abortable`.
/// A contactless reader that pcscd drives.
///
/// The reader polls by itself: pcscd tells which card is in the field, at most one, and looking at that costs no radio. All
/// calls but ``abort()`` are made on the queue given to ``init(connection:queue:logger:)``.
public final class PCSCReader: Reader, @unchecked Sendable {
    /// `pcsc:` and the reader's name, without the index at its end where that is not needed.
    public let connection: String
    /// What family of readers it is.
    public internal(set) var dialect: ReaderDialect
    /// pcscd's name of the reader.
    let name: String
    let queue: DispatchQueue
    let logger: Logger
    let context: SmartCardContext
    /// What the driver says of the reader, once a card was connected.
    var properties: ReaderProperties?
    private(set) var isOpen = true
    /// The connection to the card in the field.
    var card: CardConnection?
    /// What was in the field when it was last looked at.
    var sighting: Sighting?
    /// When the card, or the reader for it, answered last.
    var lastAnswer: ContinuousClock.Instant?
    /// The channel that may talk to the card.
    weak var current: PCSCChannel?
    private let abortable = Mutex(Abortable())

    private struct Abortable {
        var isAborted = false
        /// A card whose transaction is waited for.
        var waiting: CardConnection?
    }

    /// A card in the field, identified.
    struct Sighting {
        /// Insertions and removals at that time.
        let events: UInt16
        /// Nil for one that is no target.
        let target: Target?
        let time: ContinuousClock.Instant
    }

    /// How long another program's transaction is waited for.
    static let patience = Duration.milliseconds(1_200)
    /// A call that waits ends at the first of these after an abort, whatever got lost.
    static let pollTime: UInt32 = 250

    /// Opens a reader; the card in its field is left alone.
    ///
    /// - Parameters:
    ///   - connection: `pcsc:` and a name, its beginning, a pattern with `*`, or `usb:BUS:DEVICE`; nothing for the only
    ///     contactless reader.
    ///   - queue: the serial queue that owns the reader.
    ///   - logger: gets the bytes to and from tags at trace level.
    /// - Throws: `ReaderError.noReader` when none has that name; `ReaderError.readerFailed` when several have, and when pcscd
    ///   does not run; `ReaderError.busy`; `ReaderError.noPermission`.
    public init(connection: String, queue: DispatchQueue, logger: Logger) throws(ReaderError) {
        guard let wanted = ReaderName(connection) else { throw .noReader(connection: connection) }
        let context = try Self.onPCSC(connection) { () throws(PCSCStatus) in try SmartCardContext() }
        let readers = try Self.onPCSC(connection) { () throws(PCSCStatus) in try context.readers() }
        let found = ReaderChoice(context, readers).readers(wanted)
        guard let name = found.first else { throw .noReader(connection: connection) }
        guard found.count == 1 else {
            throw .readerFailed(
                operation: "choosing a reader", reason: "several have this name: \(found.joined(separator: "; "))",
                code: 0)
        }
        let state = try Self.onPCSC(connection) { () throws(PCSCStatus) in try context.state(of: name) }
        guard !state.isExclusive else { throw .busy(connection: connection, holder: nil) }
        (self.context, self.name, self.queue, self.logger) = (context, name, queue, logger)
        self.connection = ReaderName.scheme + ReaderName.lasting(name, among: readers)
        dialect = ReaderDialect.of(name: name)
    }

    /// How connection strings of PC/SC readers begin: `pcsc:`.
    public static let scheme = ReaderName.scheme
    /// The version of pcsclite that this library was built with; the one in use says none.
    public static let libraryVersion = PCSCLITE_VERSION_NUMBER

    /// pcscd's readers, and whether other programs work with them; starts pcscd where systemd listens on its socket.
    ///
    /// - Throws: `ReaderError.readerFailed` when pcscd does not run; `ReaderError.noPermission`.
    public static func listed() throws(ReaderError) -> [ListedReader] {
        let context = try onPCSC(scheme) { () throws(PCSCStatus) in try SmartCardContext() }
        return ReaderChoice(context, try onPCSC(scheme) { () throws(PCSCStatus) in try context.readers() }).listed
    }

    /// Waits until pcscd's list of readers differs from a known list.
    ///
    /// - Parameters:
    ///   - known: the known names; nil to return the present names at once.
    ///   - time: the longest time to wait, at most 1 h.
    /// - Returns: the names of the readers that are there now; after the longest time they are unchanged.
    /// - Throws: as ``listed()``.
    public static func names(unlike known: [String]?, within time: Duration) throws(ReaderError) -> [String] {
        let end = ContinuousClock.now + min(time, .seconds(3_600))
        let context = try onPCSC(scheme) { () throws(PCSCStatus) in try SmartCardContext() }
        while true {
            let all = try onPCSC(scheme) { () throws(PCSCStatus) in try context.readers() }
            let names = all.filter { !ReaderName.isSAM($0) }
            let left = ContinuousClock.now.duration(to: end)
            guard let known, known == names, left > .zero else { return names }
            try onPCSC(scheme) { () throws(PCSCStatus) in
                try context.waitForReaders(
                    otherThan: all.count, milliseconds: UInt32(min(left / .milliseconds(1), Self.longestWait)))
            }
        }
    }

    /// The interval at which the list is read again, in milliseconds.
    private static let longestWait = 500.0

    /// Whether a connection string names one of these readers.
    ///
    /// Compares names only: false for `pcsc:usb:BUS:DEVICE`.
    public static func isNamed(_ connection: String, among names: [String]) -> Bool {
        guard case .text(let text)? = ReaderName(connection) else { return false }
        return text.isEmpty ? !names.isEmpty : !ReaderName.matches(text, among: names).isEmpty
    }

    private static func onPCSC<Value>(
        _ connection: String, _ call: () throws(PCSCStatus) -> Value
    ) throws(ReaderError) -> Value {
        do throws(PCSCStatus) { return try call() } catch {
            throw .pcsc(error, during: "opening", reader: connection)
        }
    }

    deinit { shutDown() }

    /// The family of the reader.
    public var chip: String? { dialect.title }

    /// All but NFC-V where the family has no way to it.
    public var technologies: Set<Technology> {
        Set(Technology.allCases.filter { $0 != .nfcV || !dialect.nfcV.isEmpty })
    }

    /// Ends a wait for a card or another program, and fails all later calls, with `ReaderError.aborted`; from any thread.
    ///
    /// A command under way ends by itself: PC/SC has no way to end it.
    public func abort() {
        let waiting = abortable.withLock { state in
            state.isAborted = true
            return state.waiting
        }
        waiting?.abort()
        context.cancel()
    }

    /// Ends the session with the card, and leaves the card to other programs.
    public func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        shutDown()
    }

    private func shutDown() {
        guard isOpen else { return }
        drop()
        isOpen = false
    }

    /// Whether ``abort()`` was called; from any thread.
    var isAborted: Bool { abortable.withLock { $0.isAborted } }

    // MARK: Calls

    /// Makes a call to PC/SC.
    func perform<Value>(
        _ operation: String, _ call: () throws(PCSCStatus) -> Value
    ) throws(ReaderError) -> Value {
        guard isOpen else { throw .readerFailed(operation: operation, reason: "it was closed", code: 0) }
        guard !isAborted else { throw .aborted }
        do throws(PCSCStatus) { return try call() } catch {
            throw .pcsc(error, during: operation, reader: connection)
        }
    }

    /// The reader's state now; costs no radio.
    func state() throws(ReaderError) -> SmartCardContext.ReaderState {
        try perform("looking for a card") { () throws(PCSCStatus) in try context.state(of: name) }
    }

    /// Keeps other programs off the card.
    func takeTransaction(of card: CardConnection) throws(ReaderError) {
        guard !card.hasTransaction else { return }
        abortable.withLock { $0.waiting = card }
        defer { abortable.withLock { $0.waiting = nil } }
        do throws(ReaderError) {
            try perform("beginning a transaction") { () throws(PCSCStatus) in
                try card.beginTransaction(limit: Self.patience)
            }
        } catch {
            // A wait that was ended has closed the connection.
            self.card = nil
            throw error
        }
    }

    /// Ends the session and the transaction, and the connection to the card.
    func drop() {
        endChannel()
        card?.close()
        card = nil
    }

    /// Ends the channel; the card stays powered, and other programs may use it.
    func endChannel() {
        // Also after an abort, because an open session would block the next program.
        if let command = current?.session.takeEnd(), let card, card.hasTransaction {
            _ = try? card.transmit(command)
        }
        current = nil
        card?.endTransaction()
    }
}
