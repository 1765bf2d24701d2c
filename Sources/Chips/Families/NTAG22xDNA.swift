// NTAG 223 DNA and NTAG 224 DNA — GET_VERSION, settings, key blocks and kinds of authentication:
// zc-public/breakme-resources (ntag22x_suncmac_recovery, paper); AES authentication of the 224: CRThu/nfctester

extension ChipModel {
    static let ntag22xDNA = [ntag223DNA, ntag224DNA]

    /// NT2H2331.
    ///
    /// The chip is opened with a password, like an Ultralight EV1. No data sheet was available for its other settings
    /// and its lock bits.
    public static let ntag223DNA = ChipModel(
        ID(rawValue: "ntag223-dna"), "NTAG 223 DNA",
        marks: [
            .version(ChipVersion(0x04, [0x02], major: 0x04, size: 0x0F)),
            .version(ChipVersion(0x04, [0x08], major: 0x04, size: 0x0F), name: "NTAG 223 DNA StatusDetect"),
        ], sun: SUNLayout(configuration: 41, credential: .password), isRequirable: true, hasOtherSignature: true)

    /// NT2H2421.
    ///
    /// The chip is like ``ntag223DNA``, but is opened with an AES key, like an Ultralight AES. Its commands never
    /// require a CMAC.
    public static let ntag224DNA = ChipModel(
        ID(rawValue: "ntag224-dna"), "NTAG 224 DNA",
        marks: [
            .version(ChipVersion(0x04, [0x02], major: 0x05, size: 0x10)),
            .version(ChipVersion(0x04, [0x08], major: 0x05, size: 0x10), name: "NTAG 224 DNA StatusDetect"),
        ], sun: SUNLayout(configuration: 57, credential: .key), isRequirable: true, hasOtherSignature: true)
}

/// The position of the settings and the key of the SUN message (Secure Unique NFC) on an NTAG 22x DNA.
public struct SUNLayout: Hashable, Sendable {
    /// The block CFG 0 with MIRROR_EN, MIRROR_BYTE, MIRROR_PAGE and AUTH0.
    ///
    /// The next block is CFG 1, which contains PROT.
    public let configuration: Int
    /// The credential that opens the blocks from AUTH0 on.
    public let credential: Credential

    /// The kind of credential.
    public enum Credential: Hashable, Sendable {
        /// A password, which PWD_AUTH sends.
        case password
        /// An AES key: key number 0 in AUTHENTICATE.
        case key
    }

    /// The number of the first block after the user memory.
    ///
    /// This block is assumed to hold dynamic lock bits, as on NTAG21x.
    public var userEnd: Int { configuration - 1 }
    /// The block whose first byte has LOCK_SUNCMAC_KEY in bit 7.
    public var keyLock: Int { configuration + 4 }
    /// The blocks of PWD and PACK, or of AES_KEY.
    public var secret: ClosedRange<Int> {
        credential == .password ? configuration + 2...configuration + 3 : configuration + 7...configuration + 10
    }
    /// The blocks of SUNCMAC_KEY, which can never be read back.
    public var key: ClosedRange<Int> { configuration + 11...configuration + 14 }
    /// The number of blocks.
    public var blockCount: Int { configuration + 19 }
}
