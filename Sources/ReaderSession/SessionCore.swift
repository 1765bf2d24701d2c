// The life cycle of a session: it begins, performs operations in order on the reader's queue, and ends once

import Dispatch
import ReaderInterface
import Synchronization

/// A session with a reader from beginning to end, which reports to a handler.
///
/// ``ReaderSession`` and CoreNFC's sessions are built on it.
///
/// Methods may be called from any thread. The handler and all completions run on the reader's queue. A session that has
/// begun retains its handler, and what the handler captures, until the last event.
package final class SessionCore: @unchecked Sendable {  // state outside `state` is only used on the reader's queue
    package struct Setup: Sendable {
        package var reader: ReaderSpecification
        package var polling: Polling
        /// The time from the beginning to ``SessionEnd/timeLimit``, or nil for no limit.
        package var timeLimit: Duration?

        package init(reader: ReaderSpecification, polling: Polling, timeLimit: Duration?) {
            self.reader = reader
            self.polling = polling
            self.timeLimit = timeLimit
        }
    }

    package enum Event: Sendable {
        /// The reader is open and its field is on.
        case opened
        /// A poll found tags, and polling has stopped.
        case detected([DetectedTag])
        /// A different tag was connected.
        ///
        /// The value is nil if no tag is connected any more.
        case connected(DetectedTag?)
        /// The last event: the session has ended and the reader is closed.
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
    /// The passwords that were sent to the tags of this session, and the results.
    package let passwords = PasswordMemory()

    /// The number of the present round of polling.
    ///
    /// Tags of earlier rounds can no longer be used. The number may be read from any thread.
    package var round: Int { currentRound.load(ordering: .relaxed) }
    let currentRound = Atomic(0)

    /// What this round looks for.
    var polling = Polling()
    /// Whether the field may contain more tags than the last successful poll could distinguish.
    ///
    /// The value may be read from any thread. It does not change until polling is restarted.
    package var hasMoreTags: Bool { moreTags.load(ordering: .relaxed) }
    let moreTags = Atomic(false)
    /// The number of polls of this session that succeeded and found no tag.
    ///
    /// May be read from any thread.
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

    package init() {}

    package var isRunning: Bool { state.withLock { $0.phase == .running } }

    package var hasEnded: Bool { state.withLock { $0.phase == .ended } }

    /// Whether the reader is open and its field is on.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The reader.
    ///
    /// Nil before ``begin(_:unless:_:)``, or if the reader could not be reserved.
    var reader: SessionReader? { state.withLock { $0.reader } }

    /// Reserves and opens the reader, starts looking for tags, and returns immediately.
    ///
    /// - Parameters:
    ///   - setup: the parameters of the session.
    ///   - refusal: the reason why the session cannot begin with any reader, or nil. If there is a reason, the session
    ///     ends with ``SessionEnd/client(_:)`` without reserving a reader.
    ///   - handler: receives the events.
    /// - Returns: the previous phase. The session begins only if it was just created.
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

    /// Ends the session.
    ///
    /// Only the first call has an effect. This aborts the reader's work, lets queued operations fail, closes the
    /// reader, and then calls the handler for the last time.
    ///
    /// - Returns: the previous phase. A session that has not begun has no handler to call.
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

    /// Ends the session after the reader itself failed.
    ///
    /// An abort is ignored, because the session is already ending in that case.
    package func readerFailed(with error: any Error) {
        if case ReaderError.aborted = error { return }
        end(.readerFailed(error))
    }

    /// Runs an operation on the reader's queue, in order, followed by its completion.
    ///
    /// A reader that fails ends the session. The completion receives ``SessionError/ended`` if the session is no longer
    /// running. If the session did not begin, the completion is called immediately.
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

    /// Runs work after the reader's queued operations, or immediately if there is no reader.
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
        // If the session ended while the reader was being opened, the reader is already queued for closing.
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
