// The interface of every reader session — CoreNFC NFCReaderSessionProtocol

public import Foundation

/// A reader session: it begins, finds tags, and ends once.
public protocol NFCReaderSessionProtocol: NSObjectProtocol {
    /// Whether the reader is open and its field is on.
    var isReady: Bool { get }
    /// The text that an iPhone shows while it waits for tags.
    ///
    /// For its use on Linux, see ``NFCReaderSession/alertHandler``.
    var alertMessage: String { get set }
    /// Starts the session and returns immediately.
    func begin()
    /// Ends the session.
    func invalidate()
    /// Ends the session with a message for the user.
    func invalidate(errorMessage: String)
}
