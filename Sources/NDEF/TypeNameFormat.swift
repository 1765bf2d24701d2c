// Type Name Format (TNF) — NFC Forum NDEF 1.0, section 3.2.6

/// How the TYPE field of a record is to be read: the TNF field, 3 bits.
public enum TypeNameFormat: UInt8, Hashable, Sendable {
    /// 0: no type, no ID, no payload.
    case empty = 0
    /// 1: an NFC Forum well-known type, such as `T` or `U`.
    case wellKnown
    /// 2: a media type (RFC 2046), such as `text/vcard`.
    case media
    /// 3: an absolute URI (RFC 3986); the URI is the type itself.
    case absoluteURI
    /// 4: an NFC Forum external type, `domain:name`.
    case external
    /// 5: a payload of unknown type; the TYPE field is empty.
    case unknown
    /// 6: a chunk that continues the record before it; never the TNF of a whole record.
    case unchanged
    /// 7: reserved for future use; kept as found, its TYPE field is empty.
    case reserved
}
