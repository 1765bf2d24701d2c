// What a Type 4 Tag says of itself — NFC Forum Type 4 Tag, capability container; ISO/IEC 14443-4, ATS

/// The properties of a virtual Type 4 Tag that no command changes.
public struct Type4Configuration: Hashable, Sendable {
    /// The mapping version of the capability container.
    public enum MappingVersion: UInt8, Hashable, Sendable {
        /// NDEF File Control TLV (04), NLEN of 2 bytes.
        case version2 = 0x20
        /// Extended NDEF File Control TLV (06), ENLEN of 4 bytes, READ and UPDATE BINARY with offset data objects.
        case version3 = 0x30
    }

    /// How READ BINARY `B1` answers.
    public enum OddReadAnswer: String, Hashable, Sendable {
        /// In a discretionary data object, `53` length data: ISO/IEC 7816-4. The object counts against Le and MLe.
        case dataObject = "53"
        /// The bytes of the file and nothing else, as some readers expect.
        case plain
    }

    /// Mapping version.
    public var mappingVersion = MappingVersion.version2
    /// MLe, the most bytes that one READ BINARY gives: 15 or more.
    public var mle: UInt16 = 0x00FF
    /// MLc, the most data bytes that one command takes: 13 or more.
    public var mlc: UInt16 = 0x00FF
    /// Size of the NDEF file in bytes, its length field included.
    public var fileSize = 2048
    /// Read access condition: `00` is free, all else refuses here.
    public var readAccess: UInt8 = 0x00
    /// Write access condition: `00` is free, `FF` is read-only; all but `00` refuses here.
    public var writeAccess: UInt8 = 0x00
    /// Answer of READ BINARY with an offset data object.
    public var oddReadAnswer = OddReadAnswer.dataObject
    /// Answer to select: TL, T0, interface bytes, historical bytes.
    ///
    /// By default that of an NTAG 424 DNA: FSC 128, FWI 7.
    public var ats: [UInt8] = [0x06, 0x77, 0x77, 0x71, 0x02, 0x80]

    /// A tag of mapping version 2.0 with an NDEF file of 2048 bytes, MLe and MLc 255.
    public init() {}

    /// Size of NLEN (2) or ENLEN (4).
    var lengthFieldSize: Int { mappingVersion == .version2 ? 2 : 4 }

    /// The largest NDEF file that the control TLV can tell of, bounded for version 3.0 by what we care to keep.
    var largestFile: Int { mappingVersion == .version2 ? 0xFFFF : 1 << 20 }

    static let ndefFileIdentifier: [UInt8] = [0xE1, 0x04]

    /// The capability container file: CCLEN, version, MLe, MLc, control TLV.
    var capabilityContainer: [UInt8] {
        let size = UInt32(truncatingIfNeeded: fileSize).bigEndianBytes.suffix(lengthFieldSize)
        let value = Self.ndefFileIdentifier + size + [readAccess, writeAccess]
        let tlv = [mappingVersion == .version2 ? 0x04 : 0x06, UInt8(value.count)] + value
        let body = [mappingVersion.rawValue] + mle.bigEndianBytes + mlc.bigEndianBytes + tlv
        return UInt16(body.count + 2).bigEndianBytes + body
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}
