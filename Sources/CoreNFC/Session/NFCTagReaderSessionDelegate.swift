// The delegate of a tag session — CoreNFC NFCTagReaderSessionDelegate

public import Foundation

/// The delegate of an ``NFCTagReaderSession``.
///
/// All methods are called on the session's queue.
public protocol NFCTagReaderSessionDelegate: NSObjectProtocol {
    /// The reader's field is on and the session is polling.
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession)
    /// The session has ended for the given reason.
    ///
    /// This method is called exactly once, and last. If an ended session is told to begin again, it is called again,
    /// with code 103.
    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error)
    /// The session has found at least one tag.
    ///
    /// Polling stops until ``NFCTagReaderSession/restartPolling()``.
    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag])
}
