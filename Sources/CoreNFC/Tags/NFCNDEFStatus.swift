// Whether a tag can be read and written — CoreNFC NFCNDEFStatus

/// The access that a tag's NDEF area allows.
public enum NFCNDEFStatus: UInt, Hashable, Sendable {
    /// The tag has no NDEF format; reading and writing are refused.
    case notSupported = 1
    /// The tag can be read and written.
    case readWrite = 2
    /// The tag can only be read.
    case readOnly = 3
}
