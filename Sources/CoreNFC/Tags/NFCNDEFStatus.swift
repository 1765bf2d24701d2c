// Whether a tag can be read and written — CoreNFC NFCNDEFStatus

/// What a tag's NDEF area allows.
public enum NFCNDEFStatus: UInt, Hashable, Sendable {
    /// Not NDEF formatted; reading and writing are refused.
    case notSupported = 1
    /// Can be read and written.
    case readWrite = 2
    /// Can be read only.
    case readOnly = 3
}
