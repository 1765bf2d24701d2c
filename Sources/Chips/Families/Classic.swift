// MIFARE Classic — NXP MF1S50yyX and MF1S70yyX, Memory Organization; AN10833 (SAK values); AN1304 (NDEF)

/// The models set `hasOtherSignature`, because a MIFARE Classic EV1 and a MIFARE Plus have a signature.
///
/// Other cards with the same SAK have none.
extension ChipModel {
    static let mifareClassics = [mifareMini, classic1K, classic2K, classic4K]

    /// MF1 IC S20: 5 sectors.
    public static let mifareMini = ChipModel(
        ID(rawValue: "mifare-mini"), "MIFARE Mini", .mifareClassic, marks: [.selRes(0x09)],
        memory: .blocks(length: 16, [0...19]), hasOtherSignature: true)

    /// MF1S50: 16 sectors.
    public static let classic1K = ChipModel(
        ID(rawValue: "classic-1k"), "MIFARE Classic 1K", .mifareClassic, marks: [.selRes(0x08)],
        memory: .blocks(length: 16, [0...63]), capacity: 716, isListed: true, isRequirable: true,
        hasOtherSignature: true)

    /// A MIFARE Plus with 2 KB that acts as a MIFARE Classic: 32 sectors.
    public static let classic2K = ChipModel(
        ID(rawValue: "classic-2k"), "MIFARE Classic 2K", .mifareClassic, marks: [.selRes(0x19)],
        memory: .blocks(length: 16, [0...127]), hasOtherSignature: true)

    /// MF1S70: 32 sectors of 4 blocks, followed by 8 sectors of 16 blocks.
    ///
    /// The capacity is that of 30 sectors with 48 bytes and 8 sectors with 240 bytes, minus 4 bytes for the head of the
    /// NDEF TLV. The other two sectors hold the directory.
    public static let classic4K = ChipModel(
        ID(rawValue: "classic-4k"), "MIFARE Classic 4K", .mifareClassic, marks: [.selRes(0x18)],
        memory: .blocks(length: 16, [0...255]), capacity: 3356, isListed: true, isRequirable: true,
        hasOtherSignature: true)
}
