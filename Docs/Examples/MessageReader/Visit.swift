// One visit of a tag: a session that does one thing with the first tag, and then ends

import CoreNFC

/// Turns a session with its delegate into one call that returns the result.
final class Visit<Value: Sendable>: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
    // Unchecked: `result` is set before the session's last callback, and only that callback reads it.
    private let work: @Sendable (any NFCNDEFTag) async throws -> Value
    private var result: Result<Value, any Error>?
    private let ended: CheckedContinuation<Value, any Error>

    /// Waits for a tag, connects to it and works with it.
    ///
    /// - Throws: what the work throws, or the reason why the session ended without a tag.
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
            say("There are \(tags.count) tags on the reader. Remove all but one.")
            session.sessionQueue.asyncAfter(deadline: .now() + 0.5) { session.restartPolling() }
            return
        }
        // Operations on a tag are queued in its session, and any thread may call them.
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

    // Required, but never called, because this delegate accepts tags.
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}
