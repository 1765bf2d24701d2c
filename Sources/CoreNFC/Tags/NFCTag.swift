// The tag of an NFCTagReaderSession, by its kind — CoreNFC NFCTag

/// A tag that an ``NFCTagReaderSession`` has found.
///
/// An ISO/IEC 14443 type A card with ISO-DEP is ``iso7816(_:)`` if one of the session's application identifiers selects
/// an application on it, otherwise ``miFare(_:)``; see ``NFCTagReaderSession/iso7816SelectIdentifiers`` for details.
public enum NFCTag {
    /// A FeliCa card, JIS X 6319-4.
    case feliCa(any NFCFeliCaTag)
    /// A card with applications, ISO/IEC 7816-4.
    case iso7816(any NFCISO7816Tag)
    /// A vicinity tag, ISO/IEC 15693 (NFC Forum Type 5).
    ///
    /// A reader with a PN53x never finds one.
    case iso15693(any NFCISO15693Tag)
    /// A MIFARE product, or another ISO/IEC 14443 type A tag.
    ///
    /// As on an iPhone, a MIFARE Classic is never reported.
    case miFare(any NFCMiFareTag)

    /// Whether the tag can be used.
    ///
    /// False after the tag has left the field, or was disconnected because another tag was connected. A connected tag
    /// is queried, unless it answered within the last 100 ms. A tag that is not connected yet counts as available until
    /// an operation does not find it. If the reader is busy for more than 0.3 s, the last result is returned.
    public var isAvailable: Bool {
        switch self {
        case .feliCa(let tag): tag.isAvailable
        case .iso7816(let tag): tag.isAvailable
        case .iso15693(let tag): tag.isAvailable
        case .miFare(let tag): tag.isAvailable
        }
    }
}
