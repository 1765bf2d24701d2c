// The access that a tag allows to its NDEF area — CoreNFC NFCNDEFStatus

/// The access that a tag allows to its NDEF area.
public enum NFCNDEFStatus: UInt, Hashable, Sendable {
    /// The tag has no NDEF format.
    ///
    /// Reading and writing are refused.
    case notSupported = 1
    /// The tag can be read and written.
    case readWrite = 2
    /// The tag can only be read.
    case readOnly = 3
}
