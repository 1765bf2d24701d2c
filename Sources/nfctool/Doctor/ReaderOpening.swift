// Opening a reader as every command does, to see whether it answers

import CoreNFC
import Foundation
import NFCReader
import USBReaders

/// A way to open a reader and close it again.
struct ReaderOpening: Sendable {
    /// Opens what `--reader` names.
    let open: @Sendable (_ specification: String) async throws -> Opening

    /// By a session, as the commands do.
    static let bySession = ReaderOpening { specification in
        let clock = ContinuousClock()
        let start = clock.now
        let attempt = OpeningAttempt(specification)
        let result = await attempt.result
        switch result {
        case .opened(let chip): return .answered(chip: chip, after: clock.now - start)
        case .interrupted: throw Interrupted(cause: nil)
        case .failed(let error):
            let failure = TagFailure(error)
            if case ReaderError.busy(_, let holder?)? = failure?.cause { return .held(by: holder) }
            return .failed(failure?.name ?? .internal, message: failure?.message ?? "\(error)")
        case .mute:
            return .failed(.readerIO, message: "It did not answer within \(OpeningAttempt.limit.inWords).")
        }
    }
}

extension Opening {
    /// The same, with what the kernel says of the reader's interface where libnfc says nothing.
    ///
    /// libnfc tells a claimed reader and a mute one apart in its log only.
    ///
    /// - Parameter claim: what comes of claiming the interface of the reader on a port.
    func refined(
        for subject: Subject, claim: (PortPath) -> USBControlError? = Subject.testClaim
    ) -> Opening {
        guard case .failed(.readerIO, let message) = self, let port = subject.usb?.reader.port else { return self }
        switch claim(port) {
        case .busy: return .failed(.readerBusy, message: message)
        case .noPermission: return .failed(.noPermission, message: message)
        default: return self
        }
    }
}

extension Subject {
    /// Claims the interface of the reader on a port and gives it back; nil when that went well.
    static func testClaim(_ port: PortPath) -> USBControlError? {
        do throws(USBControlError) {
            try USBInterfaceControl(port: port).testClaim()
            return nil
        } catch {
            return error
        }
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

    // Tags are none of the doctor's business.
    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {}
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}
