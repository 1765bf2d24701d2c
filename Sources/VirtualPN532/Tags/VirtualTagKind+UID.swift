// The UIDs of new tags — ISO/IEC 14443-3, JIS X 6319-4, NFC Forum Type 1 Tag

extension VirtualTagKind {
    var isClassic: Bool {
        switch self {
        case .classic1k, .classic4k, .classic1kNDEF, .classic4kNDEF, .mifareMini, .classic2k, .mifarePlusSL1,
            .classic1kMagic, .classic1kMagic2:
            true
        default: false
        }
    }

    /// Returns the default UID for a new tag with this serial number, 0 to 65535.
    func defaultUID(serial: Int) -> [UInt8] {
        let kind = UInt8(Self.allCases.firstIndex(of: self) ?? 0)
        let number = UInt16(truncatingIfNeeded: serial).bigEndianBytes
        switch self {
        case .type4b, .applicationCardB: return [0x5E, kind] + number
        // ISO/IEC 14443-3: a UID that starts with 08 is a random number.
        case .passport: return [0x08, kind] + number
        // ISO/IEC 14443-3: a single-size UID that starts with x0 to x7 is a proprietary number.
        case _ where isClassic: return [0xC0, kind] + number
        case .feliCaLiteS, .feliCaLiteSNDEF, .feliCaStandard: return [0x01, 0x2E, 0x57, 0x1F, kind] + number + [0x80]
        // NFC Forum Digital: an NFCID2 that starts with 02 FE belongs to a Type 3 Tag.
        case .type3: return [0x02, 0xFE, 0x57, 0x1F, kind] + number + [0x80]
        case .topaz96, .topaz96Blank, .topaz512, .topaz512Blank: return [0x10 + kind] + number + [0x57]
        // ISO/IEC 7816-6: 02 is the manufacturer code of STMicroelectronics.
        case .st25TN01K: return [0x02, 0x10 + kind, 0x57, 0x1F] + number + [0x80]
        default: return [0x04, 0x10 + kind, 0x57, 0x1F] + number + [0x80]
        }
    }

    /// Returns a random UID in the form for this kind of tag.
    ///
    /// The form defines the first bytes. All others, at least three, are random.
    func randomUID() -> [UInt8] {
        var uid = defaultUID(serial: 0)
        for index in prefixSize..<uid.count {
            // The second cascade level must not start with the cascade tag.
            repeat { uid[index] = .random(in: 0...255) } while uid[index] == Radio.cascadeTag
        }
        return uid
    }

    /// The number of UID bytes that the form defines: the manufacturer code, or the marker for a type of number.
    private var prefixSize: Int {
        switch self {
        case .feliCaLiteS, .feliCaLiteSNDEF, .feliCaStandard, .type3: 2
        default: 1
        }
    }

    var isType2: Bool {
        switch self {
        case .ntag213, .ntag215, .ntag216, .ultralight, .ultralightEV1, .ultralightEV1128, .ntag215ReadOnly,
            .ntag215Protected, .ntag203, .ultralightC, .ntagI2C1K, .ntagI2C2K, .ntag210micro,
            .st25TN01K, .ultralightAES, .ntag223DNA, .ntag224DNA:
            true
        default: false
        }
    }
}
