// One emulation, from opening the reader to closing it, handled as a sequence of events

package import TagTypes

/// Runs an emulation until it is done, its time is over, or it is interrupted.
package struct EmulationRun {
    package enum End: Hashable, Sendable {
        /// The last reader has left, or the time is over.
        case done
        /// No reader came in time.
        case nobodyCame
        case interrupted
    }

    package enum Event: Sendable {
        /// The reader with this name emulates the tag from now on.
        case started(reader: String, Emulation)
        case card(Emulation.Event)
    }

    private enum Happening: Sendable {
        case opened
        case card(ListeningSession.Event)
        case failed(any Error)
        case interrupted
        /// No reader came during the wait with this number.
        case timeout(wait: Int)
        case over
    }

    private var emulation: Emulation
    private let session: ListeningSession
    private let timeout: Duration?
    private let length: Duration?
    private let tell: (Event) throws -> Void
    private let happenings: AsyncStream<Happening>
    private let continuation: AsyncStream<Happening>.Continuation
    private var isOpen = false
    private var waits = 0
    /// The timer of the present wait, or nil while a reader is being served.
    private var wait: Task<Void, any Error>?
    private var end: Task<Void, any Error>?

    /// Creates a run, which begins with ``run()``.
    ///
    /// - Parameters:
    ///   - emulation: the tag that other readers detect.
    ///   - session: the reader that emulates it.
    ///   - timeout: the maximum wait for a reader, or nil for no limit.
    ///   - length: the maximum duration of the emulation, or nil for no limit.
    ///   - tell: receives each event before the other reader gets its answer. If it throws an error, the run ends.
    package init(
        _ emulation: Emulation, in session: ListeningSession, timeout: Duration?, length: Duration?,
        tell: @escaping (Event) throws -> Void
    ) {
        self.emulation = emulation
        self.session = session
        self.timeout = timeout
        self.length = length
        self.tell = tell
        (happenings, continuation) = AsyncStream.makeStream()
    }

    /// Interrupts the run.
    ///
    /// May be called from any thread.
    package var interrupt: @Sendable () -> Void {
        let continuation = continuation
        return { continuation.yield(.interrupted) }
    }

    /// Emulates the tag, and returns when the reader is closed.
    ///
    /// - Throws: the reason why the reader cannot emulate a tag; the error that `tell` throws.
    package consuming func run() async throws -> End {
        let continuation = continuation
        // Open the reader concurrently, so that an interruption does not wait for an unresponsive reader.
        let session = session
        let opening = Task {
            do {
                try await session.open()
                continuation.yield(.opened)
            } catch {
                continuation.yield(.failed(error))
            }
        }
        let result: Result<End, any Error>
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
        return try result.get()
    }

    private mutating func serve() async throws -> End {
        for await happening in happenings {
            switch happening {
            case .opened:
                isOpen = true
                try tell(.started(reader: session.readerName, emulation))
                beginWait()
                if let length { end = start(after: length, .over) }
                session.start()
                session.begin { [continuation] event, _ in continuation.yield(.card(event)) }
            case .card(let event): if try await take(event) { return .done }
            case .failed(let error): throw error
            case .interrupted: return .interrupted
            case .timeout(let wait):
                if self.wait != nil, wait == waits { return .nobodyCame }
            case .over: return .done
            }
        }
        return .done
    }

    /// Handles one event, and returns true if the last reader has left.
    private mutating func take(_ event: ListeningSession.Event) async throws -> Bool {
        switch event {
        case .readerDetected: emulation.activated()
        case .received(let exchange):
            // The wait ends with the first command. A reader that has only polled does not end it.
            wait?.cancel()
            wait = nil
            let (answer, events) = emulation.answer(to: exchange.command)
            for event in events { try tell(.card(event)) }
            // If the other reader has left, or the emulating reader fails, the next event reports it.
            try? await exchange.respond(with: answer)
        case .readerDeselected:
            let (events, isLast) = emulation.deselected()
            for event in events { try tell(.card(event)) }
            if isLast { return true }
            beginWait()
        case .failed(let error): throw error
        }
        return false
    }

    /// Starts a wait for a reader, unless one is running.
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
