// The session of iOS 11 for ISO 15693 tags — CoreNFC NFCISO15693ReaderSession

public import Foundation
import ReaderInterface
import ReaderSession

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The original session for ISO 15693 tags.
///
/// Its tags need no connection: each operation connects its tag and drops the connection to any other. With a reader
/// that does not support ISO 15693, the session ends with code 1.
@available(*, deprecated, message: "Use NFCTagReaderSession.")
open class __NFCISO15693ReaderSession: NFCReaderSession, @unchecked Sendable {
    private weak var tagDelegate: (any __NFCReaderSessionDelegate)?

    /// Creates a session.
    ///
    /// The session holds the delegate weakly. If no queue is given, it uses a private serial queue.
    public init(delegate: any __NFCReaderSessionDelegate, queue: DispatchQueue?) {
        tagDelegate = delegate
        super.init(delegate: delegate, queue: queue)
    }

    /// Looks for tags again.
    ///
    /// Tags found earlier can no longer be used. Does nothing if the session has ended.
    open func restartPolling() { core.restartPolling() }

    override var technologies: [Technology] { [.nfcV] }
    override var connectsTagsItself: Bool { true }

    override func didBecomeActive() {
        tagDelegate?.readerSessionDidBecomeActive(self)
    }

    override func didInvalidate(_ error: NFCReaderError) {
        tagDelegate?.readerSession(self, didInvalidateWithError: error)
    }

    override func didFind(_ detected: [DetectedTag]) {
        guard let round = detected.first?.round else { return }
        let tags = detected.compactMap { ISO15693SessionTag(vicinity: $0, in: self) }
        guard !tags.isEmpty else { return core.pollLater() }
        deliver(of: round) { self.tagDelegate?.readerSession(self, didDetect: tags) }
    }
}
