// The delegate of an NDEF session — CoreNFC NFCNDEFReaderSessionDelegate

public import Foundation

/// The delegate of an ``NFCNDEFReaderSession``.
///
/// All methods are called on the session's queue.
///
/// If ``readerSession(_:didDetect:)`` is implemented, the session passes tags to it for reading and writing, and never
/// calls ``readerSession(_:didDetectNDEFs:)``. Otherwise, the session reads the messages itself.
///
/// There is one difference from iOS: if a base class conforms without `didDetect` and only a subclass implements it,
/// the subclass's method is not called.
public protocol NFCNDEFReaderSessionDelegate: NSObjectProtocol {
    /// The session has ended for the given reason.
    ///
    /// This method is called exactly once, and last. If an ended session is told to begin again, it is called again,
    /// with code 103.
    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error)
    /// The session has read messages, usually only one.
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage])
    /// The session has found tags, and has stopped polling until ``NFCNDEFReaderSession/restartPolling()`` is called.
    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag])
    /// The reader's field is on and the session is polling.
    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession)
}

extension NFCNDEFReaderSessionDelegate {
    /// Lets the session read the messages itself.
    ///
    /// This default implementation is used if the delegate does not implement the method.
    public func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
        session.readMessages(of: tags)
    }

    /// Does nothing.
    public func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}
}
