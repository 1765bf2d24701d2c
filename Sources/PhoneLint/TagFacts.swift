// The facts about a tag that the rules use — NFC Forum T2T (capability container, TLV blocks), NXP NTAG21x (AUTH0,
// PROT)
public import Chips

/// The facts that a reader found out about a tag.
public struct TagFacts: Hashable, Sendable {
    /// The kinds of tag that phones treat differently.
    public enum Kind: Hashable, Sendable {
        /// NFC Forum Type 1 Tag.
        case type1
        /// NFC Forum Type 2 Tag.
        case type2
        /// NFC Forum Type 3 Tag.
        case type3
        /// NFC Forum Type 4 Tag.
        case type4
        /// NFC Forum Type 5 Tag.
        case type5
        /// MIFARE Classic, with or without a MIFARE application directory.
        case mifareClassic
    }

    /// The access to the NDEF data.
    public enum Status: Hashable, Sendable {
        /// The tag has no NDEF data.
        case notSupported
        /// The data can be read and replaced.
        case readWrite
        /// The data can only be read.
        case readOnly
    }

    /// The operations that a password protects.
    public enum Password: Hashable, Sendable {
        /// Writing to the whole tag or to a part of it.
        case writing
        /// Writing and reading.
        case reading
    }

    /// The kind of tag, or nil for a target that is not a tag.
    public var kind: Kind?
    /// The chip, or nil if it is not known.
    public var chip: ChipModel?
    /// The access to the NDEF data.
    public var status: Status
    /// The capability container, or no bytes if there is none.
    ///
    /// It is block 3 of a Type 2 Tag, the CC file of a Type 4 Tag, or the start of a Type 5 Tag.
    public var capabilityContainer: [UInt8]
    /// The readable part of the data area of a Type 2 Tag, from block 4 on.
    public var dataArea: [UInt8]
    /// Whether lock bits prevent writing to part of the data area, or nil if the lock bits are not known.
    public var isLocked: Bool?
    /// The operations that a password protects, or nil if there is no password.
    public var password: Password?
    /// The read access byte of a Type 4 Tag's NDEF file, or nil if it is not known.
    ///
    /// 00 means unrestricted access.
    public var fileReadAccess: UInt8?

    /// Creates facts.
    ///
    /// Unknown facts may be left out.
    public init(
        kind: Kind?, chip: ChipModel? = nil, status: Status, capabilityContainer: [UInt8] = [], dataArea: [UInt8] = [],
        isLocked: Bool? = nil, password: Password? = nil, fileReadAccess: UInt8? = nil
    ) {
        self.kind = kind
        self.chip = chip
        self.status = status
        self.capabilityContainer = capabilityContainer
        self.dataArea = dataArea
        self.isLocked = isLocked
        self.password = password
        self.fileReadAccess = fileReadAccess
    }
}

extension TagFacts {
    /// The last three bytes of a Type 2 Tag's capability container, or nil if there is none.
    var type2Container: (version: UInt8, size: UInt8, access: UInt8)? {
        let bytes = capabilityContainer
        guard kind == .type2, bytes.count == 4, bytes[0] == 0xE1 else { return nil }
        return (bytes[1], bytes[2], bytes[3])
    }

    /// The second byte of a Type 5 Tag's capability container, or nil if there is none.
    ///
    /// It contains the major version, the read access and the write access.
    var type5Container: (majorVersion: UInt8, readAccess: UInt8, writeAccess: UInt8)? {
        let bytes = capabilityContainer
        guard kind == .type5, bytes.count >= 4, bytes[0] == 0xE1 || bytes[0] == 0xE2 else { return nil }
        return (bytes[1] >> 6, bytes[1] >> 2 & 0b11, bytes[1] & 0b11)
    }

    /// The values of the Lock Control TLVs before the NDEF TLV — T2T, TLV blocks.
    var lockControlValues: [[UInt8]] {
        var values: [[UInt8]] = []
        var rest = dataArea[...]
        while let tag = rest.popFirst(), tag != 0x03, tag != 0xFE {
            if tag == 0x00 { continue }
            guard let length = rest.popFirst(), length != 0xFF else { break }
            let value = Array(rest.prefix(Int(length)))
            if tag == 0x01 { values.append(value) }
            rest = rest.dropFirst(Int(length))
        }
        return values
    }
}
