// The delegate of the sessions of iOS 11, with the name from Objective-C's importer — CoreNFC
// __NFCReaderSessionDelegate

public import Foundation

/// The delegate of an ``__NFCISO15693ReaderSession``.
///
/// All methods are called on the session's queue.
public protocol __NFCReaderSessionDelegate: NSObjectProtocol {
    /// The reader's field is on and the session is polling.
    func readerSessionDidBecomeActive(_ session: NFCReaderSession)
    /// The session has ended for the given reason.
    ///
    /// This method is called exactly once, and last. If an ended session is told to begin again, it is called again,
    /// with code 103.
    func readerSession(_ session: NFCReaderSession, didInvalidateWithError error: any Error)
    /// The session has found tags.
    func readerSession(_ session: NFCReaderSession, didDetect tags: [any __NFCTag])
}

extension __NFCReaderSessionDelegate {
    /// Does nothing.
    public func readerSession(_ session: NFCReaderSession, didDetect tags: [any __NFCTag]) {}
}
