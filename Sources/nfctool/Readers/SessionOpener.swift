// Opening a reader for the doctor as every command does: by a session

import Doctor
import Foundation
import ReaderInterface
import ReaderSession
import Synchronization
import Terminal
import VirtualPN532

/// Opens readers by sessions.
struct SessionOpener: ReaderOpener {
    /// Says which reader is waited for.
    let hint: Hint

    func open(_ reader: Subject) async throws(CancellationError) -> Opening {
        // A mute reader takes seconds.
        let word = Task {
            try await Task.sleep(for: .milliseconds(400))
            hint.show("Waiting for the reader \(reader.name) to answer.")
        }
        defer { word.cancel() }
        let clock = ContinuousClock()
        let start = clock.now
        switch await OpeningAttempt(reader.connection).result {
        case .opened(let chip): return .answered(chip: chip, after: clock.now - start)
        case .interrupted: throw CancellationError()
        case .failed(let error): return Opening(ofSession: error)
        case .mute:
            return .failed(.readerFailed, message: "It did not answer within \(OpeningAttempt.limit.inWords).")
        }
    }
}

extension Opening {
    /// What it means that a session ended with an error.
    fileprivate init(ofSession error: any Error) {
        let failure = TagFailure(error)
        let cause = failure?.cause ?? error
        if let error = cause as? ReaderError {
            self.init(error)
            return
        }
        let obstacle: Obstacle =
            switch cause {
            case VirtualReaderError.noPseudoTerminal, VirtualReaderError.noThread, VirtualReaderError.noAntenna:
                .noReader
            default: .other(cause)
            }
        self = .failed(obstacle, message: failure?.message ?? "\(error)")
    }
}

/// One session that is begun to see whether its reader opens.
private struct OpeningAttempt {
    enum Result: Sendable {
        case opened(chip: String?)
        case failed(any Error)
        case interrupted
        case mute
    }

    /// libnfc's own time-outs at opening sum up to less.
    static let limit = Duration.seconds(8)

    private let session: ReaderSession

    init(_ specification: String) { session = ReaderSession(reader: specification) }

    /// Begins a session, waits for what comes of it, and returns when the reader is closed again.
    var result: Result {
        get async {
            session.begin()
            // After that: it may be called at once.
            let isInterrupted = Atomic(false)
            let interruption = Interruption.onRequest { [session] in
                isInterrupted.store(true, ordering: .relaxed)
                session.end()
            }
            defer { withExtendedLifetime(interruption) {} }
            var result: Result?
            for await event in session.events(ticking: Self.limit, until: Self.limit) {
                switch event {
                case .opened: result = .opened(chip: session.chip)
                case .ended(let end): result = result ?? .failed(end.cause)
                case .timeout: result = result ?? .mute
                case .tags, .tick: continue
                }
                session.end()
            }
            await session.invalidate()
            return isInterrupted.load(ordering: .relaxed) ? .interrupted : result ?? .mute
        }
    }
}
