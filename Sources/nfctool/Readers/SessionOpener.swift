// Opening a reader for the doctor as every command does: by a session

import CoreNFC
import Doctor
import Foundation
import NFCReader
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

/// One session that is begun to see whether it becomes active.
private final class OpeningAttempt: NSObject, NFCNDEFReaderSessionDelegate, Sendable {
    enum Result: Sendable {
        case opened(chip: String?)
        case failed(any Error)
        case interrupted
        case mute
    }

    private enum Event {
        case active(chip: String?)
        case ended(any Error)
        case interrupted
        case timeout
    }

    /// libnfc's own time-outs at opening sum up to less.
    static let limit = Duration.seconds(8)

    private let specification: String
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init(_ specification: String) {
        self.specification = specification
        (events, continuation) = AsyncStream.makeStream(of: Event.self)
    }

    /// Begins a session, waits for what comes of it, and returns when the reader is closed again.
    var result: Result {
        get async {
            let session = NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: false)
            session.readerSpecification = specification
            session.timeLimit = nil
            let interruption = Interruption.onRequest { [continuation] in continuation.yield(.interrupted) }
            let timer = Task { [continuation] in
                try await Task.sleep(for: Self.limit)
                continuation.yield(.timeout)
            }
            defer {
                timer.cancel()
                withExtendedLifetime(interruption) {}
            }
            session.begin()
            var result: Result?
            for await event in events {
                switch event {
                case .active(let chip): result = .opened(chip: chip)
                case .interrupted: result = .interrupted
                case .ended(let error): return result ?? .failed(error)
                case .timeout: return result ?? .mute
                }
                session.invalidate()
            }
            return result ?? .mute
        }
    }

    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {
        continuation.yield(.active(chip: session.readerChip))
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        continuation.yield(.ended(error))
        continuation.finish()
    }

    // The doctor does not look at tags.
    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {}
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}
