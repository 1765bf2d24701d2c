// The kinds of tag that can hold NDEF data — NFC Forum Type 1…5 Tag specifications, NXP AN1304 (MIFARE Classic)

/// A kind of tag that can hold NDEF data.
public enum TagType: Hashable, Sendable {
    /// NFC Forum Type 1 Tag (Topaz, Jewel).
    case type1
    /// NFC Forum Type 2 Tag (NTAG21x, MIFARE Ultralight).
    case type2
    /// NFC Forum Type 3 Tag (FeliCa).
    case type3
    /// NFC Forum Type 4 Tag over ISO-DEP (DESFire, NTAG 4xx, cards, phones).
    case type4
    /// NFC Forum Type 5 Tag over NFC-V.
    case type5
    /// MIFARE Classic with a MIFARE application directory (MAD).
    case mifareClassic
}

extension TagType: CustomStringConvertible {
    /// The name for display, for example `Type 2 Tag`.
    public var description: String {
        switch self {
        case .type1: "Type 1 Tag"
        case .type2: "Type 2 Tag"
        case .type3: "Type 3 Tag"
        case .type4: "Type 4 Tag"
        case .type5: "Type 5 Tag"
        case .mifareClassic: "MIFARE Classic"
        }
    }
}
