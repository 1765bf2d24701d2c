// The delegate that receives what phones answer — CoreNFC NFCVASReaderSessionDelegate

public import Foundation

/// The delegate of an ``NFCVASReaderSession``.
///
/// All methods are called on the session's queue.
public protocol NFCVASReaderSessionDelegate: NSObjectProtocol {
    /// The reader's field is on and the session is polling.
    func readerSessionDidBecomeActive(_ session: NFCVASReaderSession)
    /// The session has ended, and why; called exactly once, and last.
    func readerSession(_ session: NFCVASReaderSession, didInvalidateWithError error: any Error)
    /// A phone has answered, for each pass in turn.
    func readerSession(_ session: NFCVASReaderSession, didReceive responses: [NFCVASResponse])
}

extension NFCVASReaderSessionDelegate {
    /// Does nothing.
    public func readerSessionDidBecomeActive(_ session: NFCVASReaderSession) {}
}
