// One emulation, from the opening of the reader to its end, as a sequence of events

package import TagTypes

/// Carries out an emulation until its end, its time, or an end from outside.
package struct EmulationRun {
    /// How an emulation ended.
    package enum End: Hashable, Sendable {
        /// The last reader has left, or the time is over.
        case done
        /// No reader came in time.
        case nobodyCame
        /// It was ended from outside.
        case interrupted
    }

    /// An event of the run.
    package enum Event: Sendable {
        /// The reader of this name is the card from now on.
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
    /// The end of the wait of now; nil while a reader is served.
    private var wait: Task<Void, any Error>?
    private var end: Task<Void, any Error>?

    /// Describes a run; nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - emulation: the tag that other readers see.
    ///   - session: the reader that plays it.
    ///   - timeout: the longest wait for a reader; nil forever.
    ///   - length: how long it lasts at most; nil forever.
    ///   - tell: receives each event before the other reader gets its answer; an error ends the run.
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

    /// Ends the run from outside, from any thread.
    package var interrupt: @Sendable () -> Void {
        let continuation = continuation
        return { continuation.yield(.interrupted) }
    }

    /// Emulates, and returns when the reader is closed.
    ///
    /// - Throws: the reason why the reader cannot emulate a tag; what `tell` throws.
    package consuming func run() async throws -> End {
        let continuation = continuation
        // In parallel: a mute reader needs time, and an end from outside does not wait for it.
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

    /// Takes one event; true when the last reader has left.
    private mutating func take(_ event: ListeningSession.Event) async throws -> Bool {
        switch event {
        case .readerDetected: emulation.activated()
        case .received(let exchange):
            // A wait does not end while a reader is there. A reader that only polled does not count.
            wait?.cancel()
            wait = nil
            let (answer, events) = emulation.answer(to: exchange.command)
            for event in events { try tell(.card(event)) }
            // When the reader has left, or the reader below fails, the next event says so.
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
