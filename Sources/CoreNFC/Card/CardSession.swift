// A session in which the reader is a card for other readers — CoreNFC CardSession, ISO/IEC 7816-4 over ISO/IEC 14443-4

import Foundation
import ReaderInterface
import ReaderSession
import Synchronization

/// Makes a reader with a PN532 an NFC-A card that speaks ISO-DEP, and hands each command of another reader to the program.
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
/// Methods may be called from any thread. The reader is taken from the initialiser on until ``invalidate()``, or until nobody
/// holds the session any more.
///
/// A PN532 sees another reader only as it activates the card, so it is a card from the beginning: the first command waits until
/// ``startEmulation()``.
public final class CardSession: Sendable {
    private let emulation: ListeningSession
    private let events: AsyncStream<NumberedEvent>
    private let continuation: AsyncStream<NumberedEvent>.Continuation
    private let timeLimit: TimeInterval?
    let state: Mutex<State>

    /// An event, and the number of the other reader that it is about: 0 before the first.
    typealias NumberedEvent = (event: Event, contact: Int)

    struct State {
        /// The last reader reported to the program.
        var knownContact = 0
        var isValid = true
        var isEmulating = false
        var alertMessage = ""
        var alertHandler: (@Sendable (String) -> Void)?
        var timer: (any DispatchSourceTimer)?
    }

    /// What a session needs to know.
    struct Setup: Sendable {
        /// As ``NFCReaderSession/readerSpecification``.
        let reader: String?
        let target: ListeningTarget
        let timeLimit: TimeInterval?

        /// Describes a card.
        /// - Parameters:
        ///   - reader: the reader that becomes the card; nil for the default.
        ///   - target: what the other reader sees.
        ///   - timeLimit: seconds from each ``CardSession/startEmulation()`` until the session ends; nil for no limit.
        init(reader: String?, target: ListeningTarget, timeLimit: TimeInterval?) {
            (self.reader, self.target, self.timeLimit) = (reader, target, timeLimit)
        }
    }

    /// Takes the default reader, and waits for other readers.
    ///
    /// - Throws: ``CardSession/Error``: `systemNotAvailable` without a reader that is free, `systemEligibilityFailed` with one
    ///   that cannot be a card, `accessNotAccepted` without permission to open it.
    public convenience init() async throws {
        try await self.init(readerSpecification: nil)
    }

    /// Takes a reader.
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

    /// Whether the default reader could be a card, judged by its driver; whether it is free shows when a session is made.
    public static var isSupported: Bool {
        let connection = (try? ReaderSpecification.standard.connection()) ?? firstReader
        return connection.map(ListeningSession.isPossible) ?? false
    }

    private static var firstReader: String? { (try? BackEnds.connections())?.first }

    /// Whether this system lets programs be cards: on Linux, where ``isSupported`` is true.
    public static var isEligible: Bool { get async { isSupported } }

    /// The text for the user.
    ///
    /// There is no system sheet on Linux: each new text goes to ``alertHandler``.
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

    /// What happens to the card, in order, up to `sessionInvalidated`.
    ///
    /// To be read by one task.
    public var eventStream: EventStream { EventStream(events, of: self) }

    /// Whether commands are handed to the program.
    public var isEmulationInProgress: Bool { get async { state.withLock { $0.isEmulating } } }

    /// Hands the commands of other readers to the program from now on, for at most 60 seconds.
    ///
    /// Does nothing while it does so already.
    /// - Throws: ``CardSession/Error/invalidated`` when the session has ended.
    public func startEmulation() async throws {
        try state.withLock { state in
            guard state.isValid else { throw Error.invalidated }
            guard !state.isEmulating else { return }
            state.isEmulating = true
            state.timer = timeLimit.map(makeTimer)
            // Under the lock, so that a stop on another thread comes before it or after it.
            emulation.start()
        }
    }

    /// Takes the card away from the reader that has it; a reader that looks for cards then finds one that does not answer until
    /// ``startEmulation()``.
    ///
    /// A reader that has come since the last event that the program took is left alone, and waits for the next start. Does
    /// nothing while commands are not handed to the program.
    ///
    /// - Parameter status: what a phone would show; there is nothing to show it on.
    public func stopEmulation(status: EmulationUIStatus) async {
        let contact = state.withLock { state -> Int? in
            defer { state.stop() }
            guard state.isEmulating && state.isValid else { return nil }
            emulation.pause()
            return state.knownContact
        }
        if let contact { await emulation.stop(upTo: contact) }
    }

    /// Ends the session and gives the reader back; the last event says ``CardSession/Error/invalidated``.
    ///
    /// Does nothing when it has ended.
    public func invalidate() { end(.invalidated) }

    /// Records what was reported to the program.
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

    /// Ends the session; only the first call has an effect.
    ///
    /// The last event follows when the reader is closed.
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
