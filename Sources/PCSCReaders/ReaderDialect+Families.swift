// The known families of PC/SC readers
//
// Sources: PC/SC part 3 with its amendment for transparent sessions; ACS, Identiv and HID manuals; programs and
// transcripts that Docs/Readers.md names. "From memory" marks facts that no available document confirms.

extension ReaderDialect {
    /// Every family, in the order in which names are compared.
    public static let all: [ReaderDialect] = [acr1552U, uTrust372x, omnikey, acr125x, acr122U, rcS300]

    /// ACS ACR1552U.
    ///
    /// Transparent sessions are reported to work with ICODE SLI and SLIX. For NFC-A and FeliCa, the only source is the
    /// standard.
    static let acr1552U = ReaderDialect(
        family: "acr1552u", title: "ACS ACR1552U", names: ["acr1552"], numbers: acs(0x2303, 0x2308),
        nfcV: [.transparent, .passThrough(instruction: 0xFB, codes: nil)], rawNFCA: .transparent, nfcF: .transparent,
        classicKey: volatileKey, evidence: .reported)

    /// Identiv uTrust 3720F and 3721F.
    ///
    /// The manual's ISO 15693 commands have no field for request flags.
    static let uTrust372x = ReaderDialect(
        family: "utrust-372x", title: "Identiv uTrust 372x F", names: ["utrust 3720", "utrust 3721"],
        numbers: [USBNumber(vendor: 0x04E6, product: 0x5612), USBNumber(vendor: 0x04E6, product: 0x5613)],
        nfcV: [
            .passThrough(
                instruction: 0xFC, codes: [0x20, 0x21, 0x22, 0x23, 0x24, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C])
        ], rawNFCA: nil, nfcF: nil, classicKey: volatileKey, evidence: .expected)

    /// HID OMNIKEY 5022, 5122, 5422 and 5427 CK.
    ///
    /// A reader setting enables ISO 15693, with access to whole blocks (from memory). The key number is from memory.
    static let omnikey = ReaderDialect(
        family: "omnikey-5x22", title: "HID OMNIKEY 5x22/5427",
        names: ["omnikey 5022", "omnikey 5122", "omnikey 5422", "omnikey 5427"],
        numbers: [0x5022, 0x5023, 0x5412, 0x5422, 0x5427].map { USBNumber(vendor: 0x076B, product: $0) },
        nfcV: [.blocks], rawNFCA: nil, nfcF: nil, classicKey: ClassicKeyPlace(structure: 0x20, number: 0x00),
        evidence: .expected)

    /// ACS ACR1251U, ACR1252U, ACR1255U and ACR1281U, which have no radio for ISO 15693.
    static let acr125x = ReaderDialect(
        family: "acr125x", title: "ACS ACR1251U/1252U/1255U/1281U",
        names: ["acr1251", "acr1252", "acr1255", "acr1281"],
        numbers: acs(0x221A, 0x221B, 0x2242, 0x223B, 0x223E, 0x2259, 0x223F, 0x2215, 0x2224),
        nfcV: [], rawNFCA: .direct, nfcF: .direct, classicKey: volatileKey, evidence: .reported)

    /// ACS ACR122U, which has a PN532 that is accessed with the direct command.
    static let acr122U = ReaderDialect(
        family: "acr122u", title: "ACS ACR122U", names: ["acr122"], numbers: acs(0x2200, 0x90CC, 0x2214),
        nfcV: [], rawNFCA: .direct, nfcF: .direct, classicKey: volatileKey, evidence: .reported)

    /// Sony RC-S300.
    ///
    /// Transparent sessions are reported to work with the similar RC-S660. The USB IDs are from libccid's list.
    static let rcS300 = ReaderDialect(
        family: "rc-s300", title: "Sony RC-S300/S660", names: ["rc-s300", "rc-s660"],
        numbers: [0x0D8F, 0x0DC8, 0x0DC9].map { USBNumber(vendor: 0x054C, product: $0) },
        nfcV: [], rawNFCA: .transparent, nfcF: .transparent, classicKey: volatileKey, evidence: .expected)

    /// Any other reader, with the commands that PC/SC part 3 requires of all readers.
    public static let generic = ReaderDialect(
        family: "generic", title: "PC/SC reader", names: [], numbers: [], nfcV: [.blocks], rawNFCA: nil, nfcF: nil,
        classicKey: volatileKey, evidence: .expected)

    private static let volatileKey = ClassicKeyPlace(structure: 0x00, number: 0x00)

    private static func acs(_ products: UInt16...) -> [USBNumber] {
        products.map { USBNumber(vendor: 0x072F, product: $0) }
    }
}
