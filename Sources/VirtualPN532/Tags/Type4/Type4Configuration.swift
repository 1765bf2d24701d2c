// Properties of a virtual Type 4 Tag — NFC Forum Type 4 Tag, capability container; ISO/IEC 14443-4, ATS

/// The properties of a virtual Type 4 Tag.
///
/// No command changes them.
public struct Type4Configuration: Hashable, Sendable {
    /// The mapping version of the capability container.
    public enum MappingVersion: UInt8, Hashable, Sendable {
        /// Version 2.0: NDEF File Control TLV (04), and NLEN of 2 bytes.
        case version2 = 0x20
        /// Version 3.0: Extended NDEF File Control TLV (06), ENLEN of 4 bytes, and READ and UPDATE BINARY with an
        /// offset data object.
        case version3 = 0x30
    }

    /// The form of the answer to READ BINARY with the odd instruction byte `B1`.
    public enum OddReadAnswer: String, Hashable, Sendable {
        /// The file's bytes in a discretionary data object according to ISO/IEC 7816-4: `53`, length, data.
        ///
        /// Le and MLe limit the size of the whole object.
        case dataObject = "53"
        /// Only the file's bytes, as some readers expect.
        case plain
    }

    /// The mapping version.
    public var mappingVersion = MappingVersion.version2
    /// The maximum number of bytes that one READ BINARY returns (MLe), 15 or more.
    public var mle: UInt16 = 0x00FF
    /// The maximum number of data bytes that one command may contain (MLc), 13 or more.
    public var mlc: UInt16 = 0x00FF
    /// The size of the NDEF file in bytes, including its length field.
    public var fileSize = 2048
    /// The read access condition.
    ///
    /// `00` means free access. In the simulation, any other value denies access.
    public var readAccess: UInt8 = 0x00
    /// The write access condition.
    ///
    /// `00` means free access, and `FF` means read-only. In the simulation, any value except `00` denies access.
    public var writeAccess: UInt8 = 0x00
    /// The form of the answer to READ BINARY with an offset data object.
    public var oddReadAnswer = OddReadAnswer.dataObject
    /// The answer to RATS (ATS): TL, T0, interface bytes, historical bytes.
    ///
    /// The default is that of an NTAG 424 DNA: FSC 128, FWI 7.
    public var ats: [UInt8] = [0x06, 0x77, 0x77, 0x71, 0x02, 0x80]

    /// Creates a configuration with mapping version 2.0, an NDEF file of 2048 bytes, and MLe and MLc of 255.
    public init() {}

    /// The size of the length field in bytes: 2 for NLEN, 4 for ENLEN.
    var lengthFieldSize: Int { mappingVersion == .version2 ? 2 : 4 }

    /// The size of the largest possible NDEF file in bytes.
    ///
    /// For version 2.0, the control TLV sets the limit. For version 3.0, the simulation sets it.
    var largestFile: Int { mappingVersion == .version2 ? 0xFFFF : 1 << 20 }

    static let ndefFileIdentifier: [UInt8] = [0xE1, 0x04]

    /// The content of the capability container file: CCLEN, version, MLe, MLc, control TLV.
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
