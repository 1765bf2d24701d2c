// The model of a chip, which is a row in the table of chips — the chips' data sheets

/// A chip model: how to identify it, the layout of its memory, its features, and its name in dump files.
///
/// ```swift
/// let chip = ChipModel(version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03])
/// chip?.id            // "ntag213"
/// chip?.capacity      // 137
/// ```
/// Each family of chips has its own file, which names the data sheets. ``all`` contains the models of all families. To
/// add a chip, add it to its family.
public struct ChipModel: Identifiable, Sendable {
    /// A stable identifier, such as `ntag213`, for use in programs and files.
    ///
    /// In text for people, use ``ChipModel/name``.
    public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The identifier: lower-case letters, digits and hyphens.
        public let rawValue: String

        /// Creates an identifier.
        ///
        /// A model with this identifier need not exist.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier, the same as ``rawValue``.
        public var description: String { rawValue }
    }

    /// The manufacturer of a chip.
    public enum Maker: String, Hashable, Sendable {
        /// NXP Semiconductors.
        case nxp = "NXP"
        /// STMicroelectronics.
        case st = "STMicroelectronics"
        /// Broadcom.
        case broadcom = "Broadcom"
        /// Sony.
        case sony = "Sony"
        /// Texas Instruments.
        case ti = "Texas Instruments"
        /// Infineon Technologies.
        case infineon = "Infineon"
        /// EM Microelectronic.
        case em = "EM Microelectronic"

        /// The manufacturer's code in ISO/IEC 7816-6, or `nil` if no mark needs it.
        ///
        /// The code is the first byte of 7-byte UIDs, and byte 1 of GET_VERSION answers and of ISO 15693 UIDs.
        public var code: UInt8? {
            switch self {
            case .nxp: 0x04
            case .st: 0x02
            case .infineon: 0x05
            case .ti: 0x07
            case .em: 0x16
            case .broadcom, .sony: nil
            }
        }
    }

    /// The kind of tag that the chip implements: an NFC Forum tag type or another technology.
    public enum TagKind: Hashable, Sendable {
        /// An NFC Forum tag type.
        case type1, type2, type3, type4, type5
        /// An NXP technology that is not an NFC Forum tag type.
        case mifareClassic
    }

    /// The effect of a command that makes a tag stop answering.
    public enum Silencing: Hashable, Sendable {
        /// The tag does not answer until it receives its password (privacy mode).
        case hide
        /// The tag never answers again.
        case destroy
    }

    /// The memory of a chip, divided into blocks.
    public enum Memory: Hashable, Sendable {
        /// The memory of a Type 2 Tag, with blocks of 4 bytes.
        case type2(Type2Layout)
        /// The memory of an ISO 15693 chip.
        case type5(Type5Layout)
        /// Any other memory: the length of a block in bytes, and the numbers of all blocks in ascending order.
        case blocks(length: Int, [ClosedRange<Int>])
    }

    /// The identifier.
    public let id: ID
    /// The name in the data sheet, with the type number if several chips share the name.
    public let name: String
    /// The name without a type number, as used in plans and lists of tags.
    public let shortName: String
    /// The name in a list of tags that people buy; usually the same as ``shortName``.
    public let listedName: String
    /// The manufacturer.
    public let maker: Maker
    /// The kind of tag.
    public let kind: TagKind
    /// The marks that identify this chip.
    ///
    /// The list is empty if the chip cannot be distinguished from others.
    public let marks: [ChipMark]
    /// The memory, or `nil` if it is not known or consists of files.
    public let memory: Memory?
    /// The format of the chip as an NDEF tag, or `nil` if the chip does not determine the format.
    public let formatting: Type2Formatting?
    /// The position of the SUN message settings on a Type 2 Tag chip, or `nil` if the chip has none.
    public let sun: SUNLayout?
    /// The name of the chip in Flipper files, or `nil` if they have no name for it.
    public let flipperName: String?
    /// Whether a dump that contains only memory is assumed to be from this chip if it has the size of the chip's
    /// memory.
    public let isToldBySize: Bool
    /// Whether people buy tags with this chip; if so, capacity lists name it.
    public let isListed: Bool
    /// Whether a tag can identify itself as this chip; if so, a plan can require the chip.
    public let isRequirable: Bool
    /// The effects of the commands that silence a tag even if it is locked.
    ///
    /// Anyone who knows the passwords for these commands can send them.
    public let silencing: [Silencing]
    /// Whether the manufacturer signs the UID, but the layout does not have the READ_SIG feature.
    public let hasOtherSignature: Bool
    private let fixedCapacity: Int?

    /// Creates a row of the table.
    ///
    /// The capacity is the maximum length of an NDEF message in bytes. If `formatting` is given, the capacity is
    /// calculated from it.
    init(
        _ id: ID, _ name: String, short: String? = nil, by maker: Maker = .nxp, _ kind: TagKind = .type2,
        marks: [ChipMark] = [], memory: Memory? = nil, formatting: Type2Formatting? = nil, capacity: Int? = nil,
        sun: SUNLayout? = nil, flipper: String? = nil, isToldBySize: Bool = true, isListed: Bool = false,
        listedAs listedName: String? = nil,
        isRequirable: Bool = false, hasOtherSignature: Bool = false, silencing: [Silencing] = []
    ) {
        (self.id, self.name, shortName, self.listedName) = (id, name, short ?? name, listedName ?? short ?? name)
        (self.maker, self.kind, self.marks) = (maker, kind, marks)
        (self.memory, self.formatting, fixedCapacity) = (memory, formatting, capacity)
        (flipperName, self.isToldBySize) = (flipper, isToldBySize)
        self.sun = sun
        self.hasOtherSignature = hasOtherSignature
        self.silencing = silencing
        (self.isListed, self.isRequirable) = (isListed, isRequirable)
    }
}

extension ChipModel: Hashable {
    /// Models are equal if their identifiers are equal.
    public static func == (one: ChipModel, other: ChipModel) -> Bool { one.id == other.id }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ChipModel: CustomStringConvertible {
    /// The name for display.
    public var description: String { name }
}

extension ChipModel {
    /// The layout of a Type 2 Tag chip whose memory is known; `nil` for any other chip.
    public var layout: Type2Layout? {
        guard case .type2(let layout)? = memory else { return nil }
        return layout
    }

    /// The layout of an ISO 15693 chip whose memory is known; `nil` for any other chip.
    public var type5Layout: Type5Layout? {
        guard case .type5(let layout)? = memory else { return nil }
        return layout
    }

    /// The maximum length in bytes of an NDEF message on a chip that nfctool formats, or `nil` if the model does not
    /// determine it.
    public var capacity: Int? { fixedCapacity ?? formatting?.capacity ?? type5Layout?.capacity }

    /// The number of bytes in a block; 0 if the memory has no blocks.
    public var blockLength: Int {
        switch memory {
        case .type2: 4
        case .type5(let layout): layout.blockLength
        case .blocks(let length, _): length
        case nil: 0
        }
    }

    /// The numbers of all blocks in the order of dump files, counted through all sectors.
    ///
    /// They include the session registers of an NTAG I2C, which are not memory.
    public var blockNumbers: [Int] {
        switch memory {
        case .type2(let layout): (layout.blocks.flatMap(\.self) + layout.sessionRegisters).sorted()
        case .type5(let layout): Array(0..<layout.blockCount)
        case .blocks(_, let blocks): blocks.flatMap(\.self)
        case nil: []
        }
    }

    /// The number of blocks in a dump file.
    public var blockCount: Int { blockNumbers.count }
}
