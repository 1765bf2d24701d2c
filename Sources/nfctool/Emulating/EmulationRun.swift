// One card session of `emulate`, from the opening of the reader to its end, as a sequence of events

import ReaderInterface
import ReaderSession
import SafeTag
import Terminal

/// Carries out an emulation, until its end, its time, or Ctrl-C.
struct EmulationRun {
    private enum Happening: Sendable {
        case opened
        case card(ListeningSession.Event)
        case failed(any Error)
        case interrupted
        /// Nobody came in the wait of this number.
        case timeout(wait: Int)
        case over
    }

    private var emulation: Emulation
    private let session: ListeningSession
    private let timeout: Duration?
    private let length: Duration?
    private let happenings: AsyncStream<Happening>
    private let continuation: AsyncStream<Happening>.Continuation
    private var isOpen = false
    private var waits = 0
    /// The end of the wait of now; nil while a reader is served.
    private var wait: Task<Void, any Error>?
    private var end: Task<Void, any Error>?

    /// - Parameters:
    ///   - timeout: the longest wait for a reader; nil forever.
    ///   - length: how long it lasts at most; nil forever.
    init(_ emulation: Emulation, in session: ListeningSession, timeout: Duration?, length: Duration?) {
        self.emulation = emulation
        self.session = session
        self.timeout = timeout
        self.length = length
        (happenings, continuation) = AsyncStream.makeStream()
    }

    /// Emulates.
    /// - Throws: ``NoReaderCame``, ``Interrupted``, or why the reader cannot or could not any more.
    consuming func run() async throws {
        let continuation = continuation
        let interruption = Interruption.onRequest { continuation.yield(.interrupted) }
        defer { withExtendedLifetime(interruption) {} }
        // Beside this: a mute reader takes its time, and Ctrl-C is not to wait for it.
        let session = session
        let opening = Task {
            do {
                try await session.open()
                continuation.yield(.opened)
            } catch {
                continuation.yield(.failed(error))
            }
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await serve())
        } catch {
            result = .failure(error)
        }
        wait?.cancel()
        end?.cancel()
        if isOpen {
            await opening.value
            await withCheckedContinuation { closed in session.end { closed.resume() } }
        }
        try result.get()
    }

    private mutating func serve() async throws {
        for await happening in happenings {
            switch happening {
            case .opened:
                isOpen = true
                try emulation.started(on: session.readerName)
                beginWait()
                if let length { end = start(after: length, .over) }
                session.start()
                session.begin { [continuation] event, _ in continuation.yield(.card(event)) }
            case .card(let event): if try await take(event) { return }
            case .failed(let error): throw error
            case .interrupted: throw Interrupted(cause: nil)
            case .timeout(let wait):
                if self.wait != nil, wait == waits { throw NoReaderCame(after: timeout ?? .zero) }
            case .over: return
            }
        }
    }

    /// Takes one event; true when the last reader has left.
    private mutating func take(_ event: ListeningSession.Event) async throws -> Bool {
        switch event {
        case .readerDetected: emulation.activated()
        case .received(let exchange):
            // No wait is over while somebody is there; who only looked what is there has not come.
            wait?.cancel()
            wait = nil
            let answer = try emulation.answer(to: exchange.command)
            // When the reader has left, or the reader below fails, the next event says so.
            try? await exchange.respond(with: answer)
        case .readerDeselected:
            if try emulation.deselected() { return true }
            beginWait()
        case .failed(let error): throw error
        }
        return false
    }

    /// Begins to wait for a reader, unless it waits.
    private mutating func beginWait() {
        guard wait == nil, let timeout else { return }
        waits += 1
        wait = start(after: timeout, .timeout(wait: waits))
    }

    private func start(after time: Duration, _ happening: Happening) -> Task<Void, any Error> {
        let continuation = continuation
        return Task {
            try await Task.sleep(for: time)
            continuation.yield(happening)
        }
    }
}

/// No reader came in time.
struct NoReaderCame: Failure {
    let time: Duration

    init(after time: Duration) { self.time = time }

    var name: ErrorName { .timeout }
    var message: String { "No reader came within \(time.inWords)." }
}
