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

    private var ndefDelegate: (any NFCNDEFReaderSessionDelegate)? { delegate as? any NFCNDEFReaderSessionDelegate }

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
            let messages = tags.compactMap { self.message(of: $0) }
            let isLast = self.invalidateAfterFirstRead && !messages.isEmpty
            if !messages.isEmpty {
                self.callbacks.async {
                    guard self.isRunning else { return }
                    self.ndefDelegate?.readerSession(self, didDetectNDEFs: messages)
                    // End the session only now, because a session that has ended makes no callbacks except the last
                    // one.
                    if isLast { self.end(with: NFCReaderError(.readerSessionInvalidationErrorFirstNDEFTagRead)) }
                }
            }
            if !isLast { self.core.resumePolling(afterRemovalOf: tags.map(\.detected)) }
        }
    }

    /// Returns the tag's message.
    ///
    /// Nil if the tag has no message or an invalid one. iOS also ignores such tags.
    private func message(of tag: SessionTag) -> NFCNDEFMessage? {
        try? core.activate(tag.detected)
        guard core.isConnected(tag.detected) else { return nil }
        return try? NFCNDEFMessage(readFrom: tag.makeForumTag())
    }
}
