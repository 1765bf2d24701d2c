// The tag of an NFCTagReaderSession, by its kind — CoreNFC NFCTag

/// A tag that an ``NFCTagReaderSession`` has found.
///
/// A card of ISO/IEC 14443 type A that speaks ISO-DEP is ``iso7816(_:)`` when one of the session's application identifiers
/// selects an application on it, else ``miFare(_:)``; ``NFCTagReaderSession/iso7816SelectIdentifiers`` has the details.
public enum NFCTag {
    /// A FeliCa card, JIS X 6319-4.
    case feliCa(any NFCFeliCaTag)
    /// A card with applications, ISO/IEC 7816-4.
    case iso7816(any NFCISO7816Tag)
    /// A vicinity tag, ISO/IEC 15693 (NFC Forum Type 5); never found by a reader with a PN53x.
    case iso15693(any NFCISO15693Tag)
    /// A MIFARE product, or another tag of ISO/IEC 14443 type A; MIFARE Classic is not among them, as on an iPhone.
    case miFare(any NFCMiFareTag)

    /// Whether the tag can be used: false once it has left the field, or lost its connection to another tag.
    ///
    /// A connected tag is asked, unless it answered within the last 100 ms. A tag that is not connected yet counts as
    /// available until an operation misses it. While the reader is busy for longer than 0.3 s, the last answer counts.
    public var isAvailable: Bool {
        switch self {
        case .feliCa(let tag): tag.isAvailable
        case .iso7816(let tag): tag.isAvailable
        case .iso15693(let tag): tag.isAvailable
        case .miFare(let tag): tag.isAvailable
        }
    }
}
