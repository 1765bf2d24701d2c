// Bit rates of type A above 106 kbit/s — ISO/IEC 14443-4, TA(1) and PPS; NXP UM0701-02, InPSL

/// A bit rate for type A.
///
/// The raw value is the parameter of InPSL, and also DRI or DSI in a PPS. The chip does not support 848 kbit/s.
enum BitRate: UInt8, Hashable, Sendable {
    case kbps106 = 0
    case kbps212 = 1
    case kbps424 = 2

    var modulation: Modulation {
        switch self {
        case .kbps106: .typeA106
        case .kbps212: .typeA212
        case .kbps424: .typeA424
        }
    }
}

/// The bit rates between a reader and a type A tag.
struct BitRates: Hashable, Sendable {
    /// The bit rates directly after activation: 106 kbit/s in both directions.
    static let standard = BitRates()
    /// PPSS with CID 0.
    ///
    /// A tag answers a PPS with the same byte.
    static let ppsStart: UInt8 = 0xD0
    /// The bit in PPS0 that announces PPS1.
    private static let hasPPS1: UInt8 = 0x10

    var toTag = BitRate.kbps106
    var toReader = BitRate.kbps106
}

extension BitRates {
    /// Decodes PPS0 and PPS1, the bytes after PPSS.
    ///
    /// Without PPS1, the bit rates are 106 kbit/s. Returns nil for values that are reserved or that the chip does not
    /// support.
    init?(pps bytes: some Collection<UInt8>) {
        let parameters = Array(bytes)
        guard let format = parameters.first else { return nil }
        guard format & Self.hasPPS1 != 0 else {
            self = .standard
            return
        }
        guard parameters.count == 2, parameters[1] & 0xF0 == 0, let toTag = BitRate(rawValue: parameters[1] & 0x03),
            let toReader = BitRate(rawValue: parameters[1] >> 2)
        else { return nil }
        self.init(toTag: toTag, toReader: toReader)
    }

    /// The PPS that requests these bit rates from a tag with CID 0.
    var pps: [UInt8] { [Self.ppsStart, Self.hasPPS1 | 0x01, toReader.rawValue << 2 | toTag.rawValue] }

    /// Whether a tag with this TA(1) supports these bit rates.
    ///
    /// Bit 8 of TA(1) means that both directions must have the same bit rate. Bits 5 to 7 are the bit rates to the
    /// reader, and bits 1 to 3 are those to the tag. If bit 4 is set, TA(1) counts as 00.
    func isSupported(by ta1: UInt8) -> Bool {
        let supported = ta1 & 0x08 == 0 ? ta1 : 0x00
        if supported & 0x80 != 0, toTag != toReader { return false }
        return Self.contains(supported, toTag) && Self.contains(supported >> 4, toReader)
    }

    private static func contains(_ bits: UInt8, _ rate: BitRate) -> Bool {
        switch rate {
        case .kbps106: true
        case .kbps212: bits & 0x01 != 0
        case .kbps424: bits & 0x02 != 0
        }
    }
}

/// A type A tag that can change to higher bit rates.
protocol RatedTag: TypeATag {
    /// The current bit rates, which are 106 kbit/s again as soon as the block protocol ends.
    var bitRates: BitRates { get }
}
