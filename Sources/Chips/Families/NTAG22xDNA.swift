// NTAG 223 DNA and NTAG 224 DNA — GET_VERSION, settings and key blocks: zc-public/breakme-resources (ntag22x_suncmac_recovery)

extension ChipModel {
    static let ntag22xDNA = [ntag223DNA, ntag224DNA]

    /// NT2H2331.
    ///
    /// Only the settings of its SUN message are known; no data sheet was available for the rest.
    public static let ntag223DNA = ChipModel(
        ID(rawValue: "ntag223-dna"), "NTAG 223 DNA",
        marks: [
            .version(ChipVersion(0x04, [0x02], major: 0x04, size: 0x0F)),
            .version(ChipVersion(0x04, [0x08], major: 0x04, size: 0x0F), name: "NTAG 223 DNA StatusDetect"),
        ], sun: SUNLayout(configuration: 41), isRequirable: true, hasOtherSignature: true)

    /// NT2H2421; as above, its AES authentication is left out.
    public static let ntag224DNA = ChipModel(
        ID(rawValue: "ntag224-dna"), "NTAG 224 DNA",
        marks: [
            .version(ChipVersion(0x04, [0x02], major: 0x05, size: 0x10)),
            .version(ChipVersion(0x04, [0x08], major: 0x05, size: 0x10), name: "NTAG 224 DNA StatusDetect"),
        ], sun: SUNLayout(configuration: 57), isRequirable: true, hasOtherSignature: true)
}

/// Where an NTAG 22x DNA keeps the settings and the key of its SUN message (Secure Unique NFC).
public struct SUNLayout: Hashable, Sendable {
    /// CFG 0 with MIRROR_EN, MIRROR_BYTE, MIRROR_PAGE and AUTH0; CFG 1 with PROT follows.
    public let configuration: Int

    /// The end of the user memory: the block there is taken to hold dynamic lock bits, as on NTAG21x.
    public var userEnd: Int { configuration - 1 }
    /// The block whose first byte has LOCK_SUNCMAC_KEY in bit 7.
    public var keyLock: Int { configuration + 4 }
    /// SUNCMAC_KEY, which never reads back.
    public var key: ClosedRange<Int> { configuration + 11...configuration + 14 }
    /// The number of blocks.
    public var blockCount: Int { configuration + 19 }
}
