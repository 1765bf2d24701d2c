// The Type Name Format (TNF) — NFC Forum NDEF 1.0, section 3.2.6

/// The TNF field, 3 bits, which defines the meaning of the TYPE field in a record.
public enum TypeNameFormat: UInt8, Hashable, Sendable {
    /// 0: a record without type, ID and payload.
    case empty = 0
    /// 1: an NFC Forum well-known type, such as `T` or `U`.
    case wellKnown
    /// 2: a media type (RFC 2046), such as `text/vcard`.
    case media
    /// 3: an absolute URI (RFC 3986), which is the type itself.
    case absoluteURI
    /// 4: an NFC Forum external type, `domain:name`.
    case external
    /// 5: a payload of unknown type. The TYPE field is empty.
    case unknown
    /// 6: a chunk that continues the previous record. This is never the TNF of a whole record.
    case unchanged
    /// 7: reserved for future use. Such a record is kept unchanged, and its TYPE field is empty.
    case reserved
}
