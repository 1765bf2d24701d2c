// The delegate of an NDEF session — CoreNFC NFCNDEFReaderSessionDelegate

public import Foundation

/// The delegate of an ``NFCNDEFReaderSession``.
///
/// All methods are called on the session's queue.
///
/// With ``readerSession(_:didDetect:)`` implemented the session hands over tags to read and write, and never calls
/// ``readerSession(_:didDetectNDEFs:)``. Without it, the session reads the messages itself.
///
/// One thing differs from iOS: where a base class conforms without `didDetect` and only a subclass adds it, the subclass's
/// is not found.
public protocol NFCNDEFReaderSessionDelegate: NSObjectProtocol {
    /// The session has ended, and why; called exactly once, and last.
    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error)
    /// The session has read messages, normally one.
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage])
    /// The session has found tags. Polling stops until ``NFCNDEFReaderSession/restartPolling()``.
    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag])
    /// The reader's field is on and the session is polling.
    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession)
}

extension NFCNDEFReaderSessionDelegate {
    /// Lets the session read the messages itself: this is how a delegate without the method is recognised.
    public func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
        session.readMessages(of: tags)
    }

    /// Does nothing.
    public func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}
}
