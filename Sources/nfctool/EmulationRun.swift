// One card session of `emulate`, from the opening of the reader to its end, as a sequence of events

import CoreNFC
import Foundation
import Synchronization

/// Carries out an emulation, until its end, its time, or Ctrl-C.
struct EmulationRun {
    private enum Happening: Sendable {
        case opened(CardSession)
        case card(CardSession.Event)
        case failed(any Error)
        case interrupted
        /// Nobody came in the wait of this number.
        case timeout(wait: Int)
        case over
    }

    private var emulation: Emulation
    private let setup: CardSession.Setup
    private let timeout: Duration?
    private let length: Duration?
    private let happenings: AsyncStream<Happening>
    private let continuation: AsyncStream<Happening>.Continuation
    private var waits = 0
    /// The end of the wait of now; nil while a reader is served.
    private var wait: Task<Void, any Error>?
    private var end: Task<Void, any Error>?

    /// - Parameters:
    ///   - timeout: the longest wait for a reader; nil forever.
    ///   - length: how long it lasts at most; nil forever.
    init(_ emulation: Emulation, _ setup: CardSession.Setup, timeout: Duration?, length: Duration?) {
        self.emulation = emulation
        self.setup = setup
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
        let setup = setup
        let work = Task {
            do {
                let session = try await CardSession(setup)
                continuation.yield(.opened(session))
                for try await event in session.eventStream { continuation.yield(.card(event)) }
            } catch {
                continuation.yield(.failed(error))
            }
        }
        var session: CardSession?
        let result: Result<Void, any Error>
        do {
            result = .success(try await serve(&session))
        } catch {
            result = .failure(error)
        }
        wait?.cancel()
        end?.cancel()
        if let session {
            session.invalidate()
            // Comes to its end when the reader is closed.
            await work.value
        }
        try result.get()
    }

    private mutating func serve(_ session: inout CardSession?) async throws {
        for await happening in happenings {
            switch happening {
            case .opened(let opened):
                session = opened
                try emulation.started(on: opened.readerName)
                beginWait()
                if let length { end = start(after: length, .over) }
            case .card(let event):
                guard let session else { continue }
                if try await take(event, in: session) { return }
            case .failed(let error): throw error
            case .interrupted: throw Interrupted(cause: nil)
            case .timeout(let wait):
                if self.wait != nil, wait == waits { throw NoReaderCame(after: timeout ?? .zero) }
            case .over: return
            }
        }
    }

    /// Takes one event; true when the last reader has left.
    private mutating func take(_ event: CardSession.Event, in session: CardSession) async throws -> Bool {
        switch event {
        case .sessionStarted: break
        case .readerDetected:
            emulation.activated()
            // An end of the session is the next event.
            try? await session.startEmulation()
        case .received(let apdu):
            // No wait is over while somebody is there; who only looked what is there has not come.
            wait?.cancel()
            wait = nil
            let answer = try emulation.answer(to: [UInt8](apdu.payload))
            do {
                try await apdu.respond(response: Data(answer))
            } catch is CardSession.Error {
                // The reader has left, or the session has ended: the next event says which.
            }
        case .readerDeselected:
            if try emulation.deselected() { return true }
            beginWait()
        case .sessionInvalidated(let reason): throw session.cause ?? EmulationEnded(reason: reason)
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

/// The session ended for a reason that is none here: nobody else ends it.
private struct EmulationEnded: Failure {
    let reason: CardSession.Error
    var name: ErrorName { .internal }
    var message: String { "The emulation ended by itself (\(reason))." }
}
