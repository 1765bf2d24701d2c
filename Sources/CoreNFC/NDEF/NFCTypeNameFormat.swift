// The format of a record's type name — NFC Forum NDEF, TNF

/// The type name format of a record.
public enum NFCTypeNameFormat: UInt8, Hashable, Sendable {
    /// No type, identifier or payload.
    case empty = 0x00
    /// An NFC Forum well-known type, such as `T` or `U`.
    case nfcWellKnown = 0x01
    /// A media type, RFC 2046.
    case media = 0x02
    /// An absolute URI, RFC 3986.
    case absoluteURI = 0x03
    /// An NFC Forum external type, `domain:type`.
    case nfcExternal = 0x04
    /// A payload of unknown type.
    case unknown = 0x05
    /// A later chunk of a record.
    ///
    /// Never used in a decoded message.
    case unchanged = 0x06
}
