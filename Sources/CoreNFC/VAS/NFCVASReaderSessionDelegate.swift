// The delegate that receives the answers of phones — CoreNFC NFCVASReaderSessionDelegate

public import Foundation

/// The delegate of an ``NFCVASReaderSession``.
///
/// All methods are called on the session's queue.
public protocol NFCVASReaderSessionDelegate: NSObjectProtocol {
    /// The reader's field is on and the session is polling.
    func readerSessionDidBecomeActive(_ session: NFCVASReaderSession)
    /// The session has ended for the given reason.
    ///
    /// This method is called exactly once, and last. If an ended session is told to begin again, it is called again,
    /// with code 103.
    func readerSession(_ session: NFCVASReaderSession, didInvalidateWithError error: any Error)
    /// A phone has answered, with one response for each pass.
    func readerSession(_ session: NFCVASReaderSession, didReceive responses: [NFCVASResponse])
}

extension NFCVASReaderSessionDelegate {
    /// Does nothing.
    public func readerSessionDidBecomeActive(_ session: NFCVASReaderSession) {}
}
