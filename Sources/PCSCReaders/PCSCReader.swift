// A PC/SC reader, owned by a serial queue — PC/SC part 5; winscard.h

import Clibpcsclite
public import Dispatch
public import Logging
public import ReaderInterface
import Synchronization

// Unchecked: mutable state is used only on `queue`, except `abortable`.
/// A contactless reader that pcscd drives.
///
/// The reader polls by itself, and pcscd reports which card is in the field, at most one. Querying pcscd does not use
/// the radio. All calls except ``abort()`` are made on the queue given to ``init(connection:queue:logger:)``.
public final class PCSCReader: Reader, @unchecked Sendable {
    /// `pcsc:` and the reader's name.
    ///
    /// The index at the end of the name is omitted if the name is unique without it.
    public let connection: String
    /// The reader's family.
    public internal(set) var dialect: ReaderDialect
    let name: String
    let queue: DispatchQueue
    let logger: Logger
    let context: SmartCardContext
    /// The driver's information about the reader, or nil until a card has been connected.
    var properties: ReaderProperties?
    private(set) var isOpen = true
    var card: CardConnection?
    var sighting: Sighting?
    /// The time of the last answer from the card, or from the reader on behalf of the card.
    var lastAnswer: ContinuousClock.Instant?
    weak var current: PCSCChannel?
    private let abortable = Mutex(Abortable())

    private struct Abortable {
        var isAborted = false
        /// The card for which a call is waiting to begin a transaction.
        var waiting: CardConnection?
    }

    /// A card that was found in the field and examined.
    struct Sighting {
        /// The count of insertions and removals when the card was examined.
        let events: UInt16
        /// The target, or nil if the card is not a supported target.
        let target: Target?
        let time: ContinuousClock.Instant
        /// The time after which a card that is not a supported target is examined again.
        var pause = PCSCReader.firstPause
    }

    /// The maximum time to wait for another program's transaction.
    static let patience = Duration.milliseconds(1_200)
    /// The maximum wait of one poll, in milliseconds.
    ///
    /// After an abort, a waiting call ends within this time.
    static let pollTime: UInt32 = 250

    /// Opens a reader.
    ///
    /// Does not touch the card in its field.
    ///
    /// - Parameters:
    ///   - connection: `pcsc:` and a name, its first part, a pattern with `*`, or `usb:BUS:DEVICE`. Without a name, the
    ///     only contactless reader is used.
    ///   - queue: the serial queue that owns the reader.
    ///   - logger: receives the bytes to and from tags at trace level.
    /// - Throws: `ReaderError.noReader` if no reader has that name; `ReaderError.readerFailed` if several do, or if
    ///   pcscd is not running; `ReaderError.busy`; `ReaderError.noPermission`.
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

    /// The prefix of connection strings for PC/SC readers: `pcsc:`.
    public static let scheme = ReaderName.scheme
    /// The version of pcsclite with which this library was built.
    ///
    /// The library that is in use does not report its version.
    public static let libraryVersion = PCSCLITE_VERSION_NUMBER

    /// Returns pcscd's readers, and whether other programs use them.
    ///
    /// If systemd listens on pcscd's socket, this starts pcscd.
    ///
    /// - Throws: `ReaderError.readerFailed` if pcscd is not running; `ReaderError.noPermission`.
    public static func listed() throws(ReaderError) -> [ListedReader] {
        let context = try onPCSC(scheme) { () throws(PCSCStatus) in try SmartCardContext() }
        return ReaderChoice(context, try onPCSC(scheme) { () throws(PCSCStatus) in try context.readers() }).listed
    }

    /// Waits until pcscd's list of readers differs from a known list.
    ///
    /// - Parameters:
    ///   - known: the known names. Nil returns the present names immediately.
    ///   - time: the longest time to wait, at most 1 h.
    /// - Returns: the names of the readers that are connected now; they equal `known` if the time ran out.
    /// - Throws: the errors of ``listed()``.
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

    /// The maximum time between two readings of the list, in milliseconds.
    private static let longestWait = 500.0

    /// Whether a connection string names one of these readers.
    ///
    /// Only names are compared, so the result is false for `pcsc:usb:BUS:DEVICE`.
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

    /// The technologies that the reader supports.
    ///
    /// These are all technologies, or all except NFC-V if the family does not support it.
    public var technologies: Set<Technology> {
        Set(Technology.allCases.filter { $0 != .nfcV || !dialect.nfcV.isEmpty })
    }

    /// Ends a wait for a card or another program, and makes all later calls fail with `ReaderError.aborted`.
    ///
    /// May be called from any thread.
    ///
    /// A command in progress finishes normally, because PC/SC cannot end it.
    public func abort() {
        let waiting = abortable.withLock { state in
            state.isAborted = true
            return state.waiting
        }
        waiting?.abort()
        context.cancel()
    }

    /// Ends the session with the card, and releases the card for other programs.
    public func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        shutDown()
    }

    private func shutDown() {
        guard isOpen else { return }
        drop()
        isOpen = false
    }

    /// Whether ``abort()`` was called.
    ///
    /// May be read from any thread.
    var isAborted: Bool { abortable.withLock { $0.isAborted } }

    // MARK: Calls

    func perform<Value>(
        _ operation: String, _ call: () throws(PCSCStatus) -> Value
    ) throws(ReaderError) -> Value {
        guard isOpen else { throw .readerFailed(operation: operation, reason: "it was closed", code: 0) }
        guard !isAborted else { throw .aborted }
        do throws(PCSCStatus) { return try call() } catch {
            throw .pcsc(error, during: operation, reader: connection)
        }
    }

    /// Returns the reader's present state, without using the radio.
    ///
    /// If the reader was unplugged and plugged in again since the last call, its card is forgotten. pcscd does not
    /// always count this, so another card may have the same number of events. Such a card is recognised because no
    /// program is connected to it.
    func state() throws(ReaderError) -> SmartCardContext.ReaderState {
        let state = try perform("looking for a card") { () throws(PCSCStatus) in try context.state(of: name) }
        if !state.isTaken, card != nil || sighting?.target != nil { forgetCard() }
        return state
    }

    /// Starts a transaction, which keeps other programs from using the card.
    func takeTransaction(of card: CardConnection) throws(ReaderError) {
        guard !card.hasTransaction else { return }
        abortable.withLock { $0.waiting = card }
        defer { abortable.withLock { $0.waiting = nil } }
        do throws(ReaderError) {
            try perform("beginning a transaction") { () throws(PCSCStatus) in
                try card.beginTransaction(limit: Self.patience)
            }
        } catch {
            // The connection may be closed, because this is how a wait is ended.
            self.card = nil
            throw error
        }
    }

    /// Ends the session, the transaction and the connection to the card.
    func drop() {
        endChannel()
        card?.close()
        card = nil
    }

    /// Ends the channel.
    ///
    /// The card stays powered, and other programs may use it.
    func endChannel() {
        // Do this even after an abort, because an open session would block the next program.
        if let command = current?.session.takeEnd(), let card, card.hasTransaction {
            _ = try? card.transmit(command)
        }
        current = nil
        resetUsedCard()
        card?.endTransaction()
    }

    /// The maximum time to wait for another program's transaction before a reset.
    private static let resetPatience = Duration.milliseconds(250)

    /// Resets a card to which a channel was connected.
    ///
    /// pcscd keeps the card powered for other programs and for later connections. Without a reset, other programs could
    /// use the access that a password granted, and could find another sector selected.
    private func resetUsedCard() {
        guard let card, card.isUsed else { return }
        card.isUsed = false
        do throws(PCSCStatus) {
            // Without a transaction, libpcsclite would wait for another program without limit.
            try card.beginTransaction(limit: Self.resetPatience)
            do throws(PCSCStatus) { try card.renew(.reset) } catch {
                // The connection may be weak, so try once more. Otherwise, pcscd would report a card that does not
                // answer.
                guard error.meaning == .cardSilent else { throw error }
                try card.renew(.reset)
            }
        } catch {
            // The card was removed, was already reset, or is used by another program. The next call connects again.
            card.close()
            self.card = nil
        }
    }
}
