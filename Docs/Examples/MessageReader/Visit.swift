// One visit of a tag: a session that does one thing with the first tag that comes, and ends

import CoreNFC

/// Turns a session with its delegate into one call that returns what was done.
final class Visit<Value: Sendable>: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
    // Unchecked: `result` is set before the session's last callback, which alone reads it.
    private let work: @Sendable (any NFCNDEFTag) async throws -> Value
    private var result: Result<Value, any Error>?
    private let ended: CheckedContinuation<Value, any Error>

    /// Waits for a tag, connects to it and works with it.
    ///
    /// - Throws: what the work throws; why the session ended when no tag came.
    static func run(_ work: @escaping @Sendable (any NFCNDEFTag) async throws -> Value) async throws -> Value {
        var visit: Visit?
        defer { withExtendedLifetime(visit) {} }  // the session holds its delegate weakly
        return try await withCheckedThrowingContinuation { continuation in
            let delegate = Visit(work, continuation)
            visit = delegate
            NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false).begin()
        }
    }

    private init(
        _ work: @escaping @Sendable (any NFCNDEFTag) async throws -> Value,
        _ ended: CheckedContinuation<Value, any Error>
    ) {
        self.work = work
        self.ended = ended
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
        guard tags.count == 1 else {
            print("There are \(tags.count) tags on the reader; leave one.")
            session.sessionQueue.asyncAfter(deadline: .now() + 0.5) { session.restartPolling() }
            return
        }
        // Whatever is asked of a tag queues up in its session; any thread may ask.
        nonisolated(unsafe) let tag = tags[0]
        Task {
            do {
                try await session.connect(to: tag)
                result = .success(try await work(tag))
            } catch {
                result = .failure(error)
            }
            session.invalidate()
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        ended.resume(with: result ?? .failure(error))
    }

    // Required, and never called: this delegate takes tags.
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}
