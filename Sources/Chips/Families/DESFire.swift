// MIFARE DESFire and NTAG 4xx DNA — NXP MF3ICDx21_41_81, MF3D(H)x2, MF3D(H)x3, NT4H2421Gx: GetVersion; AN11004 (NDEF)

extension ChipModel {
    static let desfires =
        [desfireEV0] + desfireEV1Sizes + [desfireEV1, desfireEV2, desfireEV3, ntag413, ntag424, desfireLight]

    /// The first DESFire generation, which has no ISO file identifiers.
    public static let desfireEV0 = ChipModel(
        ID(rawValue: "desfire"), "MIFARE DESFire", .type4, marks: [.nativeVersion(NativeVersion(0x01, 0x00...0x00))])

    /// A DESFire EV1 with a size other than 2 KB, 4 KB or 8 KB.
    public static let desfireEV1 = ChipModel(
        ID(rawValue: "desfire-ev1"), "MIFARE DESFire EV1", .type4,
        marks: [.nativeVersion(NativeVersion(0x01, 0x01...0x01))])

    /// MF3D(H)x2.
    public static let desfireEV2 = ChipModel(
        ID(rawValue: "desfire-ev2"), "MIFARE DESFire EV2", .type4,
        marks: [.nativeVersion(NativeVersion(0x01, 0x12...0x12)), .nativeVersion(NativeVersion(0x01, 0x22...0x22))])

    /// MF3D(H)x3.
    public static let desfireEV3 = ChipModel(
        ID(rawValue: "desfire-ev3"), "MIFARE DESFire EV3", .type4,
        marks: [.nativeVersion(NativeVersion(0x01, 0x33...0x33))])

    /// NT4H1321.
    public static let ntag413 = ChipModel(
        ID(rawValue: "ntag413-dna"), "NTAG 413 DNA", .type4, marks: [.nativeVersion(NativeVersion(0x04, 0x10...0x10))])

    /// NT4H2421: the NDEF file has 256 bytes, 2 of which are NLEN.
    ///
    /// The activation alone identifies the chip only as an NTAG 4xx DNA.
    public static let ntag424 = ChipModel(
        ID(rawValue: "ntag424-dna"), "NTAG 424 DNA", .type4, marks: [.nativeVersion(NativeVersion(0x04, 0x30...0x30))],
        capacity: 254, isListed: true, isRequirable: true, hasOtherSignature: true)

    /// MF2DL(H)x0.
    public static let desfireLight = ChipModel(
        ID(rawValue: "desfire-light"), "MIFARE DESFire Light", .type4,
        marks: [.nativeVersion(NativeVersion(0x08, 0x00...0xFF))])

    /// The DESFire EV1 chips with 2 KB, 4 KB and 8 KB.
    ///
    /// Their NDEF files have 0800h, 1000h and 1E00h bytes, 2 of which are NLEN.
    private static let desfireEV1Sizes = [(2, 2046), (4, 4094), (8, 7678)].map { size, capacity in
        ChipModel(
            ID(rawValue: "desfire-ev1-\(size)k"), "MIFARE DESFire EV1 \(size)K", short: "DESFire EV1 \(size)K", .type4,
            marks: [
                .nativeVersion(NativeVersion(0x01, 0x01...0x01, sizeExponent: 10 + size.trailingZeroBitCount))
            ], capacity: capacity, isListed: true, isRequirable: true)
    }

    /// Whether the name includes a size.
    ///
    /// Chips with fixed applications have only one size.
    var isSoldInSizes: Bool { [Self.desfireEV0, Self.desfireEV1, Self.desfireEV2, Self.desfireEV3].contains(self) }

    /// Whether applications with ISO file identifiers can be created, which requires EV1 or later.
    public var hasISOFiles: Bool { isSoldInSizes && self != Self.desfireEV0 || Self.desfireEV1Sizes.contains(self) }
}
