// The kinds of virtual tags, in delivery state — NXP data sheets, "memory content at delivery"

/// A kind of virtual tag.
///
/// The raw value is the name of the kind on the command line.
public enum VirtualTagKind: String, CaseIterable, Hashable, Sendable {
    /// An NTAG213 with a capability container, a Lock Control TLV and an empty message: 137 bytes of NDEF.
    case ntag213
    /// An NTAG215 with a capability container and an empty message: 492 bytes of NDEF.
    case ntag215
    /// An NTAG216 with a capability container and an empty message: 868 bytes of NDEF.
    case ntag216
    /// A blank MIFARE Ultralight (MF0ICU1) with 16 blocks, without a capability container.
    case ultralight
    /// A blank MIFARE Ultralight EV1 (MF0UL11) with 20 blocks.
    case ultralightEV1 = "ultralight-ev1"
    /// A blank MIFARE Ultralight EV1 (MF0UL21) with 41 blocks.
    case ultralightEV1128 = "ultralight-ev1-128"
    /// A Type 4 Tag with mapping version 2.0, an NDEF file of 2048 bytes, and MLe and MLc of 255.
    case type4
    /// A Type 4 Tag with mapping version 3.0 and an NDEF file of 73728 bytes, so that offsets beyond 7FFF occur.
    case type4v3 = "type4-v3"
    /// An NTAG215 with an empty message.
    ///
    /// Its capability container and all its lock bits make it read-only.
    case ntag215ReadOnly = "ntag215-read-only"
    /// An NTAG215 whose password (FF FF FF FF, PACK 00 00, as delivered) protects block 4 and later blocks from
    /// writing.
    case ntag215Protected = "ntag215-protected"
    /// A Type 4 Tag with an empty message whose NDEF file is read-only.
    case type4ReadOnly = "type4-read-only"
    /// An NTAG203 with a capability container, a Lock Control TLV and an empty message: 137 bytes of NDEF.
    ///
    /// An NTAG203 does not support GET_VERSION.
    case ntag203
    /// A blank MIFARE Ultralight C (MF0ICU2) with 48 blocks and the 3DES key that a chip has at delivery.
    case ultralightC = "ultralight-c"
    /// An NTAG I2C 1k (NT3H1101) with a capability container and an empty message: 868 bytes of NDEF.
    case ntagI2C1K = "ntag-i2c-1k"
    /// An NTAG I2C 2k (NT3H1201) with a capability container and an empty message: 1868 bytes of NDEF in two sectors.
    case ntagI2C2K = "ntag-i2c-2k"
    /// A Type 4 Tag of type B with mapping version 2.0, an NDEF file of 2048 bytes, and MLe and MLc of 255.
    case type4b
    /// A FeliCa Lite-S (RC-S966) with system 88B4, not yet formatted for NDEF.
    case feliCaLiteS = "felica-lite-s"
    /// A FeliCa Lite-S with an attribute information block and an empty message: 208 bytes of NDEF.
    ///
    /// A write command can contain only one block.
    case feliCaLiteSNDEF = "felica-lite-s-ndef"
    /// A Type 3 Tag with an empty message: 1024 bytes of NDEF, 12 blocks per read command, 8 per write command.
    case type3
    /// A Topaz 96 with a capability container and an empty message: 90 bytes of NDEF.
    case topaz96
    /// A Topaz 512 with a capability container and an empty message: 462 bytes of NDEF.
    ///
    /// The memory also contains a Lock Control TLV and a Memory Control TLV.
    case topaz512
    /// A blank Topaz 96, without a capability container.
    case topaz96Blank = "topaz96-blank"
    /// A blank Topaz 512, without a capability container.
    case topaz512Blank = "topaz512-blank"
    /// A MIFARE Classic 1K with factory keys and a 4-byte UID, not formatted for NDEF.
    case classic1k
    /// A MIFARE Classic 4K with factory keys and a 4-byte UID, not formatted for NDEF.
    case classic4k
    /// A MIFARE Classic 1K with a MAD and an empty message: 716 bytes of NDEF.
    case classic1kNDEF = "classic1k-ndef"
    /// A MIFARE Classic 4K with a MAD of version 2 and an empty message: 3356 bytes of NDEF.
    case classic4kNDEF = "classic4k-ndef"
    /// A blank MIFARE DESFire EV1 8K, without applications.
    ///
    /// The card master key is a DES key of zeros, and anyone may create applications.
    case desfire
    /// An NTAG 424 DNA with a capability container, an empty message and factory keys: 254 bytes of NDEF.
    case ntag424
    /// A FeliCa Standard with two systems: 0003, similar to a transport card, and 12FC with an empty message.
    ///
    /// System 12FC has 1024 bytes for NDEF data.
    case feliCaStandard = "felica-standard"
    /// A type A card with the application A0000002471001, which answers test commands.
    case applicationCard = "application-card"
    /// The same card as ``applicationCard``, but with type B.
    case applicationCardB = "application-card-b"
    /// The same card as ``applicationCard``, but with the features of a passport: a random 4-byte UID and no historical
    /// bytes.
    case passport
    /// A MIFARE Plus EV1 4K in security level 3, which can only be activated and report its version.
    case mifarePlus = "mifare-plus"
    /// An NTAG210µ with a capability container and an empty message: 46 bytes of NDEF.
    ///
    /// The chip has only static lock bits and no password.
    case ntag210micro
    /// An ST25TN01K with a capability container and an empty message: 158 bytes of NDEF.
    ///
    /// An ST25TN01K does not support GET_VERSION.
    case st25TN01K = "st25tn01k"
    /// A MIFARE Mini with factory keys, not formatted for NDEF.
    case mifareMini = "mifare-mini"
    /// A MIFARE Classic with 2 KB (SAK 19) and factory keys, not formatted for NDEF.
    case classic2k
    /// A MIFARE Plus EV1 4K in security level 1: a MIFARE Classic 4K that answers RATS, with factory keys.
    case mifarePlusSL1 = "mifare-plus-sl1"
    /// A copy of a MIFARE Classic 1K with factory keys and a block 0 that can be made writable (generation 1a).
    ///
    /// The copy answers the first backdoor command, by which such copies are recognised.
    case classic1kMagic = "classic1k-magic"
    /// A copy of a MIFARE Classic 1K with factory keys and a block 0 that is always writable (generation 2).
    ///
    /// Such copies are recognised by their ATS.
    case classic1kMagic2 = "classic1k-magic2"
    /// A blank MIFARE Ultralight AES (MF0AES20) with 60 blocks and keys of zeros.
    case ultralightAES = "ultralight-aes"
    /// An NTAG 223 DNA with a capability container and an empty message: 142 bytes of NDEF.
    ///
    /// The SUN message is off, and the password is FF FF FF FF and protects nothing.
    case ntag223DNA = "ntag223-dna"
    /// An NTAG 224 DNA with a capability container and an empty message: 206 bytes of NDEF.
    ///
    /// The SUN message is off, and the AES key consists of zeros and protects nothing.
    case ntag224DNA = "ntag224-dna"

    /// Creates a tag in delivery state.
    /// - Parameters:
    ///   - uid: 7 bytes, of which the first is the manufacturer code. A MIFARE Classic has 4 or 7 bytes, a passport 4,
    ///     a type B card 4 (its PUPI), and a FeliCa tag 8 (its IDm). For a Topaz, `uid` is the first 4 bytes. By
    ///     default, the UID is derived from the kind and the serial number. Any other length stops the program.
    ///   - serial: the serial number, 0 to 65535. Tags of one kind with different serial numbers have different default
    ///     UIDs.
    /// - Returns: a new tag at each call, which is not in a field yet.
    public func make(uid: [UInt8]? = nil, serial: Int = 1) -> any VirtualTag {
        let ownUID = defaultUID(serial: serial)
        let uid = uid ?? ownUID
        precondition(
            uid.count == ownUID.count || uid.count == 7 && isClassic, "A UID of this kind has \(ownUID.count) bytes")
        switch self {
        case .ntag213: return type2(.ntag213, uid)
        case .ntag215: return type2(.ntag215, uid)
        case .ntag216: return type2(.ntag216, uid)
        case .ntag210micro: return type2(.ntag210micro, uid)
        case .st25TN01K: return type2(.st25TN01K, uid)
        case .ultralight: return type2(.ultralight, uid)
        case .ultralightC: return type2(.ultralightC, uid)
        case .ultralightAES: return type2(.ultralightAES, uid)
        case .ntag223DNA: return type2(.ntag223DNA, uid)
        case .ntag224DNA: return type2(.ntag224DNA, uid)
        case .ntag203: return type2(.ntag203, uid)
        case .ntagI2C1K: return type2(.ntagI2C1K, uid)
        case .ntagI2C2K: return type2(.ntagI2C2K, uid)
        case .ultralightEV1: return type2(.ultralightEV1, uid)
        case .ultralightEV1128: return type2(.ultralightEV1128, uid)
        case .type4: return VirtualType4Tag(nfcID1: uid)
        case .type4v3:
            var configuration = Type4Configuration()
            configuration.mappingVersion = .version3
            configuration.fileSize = 73_728
            return VirtualType4Tag(nfcID1: uid, configuration: configuration)
        case .ntag215ReadOnly:
            var memory = Type2Memory(chip: .ntag215, uid: uid)
            memory.store(memory[2].prefix(2) + [0xFF, 0xFF, 0xE1, 0x10, 0x3E, 0x0F], at: 2)
            memory.store([0xFF, 0x00, 0x0F], at: 0x82)
            return VirtualType2Tag(nfcID1: uid, memory: memory)
        case .ntag215Protected:
            var memory = Type2Memory(chip: .ntag215, uid: uid)
            memory.store([0x04, 0x00, 0x00, 0x04], at: 0x83)
            return VirtualType2Tag(nfcID1: uid, memory: memory)
        case .type4ReadOnly:
            var configuration = Type4Configuration()
            configuration.writeAccess = 0xFF
            return VirtualType4Tag(nfcID1: uid, configuration: configuration)
        case .type4b: return VirtualType4BTag(pupi: uid)
        case .feliCaLiteS: return VirtualFeliCaLiteSTag(idm: uid)
        case .feliCaLiteSNDEF:
            var memory = FeliCaLiteSMemory(idm: uid)
            memory.formatForNDEF()
            return VirtualFeliCaLiteSTag(idm: uid, memory: memory)
        case .type3: return VirtualType3Tag(idm: uid)
        case .topaz96, .topaz96Blank: return topaz(.topaz96, uid, isFormatted: self == .topaz96)
        case .topaz512, .topaz512Blank: return topaz(.topaz512, uid, isFormatted: self == .topaz512)
        case .classic1k: return VirtualClassicTag(nfcID1: uid, memory: ClassicMemory(layout: .oneK, uid: uid))
        case .classic4k: return VirtualClassicTag(nfcID1: uid, memory: ClassicMemory(layout: .fourK, uid: uid))
        case .classic1kNDEF: return VirtualClassicTag(nfcID1: uid, memory: .formatted(layout: .oneK, uid: uid))
        case .classic4kNDEF: return VirtualClassicTag(nfcID1: uid, memory: .formatted(layout: .fourK, uid: uid))
        case .mifareMini: return VirtualClassicTag(nfcID1: uid, memory: ClassicMemory(layout: .mini, uid: uid))
        case .classic2k: return VirtualClassicTag(nfcID1: uid, memory: ClassicMemory(layout: .twoK, uid: uid))
        case .mifarePlusSL1:
            return VirtualClassicTag(
                nfcID1: uid, memory: ClassicMemory(layout: .fourK, uid: uid), ats: VirtualMIFAREPlusTag.ats)
        case .classic1kMagic:
            return VirtualClassicTag(nfcID1: uid, memory: .copy(uid: uid), hasBackdoor: true)
        case .classic1kMagic2:
            return VirtualClassicTag(nfcID1: uid, memory: .copy(uid: uid), ats: ClassicMemory.copyATS)
        case .desfire:
            return VirtualDESFireTag(nfcID1: uid, memory: .desfire(uid: uid), ats: VirtualDESFireTag.desfireATS)
        case .ntag424:
            return VirtualNTAG424Tag(memory: NTAG424Memory(uid: uid))
        case .feliCaStandard: return VirtualFeliCaStandardTag(idm: uid)
        case .applicationCard: return VirtualApplicationCard(nfcID1: uid)
        case .applicationCardB: return VirtualApplicationCardB(pupi: uid)
        case .passport:
            var configuration = ApplicationCardConfiguration()
            configuration.historicalBytes = []
            return VirtualApplicationCard(nfcID1: uid, configuration: configuration)
        case .mifarePlus: return VirtualMIFAREPlusTag(nfcID1: uid)
        }
    }

    /// Creates an NTAG215 with the text "Hello from nfctool" (en) and the URI https://example.com, written as in the
    /// factory.
    public static func demonstration() -> any VirtualTag {
        var memory = Type2Memory(chip: .ntag215, uid: demonstrationUID)
        memory.store(demonstrationMessage, at: 4)
        return VirtualType2Tag(nfcID1: demonstrationUID, memory: memory)
    }

    private static let demonstrationUID: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80]

    /// The NDEF Message TLV with both records, and the Terminator TLV.
    private static let demonstrationMessage: [UInt8] =
        [0x03, 0x29]
        + [0x91, 0x01, 0x15, 0x54, 0x02, 0x65, 0x6E] + Array("Hello from nfctool".utf8)
        + [0x51, 0x01, 0x0C, 0x55, 0x04] + Array("example.com".utf8)
        + [0xFE]

    private func type2(_ chip: Type2Chip, _ uid: [UInt8]) -> VirtualType2Tag {
        VirtualType2Tag(nfcID1: uid, memory: Type2Memory(chip: chip, uid: uid))
    }

    private func topaz(_ chip: TopazChip, _ uid: [UInt8], isFormatted: Bool) -> VirtualTopazTag {
        // UID-6 is the manufacturer code, 25 (hexadecimal) for Innovision.
        VirtualTopazTag(memory: TopazMemory(chip: chip, uid: uid + [0x57, 0x1F, 0x25], isFormatted: isFormatted))
    }
}
