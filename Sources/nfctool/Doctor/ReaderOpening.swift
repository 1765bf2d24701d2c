// Opening a reader as every command does, to see whether it answers

import NFCReader
import ReaderSession
import Synchronization
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
            let isInterrupted = Atomic(false)
            let interruption = Interruption.onRequest { [session] in
                isInterrupted.store(true, ordering: .relaxed)
                session.end()
            }
            defer { withExtendedLifetime(interruption) {} }
            session.begin()
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
