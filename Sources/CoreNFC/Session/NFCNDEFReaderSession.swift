// A session for tags with NDEF messages — CoreNFC NFCNDEFReaderSession

public import Foundation
import ReaderInterface
import ReaderSession
import Synchronization

/// Finds tags of all types that the reader supports, and reads and writes their NDEF messages.
///
/// ```swift
/// let session = NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: true)
/// session.begin()
/// ```
open class NFCNDEFReaderSession: NFCReaderSession, @unchecked Sendable {
    private let invalidateAfterFirstRead: Bool
    // A cast of `delegate` would fail outside its actor if only the main actor has the conformance (SE-0470).
    private weak var ndefDelegate: (any NFCNDEFReaderSessionDelegate)?
    private let readsMessages = Mutex(false)

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - delegate: the delegate, held weakly.
    ///   - queue: the queue for the delegate and all handlers, or nil for a private serial queue.
    ///   - invalidateAfterFirstRead: whether a session that reads messages itself ends with code 204 after the first
    ///     message.
    public init(
        delegate: any NFCNDEFReaderSessionDelegate, queue: DispatchQueue?, invalidateAfterFirstRead: Bool
    ) {
        self.invalidateAfterFirstRead = invalidateAfterFirstRead
        ndefDelegate = delegate
        super.init(delegate: delegate, queue: queue)
    }

    /// Looks for tags again.
    ///
    /// Tags found earlier can no longer be used. Does nothing if the session itself reads the messages, or has ended.
    open func restartPolling() {
        if !readsMessages.withLock({ $0 }) { core.restartPolling() }
    }

    /// Connects to a tag, and drops the connection to any other tag.
    ///
    /// For a tag that is already connected, checks that it is still present.
    ///
    /// Error codes: 3 for a tag of another session; 100 if the tag is gone or was found before ``restartPolling()``;
    /// 103 if the session has ended.
    @preconcurrency
    open func connect(to tag: any NFCNDEFTag, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        connect(to: tag as? SessionTag, completionHandler: completionHandler)
    }

    /// Connects to a tag, and drops the connection to any other tag.
    open func connect(to tag: any NFCNDEFTag) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            connect(to: tag) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    override func didBecomeActive() {
        ndefDelegate?.readerSessionDidBecomeActive(self)
    }

    override func didInvalidate(_ error: NFCReaderError) {
        ndefDelegate?.readerSession(self, didInvalidateWithError: error)
    }

    override func didFind(_ tags: [DetectedTag]) {
        guard let round = tags.first?.round else { return }
        let tags = tags.map { SessionTag.ofNDEFSession($0, in: self) }
        deliver(of: round) { self.ndefDelegate?.readerSession(self, didDetect: tags) }
    }

    /// Reads the tags' messages for a delegate that does not accept tags, and continues polling once the tags have
    /// left.
    func readMessages(of tags: [any NFCNDEFTag]) {
        readsMessages.withLock { $0 = true }
        let tags = tags.compactMap { $0 as? SessionTag }
        core.afterOperations {
            let readings = tags.map { self.reading(of: $0) }
            let messages = readings.compactMap { if case .message(let message) = $0 { message } else { nil } }
            let isLast = self.invalidateAfterFirstRead && !messages.isEmpty
            if !messages.isEmpty {
                self.sessionQueue.async {
                    guard self.isRunning else { return }
                    self.ndefDelegate?.readerSession(self, didDetectNDEFs: messages)
                    // End the session only now, because a session that has ended makes no callbacks except the last
                    // one.
                    if isLast { self.end(with: NFCReaderError(.readerSessionInvalidationErrorFirstNDEFTagRead)) }
                }
            }
            guard !isLast else { return }
            // If no other tag was read, a tag that gave no reliable answer is read again, even if it has not been away.
            let done = zip(tags, readings).filter { !$1.isUncertain }.map(\.0.detected)
            if done.isEmpty { self.core.pollLater() } else { self.core.resumePolling(afterRemovalOf: done) }
        }
    }

    private enum Reading {
        case message(NFCNDEFMessage)
        /// The tag has no message or an invalid one. iOS also ignores such tags.
        case nothing
        /// The tag left, or its answers are unreliable.
        case uncertain

        var isUncertain: Bool { if case .uncertain = self { true } else { false } }
    }

    private func reading(of tag: SessionTag) -> Reading {
        do {
            try core.activate(tag.detected)
            return .message(try NFCNDEFMessage(readFrom: tag.makeForumTag()))
        } catch {
            return (error as? any ClassifiedError)?.kind == .tagGone ? .uncertain : .nothing
        }
    }
}
