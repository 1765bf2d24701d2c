// A session in which the reader acts as a card for other readers — CoreNFC CardSession, ISO/IEC 7816-4 over ISO/IEC
// 14443-4

import Foundation
import ReaderInterface
import ReaderSession
import Synchronization

/// A session in which a reader with a PN532 emulates an NFC-A card with ISO-DEP.
///
/// It passes each command of another reader to the program.
///
/// ```swift
/// let session = try await CardSession()
/// for try await event in session.eventStream {
///     switch event {
///     case .readerDetected: try await session.startEmulation()
///     case .received(let apdu): try await apdu.respond(response: Data([0x6A, 0x82]))  // “not found”, to every command
///     case .readerDeselected: await session.stopEmulation(status: .success)
///     default: break
///     }
/// }
/// ```
///
/// Methods may be called from any thread. The session holds the reader from the initialiser until ``invalidate()``, or
/// until the session is no longer referenced.
///
/// A PN532 detects another reader only when that reader activates the card. The reader therefore acts as a card from
/// the start, but the first command waits until ``startEmulation()``.
public final class CardSession: Sendable {
    private let emulation: ListeningSession
    private let events: AsyncStream<NumberedEvent>
    private let continuation: AsyncStream<NumberedEvent>.Continuation
    private let timeLimit: TimeInterval?
    let state: Mutex<State>

    /// An event, and the number of the contact with another reader in which it occurred.
    ///
    /// The number is 0 before the first contact.
    typealias NumberedEvent = (event: Event, contact: Int)

    struct State {
        /// The number of the last contact that was reported to the program.
        var knownContact = 0
        var isValid = true
        var isEmulating = false
        var alertMessage = ""
        var alertHandler: (@Sendable (String) -> Void)? = { StandardAlert.show($0) }
        var timer: (any DispatchSourceTimer)?
    }

    struct Setup: Sendable {
        /// The specification of the reader, as in ``NFCReaderSession/readerSpecification``, or nil for the default
        /// reader.
        let reader: String?
        let target: ListeningTarget
        let timeLimit: TimeInterval?

        init(reader: String?, target: ListeningTarget, timeLimit: TimeInterval?) {
            (self.reader, self.target, self.timeLimit) = (reader, target, timeLimit)
        }
    }

    /// Opens the default reader and waits for other readers.
    ///
    /// - Throws: ``CardSession/Error``: `systemNotAvailable` if no reader is free, `systemEligibilityFailed` if the
    ///   reader cannot emulate a card, `accessNotAccepted` without permission to open it.
    public convenience init() async throws {
        try await self.init(readerSpecification: nil)
    }

    /// Opens a reader.
    /// - Throws: the reader's own error.
    init(_ setup: Setup) async throws {
        (events, continuation) = AsyncStream.makeStream(of: NumberedEvent.self)
        state = Mutex(State())
        timeLimit = setup.timeLimit
        emulation = ListeningSession(reader: setup.reader, as: setup.target)
        try await emulation.open()
        continuation.yield((.sessionStarted, 0))
        emulation.begin { [weak self] in self?.take($0, contact: $1) }
    }

    deinit {
        state.withLock { $0.timer }?.cancel()
        emulation.end {}
    }

    /// Whether the default reader can emulate a card, according to its driver.
    ///
    /// Only the creation of a session shows whether the reader is free.
    public static var isSupported: Bool {
        let connection = (try? ReaderSpecification.standard.connection()) ?? firstReader
        return connection.map(ListeningSession.isPossible) ?? false
    }

    private static var firstReader: String? { (try? BackEnds.connections())?.first }

    /// Whether this system lets programs emulate cards.
    ///
    /// On Linux, this is the same as ``isSupported``.
    public static var isEligible: Bool { get async { isSupported } }

    /// The text for the user.
    ///
    /// Linux has no system sheet, so each new text goes to ``alertHandler``, which by default shows it on a terminal.
    public var alertMessage: String {
        get { state.withLock { $0.alertMessage } }
        set {
            let handler = state.withLock { state in
                state.alertMessage = newValue
                return state.alertHandler
            }
            handler?(newValue)
        }
    }

    /// The events of the card, in order, ending with `sessionInvalidated`.
    ///
    /// Only one task may read them.
    public var eventStream: EventStream { EventStream(events, of: self) }

    /// Whether commands are passed to the program.
    public var isEmulationInProgress: Bool { get async { state.withLock { $0.isEmulating } } }

    /// Passes the commands of other readers to the program from now on, by default for at most 60 seconds.
    ///
    /// Does nothing if commands are already passed to the program.
    /// - Throws: ``CardSession/Error/invalidated`` if the session has ended.
    public func startEmulation() async throws {
        try state.withLock { state in
            guard state.isValid else { throw Error.invalidated }
            guard !state.isEmulating else { return }
            state.isEmulating = true
            state.timer = timeLimit.map(makeTimer)
            // The emulation is started under the lock, so that a stop on another thread takes effect either before or
            // after the start.
            emulation.start()
        }
    }

    /// Ends the contact with the other reader.
    ///
    /// Until ``startEmulation()``, other readers can still detect the card, but it does not answer their commands.
    ///
    /// If a new reader has arrived since the program received its last event, that reader is not disturbed and waits
    /// for the next start. Does nothing if commands are not passed to the program.
    ///
    /// - Parameter status: the result that a phone would show; not used here.
    public func stopEmulation(status: EmulationUIStatus) async {
        let contact = state.withLock { state -> Int? in
            defer { state.stop() }
            guard state.isEmulating && state.isValid else { return nil }
            emulation.pause()
            return state.knownContact
        }
        if let contact { await emulation.stop(upTo: contact) }
    }

    /// Ends the session and closes the reader.
    ///
    /// The last event reports ``CardSession/Error/invalidated``. Does nothing if the session has ended.
    public func invalidate() { end(.invalidated) }

    /// Records that an event was reported to the program, and returns the event.
    func told(_ event: NumberedEvent) -> Event {
        state.withLock { $0.knownContact = max($0.knownContact, event.contact) }
        return event.event
    }

    private func makeTimer(_ seconds: TimeInterval) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { [weak self] in self?.end(.maxSessionDurationReached) }
        timer.schedule(deadline: .now() + seconds)
        timer.activate()
        return timer
    }

    private func take(_ event: ListeningSession.Event, contact: Int) {
        switch event {
        case .readerDetected: continuation.yield((.readerDetected, contact))
        case .received(let exchange): continuation.yield((.received(APDU(exchange)), contact))
        case .readerDeselected: continuation.yield((.readerDeselected, contact))
        case .failed(let error): end(Error(error))
        }
    }

    /// Ends the session.
    ///
    /// Only the first call has an effect. The last event is sent after the reader is closed.
    private func end(_ reason: Error) {
        let isFirst = state.withLock { state in
            guard state.isValid else { return false }
            state.isValid = false
            state.stop()
            return true
        }
        guard isFirst else { return }
        let continuation = continuation
        emulation.end {
            continuation.yield((.sessionInvalidated(reason: reason), 0))
            continuation.finish()
        }
    }
}

extension CardSession.State {
    mutating func stop() {
        isEmulating = false
        timer?.cancel()
        timer = nil
    }
}
