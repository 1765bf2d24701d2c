// How tags show which chip they have — data sheets: GET_VERSION, header ROM, PMm, SAK, UID

/// Something a tag says or does that only one kind of chip does.
public enum ChipMark: Hashable, Sendable {
    /// The answer to GET_VERSION of a Type 2 Tag, and the name of the variant where it is not that of the model.
    case version(ChipVersion, name: String? = nil)
    /// Fixed bytes at the start of a block, of a maker's chip that refuses GET_VERSION, with this data area size in its
    /// capability container (units of 8 bytes).
    case productCode(block: Int, [UInt8], dataAreaSize: UInt8)
    /// It refuses GET_VERSION and has an answer to AUTHENTICATE (1A).
    case challenge
    /// It refuses GET_VERSION, and reading goes on at block 0 where its memory ends.
    case memoryEnd
    /// The header ROM of a Type 1 Tag, HR0 and HR1.
    case headerROM([UInt8])
    /// The IC code, byte 1 of a Type 3 Tag's PMm.
    case icCode(UInt8)
    /// SEL_RES of a MIFARE Classic.
    case selRes(UInt8)
    /// The native GetVersion of a DESFire or NTAG 4xx DNA.
    case nativeVersion(NativeVersion)
    /// The UID of an ISO 15693 chip, and what Get System Information says besides.
    case vicinity(VicinityMark)
}

/// GET_VERSION answers of one kind of chip: header 00, vendor, product type, subtype, major, minor, storage size, protocol.
public struct ChipVersion: Hashable, Sendable {
    /// The product type, byte 2.
    public let type: UInt8
    /// The product subtypes, byte 3: the input capacitance among other things.
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

    /// Whether an answer is one of these; one that has not 8 bytes is none.
    public func matches(_ answer: [UInt8], vendor: UInt8?) -> Bool {
        answer.count == 8 && answer[0] == 0x00 && answer[1] == vendor && answer[2] == type
            && subtypes.contains(answer[3]) && answer[4] == major && minors.contains(answer[5]) && answer[6] == size
    }
}

/// The hardware part of the native GetVersion: vendor, type, subtype, major, minor, storage size, protocol.
public struct NativeVersion: Hashable, Sendable {
    /// The lower nibble of the type, byte 1; the upper one tells the form of delivery.
    public let type: UInt8
    /// The major versions, byte 3.
    public let majors: ClosedRange<UInt8>
    /// The size in bytes as a power of two, bits 7…1 of byte 5; `nil` for any.
    public let sizeExponent: Int?

    init(_ type: UInt8, _ majors: ClosedRange<UInt8>, sizeExponent: Int? = nil) {
        (self.type, self.majors, self.sizeExponent) = (type, majors, sizeExponent)
    }
}
