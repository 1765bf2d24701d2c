// What every reader session can do — CoreNFC NFCReaderSessionProtocol

public import Foundation

/// A reader session: it begins, finds tags, and ends once.
public protocol NFCReaderSessionProtocol: NSObjectProtocol {
    /// Whether the reader is open and its field on.
    var isReady: Bool { get }
    /// The text an iPhone shows while it waits for tags; see ``NFCReaderSession/alertHandler``.
    var alertMessage: String { get set }
    /// Starts the session and returns at once.
    func begin()
    /// Ends the session.
    func invalidate()
    /// Ends the session with a message for the user.
    func invalidate(errorMessage: String)
}
