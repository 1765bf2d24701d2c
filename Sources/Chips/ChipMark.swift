// The marks that identify the chip of a tag — data sheets: GET_VERSION, header ROM, PMm, SAK, UID

/// An answer or a behaviour that identifies one kind of chip.
public enum ChipMark: Hashable, Sendable {
    /// The answer to GET_VERSION of a Type 2 Tag, and the name of the variant if it differs from the model's name.
    case version(ChipVersion, name: String? = nil)
    /// The chip refuses GET_VERSION, the block begins with these bytes, and the capability container has this data area
    /// size, in units of 8 bytes.
    case productCode(block: Int, [UInt8], dataAreaSize: UInt8)
    /// The chip refuses GET_VERSION but answers AUTHENTICATE (1A).
    case challenge
    /// The chip refuses GET_VERSION, and a read past the end of its memory continues at block 0.
    case memoryEnd
    /// The header ROM of a Type 1 Tag, HR0 and HR1.
    case headerROM([UInt8])
    /// The IC code, byte 1 of the PMm of a Type 3 Tag.
    case icCode(UInt8)
    /// The SEL_RES of a MIFARE Classic.
    case selRes(UInt8)
    /// The native GetVersion answer of a DESFire or NTAG 4xx DNA.
    case nativeVersion(NativeVersion)
    /// The UID of an ISO 15693 chip, and its Get System Information answer.
    case vicinity(VicinityMark)
}

/// The GET_VERSION answers of one kind of chip: header 00, vendor, product type, subtype, major, minor, storage size,
/// protocol.
public struct ChipVersion: Hashable, Sendable {
    /// The product type, byte 2.
    public let type: UInt8
    /// The product subtypes, byte 3.
    ///
    /// Among other things, they show the input capacitance.
    public let subtypes: Set<UInt8>
    /// The major product version, byte 4.
    public let major: UInt8
    /// The minor product versions, byte 5.
    public let minors: ClosedRange<UInt8>
    /// The storage size, byte 6.
    public let size: UInt8

    init(_ type: UInt8, _ subtypes: Set<UInt8>, major: UInt8 = 0x01, minors: ClosedRange<UInt8> = 0...0xFF, size: UInt8)
    {
        (self.type, self.subtypes, self.major, self.minors, self.size) = (type, subtypes, major, minors, size)
    }

    /// Whether an answer matches this version.
    ///
    /// An answer that is not 8 bytes long never matches.
    public func matches(_ answer: [UInt8], vendor: UInt8?) -> Bool {
        answer.count == 8 && answer[0] == 0x00 && answer[1] == vendor && answer[2] == type
            && subtypes.contains(answer[3]) && answer[4] == major && minors.contains(answer[5]) && answer[6] == size
    }
}

/// The hardware part of a native GetVersion answer: vendor, type, subtype, major, minor, storage size, protocol.
public struct NativeVersion: Hashable, Sendable {
    /// The lower nibble of the type, byte 1.
    ///
    /// The upper nibble shows how the chip is delivered.
    public let type: UInt8
    /// The major versions, byte 3.
    public let majors: ClosedRange<UInt8>
    /// The exponent n of the storage size, 2ⁿ bytes: bits 7…1 of byte 5, or `nil` if any size matches.
    public let sizeExponent: Int?

    init(_ type: UInt8, _ majors: ClosedRange<UInt8>, sizeExponent: Int? = nil) {
        (self.type, self.majors, self.sizeExponent) = (type, majors, sizeExponent)
    }
}
