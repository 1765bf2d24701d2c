// The life cycle of a session: beginning, ending once, and operations in turn on the reader's queue

import Dispatch
import ReaderInterface
import Synchronization

/// One use of a reader from begin to invalidate, reported to a handler.
///
/// ``ReaderSession`` and CoreNFC's sessions are made of it.
///
/// Methods may be called from any thread. The handler and all completions run on the reader's queue. A session that has begun
/// keeps its handler, and what that holds, until the last event.
package final class SessionCore: @unchecked Sendable {  // what is not in `state` is touched on the reader's queue only
    /// What a session needs to know.
    package struct Setup: Sendable {
        /// The reader to use.
        package var reader: ReaderSpecification
        /// What to look for first.
        package var polling: Polling
        /// The time from the beginning to ``SessionEnd/timeLimit``; nil for no limit.
        package var timeLimit: Duration?

        /// Describes a session.
        package init(reader: ReaderSpecification, polling: Polling = Polling(), timeLimit: Duration? = nil) {
            self.reader = reader
            self.polling = polling
            self.timeLimit = timeLimit
        }
    }

    /// What happens in a session.
    package enum Event: Sendable {
        /// The reader is open, its field on.
        case opened
        /// One poll found tags; polling has stopped.
        case detected([DetectedTag])
        /// Another tag is connected, or none.
        case connected(DetectedTag?)
        /// The session is over and the reader closed: the last event.
        case ended(SessionEnd)
    }

    package enum Phase: Sendable {
        case created, running, ended
    }

    struct State {
        var phase = Phase.created
        var isOpen = false
        var reader: SessionReader?
        var timer: (any DispatchSourceTimer)?
        var handler: (@Sendable (Event) -> Void)?
    }

    let state = Mutex(State())
    /// What the tags of this session made of the passwords they were sent.
    package let passwords = PasswordMemory()

    /// Counts the rounds of polling that were begun: tags of an earlier one are dead.
    ///
    /// Readable from any thread.
    package var round: Int { currentRound.load(ordering: .relaxed) }
    let currentRound = Atomic(0)

    /// What is looked for in this round.
    var polling = Polling()
    /// Whether there may be more tags in the field than the last poll that found some could tell apart; from any thread.
    ///
    /// Does not change before polling is restarted.
    package var hasMoreTags: Bool { moreTags.load(ordering: .relaxed) }
    let moreTags = Atomic(false)
    /// The number of polls of this session that were answered, and found no tag; from any thread.
    package var emptyPolls: Int { emptyPollCount.load(ordering: .relaxed) }
    let emptyPollCount = Atomic(0)

    /// The tag whose operations may run now.
    var connected: DetectedTag? {
        didSet {
            if oldValue !== connected { oldValue?.connectionChanged(isConnected: false) }
            connected?.connectionChanged(isConnected: true)
        }
    }
    private weak var toldConnected: DetectedTag?

    /// Makes a session that has not begun.
    package init() {}

    package var isRunning: Bool { state.withLock { $0.phase == .running } }

    /// Whether the reader is open and its field on.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The reader; nil before ``begin(_:unless:_:)``, and when it could not be taken.
    package var reader: SessionReader? { state.withLock { $0.reader } }

    /// Takes the reader, opens it and begins to look for tags; returns at once.
    ///
    /// - Parameters:
    ///   - setup: what the session needs to know.
    ///   - refusal: why it cannot begin, whatever the reader: then it takes none and ends with ``SessionEnd/client(_:)``.
    ///   - handler: receives the events.
    /// - Returns: the phase before; only a session that was just created begins.
    @discardableResult
    package func begin(
        _ setup: Setup, unless refusal: (any Error)? = nil, _ handler: @escaping @Sendable (Event) -> Void
    ) -> Phase {
        var failure = refusal.map(SessionEnd.client)
        let before = state.withLock { state in
            guard state.phase == .created else { return state.phase }
            state.phase = .running
            state.handler = handler
            guard failure == nil else { return .created }
            let reader = SessionReader(setup.reader)
            do throws(ReaderError) {
                try reader.take()
                state.reader = reader
            } catch {
                failure = .notOpened(error)
            }
            return .created
        }
        guard before == .created else { return before }
        if let failure {
            end(failure)
        } else {
            startTimeLimit(setup.timeLimit)
            reader?.queue.async {
                self.polling = setup.polling
                self.open()
            }
        }
        return before
    }

    /// Ends the session; only the first call has an effect.
    ///
    /// Aborts what the reader is doing, lets queued operations fail, closes the reader, and then calls the handler for the
    /// last time.
    ///
    /// - Returns: the phase before; one that has not begun has no handler to call.
    @discardableResult
    package func end(_ end: SessionEnd) -> Phase {
        let (before, ended) = state.withLock { state -> (Phase, State) in
            let ended = state
            state.phase = .ended
            state.isOpen = false
            state.handler = nil
            return (ended.phase, ended)
        }
        guard before == .running else { return before }
        ended.timer?.cancel()
        let handler = ended.handler
        guard let reader = ended.reader else {
            handler?(.ended(end))
            return before
        }
        reader.abort()
        reader.queue.async {
            reader.close()
            self.connected = nil
            handler?(.ended(end))
        }
        reader.release()
        return before
    }

    /// Ends the session for an error of the reader itself; an abort is the end already.
    package func readerFailed(with error: any Error) {
        if case ReaderError.aborted = error { return }
        end(.readerFailed(error))
    }

    /// Runs an operation on the reader's queue, in turn, and then its completion.
    ///
    /// A reader that fails ends the session. The completion gets ``SessionError/ended`` when the session is not running
    /// by then; it gets that at once when the session did not begin.
    package func perform<Value: Sendable>(
        _ operation: @escaping @Sendable () throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        guard let reader else { return completion(.failure(SessionError.ended)) }
        reader.queue.async {
            let result = Result {
                guard self.isRunning else { throw SessionError.ended }
                defer { self.tellConnected() }
                return try operation()
            }
            completion(result)
            if case .failure(let error) = result, let failure = ReaderError(failureIn: error) {
                self.readerFailed(with: failure)
            }
        }
    }

    /// Runs work after the operations that wait for the reader; at once without a reader.
    package func afterOperations(_ work: @escaping @Sendable () -> Void) {
        if let reader { reader.queue.async(execute: work) } else { work() }
    }

    func tell(_ event: Event) { state.withLock { $0.handler }?(event) }

    func tellConnected() {
        guard toldConnected !== connected else { return }
        toldConnected = connected
        tell(.connected(connected))
    }

    private func open() {
        guard isRunning, let reader else { return }
        do {
            try reader.open()
            try requireRadio(for: polling)
        } catch {
            end(.notOpened(error))
            return
        }
        let isRunning = state.withLock { state in
            state.isOpen = state.phase == .running
            return state.isOpen
        }
        // Ended while the reader opened: the end has queued the closing after this.
        guard isRunning else { return }
        tell(.opened)
        startPolling()
    }

    private func startTimeLimit(_ limit: Duration?) {
        guard let limit else { return }
        state.withLock { state in
            guard state.phase == .running else { return }
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.setEventHandler { [weak self] in self?.end(.timeLimit) }
            timer.schedule(deadline: .now() + limit / .seconds(1))
            timer.activate()
            state.timer = timer
        }
    }
}
