// What one kind of chip is: the row of the table of chips — the chips' data sheets

/// A model of chip: how it says what it is, where everything is in its memory, what it can do, and what dump files call it.
///
/// ```swift
/// let chip = ChipModel(version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03])
/// chip?.id            // "ntag213"
/// chip?.capacity      // 137
/// ```
/// A family of chips has one file, with its source; ``all`` has the families. To add a chip, add it to its family.
public struct ChipModel: Identifiable, Sendable {
    /// A stable identifier, such as `ntag213`: what programs and files compare, where people read the name.
    public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Lower-case letters, digits and hyphens.
        public let rawValue: String

        /// Makes an identifier, of any model or of none.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier itself.
        public var description: String { rawValue }
    }

    /// Who makes the chip.
    public enum Maker: String, Hashable, Sendable {
        case nxp = "NXP"
        case st = "STMicroelectronics"
        case broadcom = "Broadcom"
        case sony = "Sony"
        case ti = "Texas Instruments"
        case infineon = "Infineon"
        case em = "EM Microelectronic"

        /// The code of ISO/IEC 7816-6 with which UIDs of 7 bytes begin, and which GET_VERSION answers and UIDs of ISO 15693 have
        /// in byte 1; `nil` where nothing here depends on it.
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

    /// The kind of tag the chip is a part of, by the numbers of the NFC Forum.
    public enum TagKind: Hashable, Sendable {
        case type1, type2, type3, type4, type5
        /// An NXP technology, not an NFC Forum tag type.
        case mifareClassic
    }

    /// The blocks of a chip.
    public enum Memory: Hashable, Sendable {
        /// Of a Type 2 Tag: blocks of 4 bytes.
        case type2(Type2Layout)
        /// Of an ISO 15693 chip.
        case type5(Type5Layout)
        /// Of any other: the length of a block in bytes, and the numbers of all blocks, ascending.
        case blocks(length: Int, [ClosedRange<Int>])
    }

    /// The identifier.
    public let id: ID
    /// The name in the data sheet, with the type number where several chips share the name.
    public let name: String
    /// The name without a type number, as plans and lists of tags have it.
    public let shortName: String
    /// The name in a list of tags people buy, where it says something else than ``shortName``.
    public let listedName: String
    /// Who makes it.
    public let maker: Maker
    /// The kind of tag.
    public let kind: TagKind
    /// How a tag shows that it has this chip; empty where it cannot be told from others.
    public let marks: [ChipMark]
    /// The memory; `nil` where it is not known, or consists of files.
    public let memory: Memory?
    /// How the chip is made an NDEF tag; `nil` where that is not a matter of the chip.
    public let formatting: Type2Formatting?
    /// Where the settings of a SUN message are, of a Type 2 Tag chip that has one.
    public let sun: SUNLayout?
    /// What Flipper's files call the chip; `nil` where they have no name for it.
    public let flipperName: String?
    /// Whether a dump of mere memory, with as many bytes as this chip has, may be taken for one of this chip.
    public let isToldBySize: Bool
    /// Whether it is one of the tags people buy, which a list of what fits where names.
    public let isListed: Bool
    /// Whether a tag says by itself that it has this chip, so that a plan can require it.
    public let isRequirable: Bool
    /// Whether its maker signs its UID in a way that is not read here: the signature of READ_SIG is a feature of the layout.
    public let hasOtherSignature: Bool
    private let fixedCapacity: Int?

    /// Makes a row of the table.
    ///
    /// The capacity is the length in bytes of the longest NDEF message; it is calculated from `formatting` where that
    /// is given.
    init(
        _ id: ID, _ name: String, short: String? = nil, by maker: Maker = .nxp, _ kind: TagKind = .type2,
        marks: [ChipMark] = [], memory: Memory? = nil, formatting: Type2Formatting? = nil, capacity: Int? = nil,
        sun: SUNLayout? = nil, flipper: String? = nil, isToldBySize: Bool = true, isListed: Bool = false,
        listedAs listedName: String? = nil,
        isRequirable: Bool = false, hasOtherSignature: Bool = false
    ) {
        (self.id, self.name, shortName, self.listedName) = (id, name, short ?? name, listedName ?? short ?? name)
        (self.maker, self.kind, self.marks) = (maker, kind, marks)
        (self.memory, self.formatting, fixedCapacity) = (memory, formatting, capacity)
        (flipperName, self.isToldBySize) = (flipper, isToldBySize)
        self.sun = sun
        self.hasOtherSignature = hasOtherSignature
        (self.isListed, self.isRequirable) = (isListed, isRequirable)
    }
}

extension ChipModel: Hashable {
    /// Models are the same when their identifiers are.
    public static func == (one: ChipModel, other: ChipModel) -> Bool { one.id == other.id }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ChipModel: CustomStringConvertible {
    /// The name for people.
    public var description: String { name }
}

extension ChipModel {
    /// The layout of a Type 2 Tag chip whose memory is known.
    public var layout: Type2Layout? {
        guard case .type2(let layout)? = memory else { return nil }
        return layout
    }

    /// The layout of an ISO 15693 chip whose memory is known.
    public var type5Layout: Type5Layout? {
        guard case .type5(let layout)? = memory else { return nil }
        return layout
    }

    /// The length in bytes of the longest NDEF message, as nfctool formats the chip; `nil` where the chip does not tell.
    public var capacity: Int? { fixedCapacity ?? formatting?.capacity ?? type5Layout?.capacity }

    /// The number of bytes in a block; 0 where there are none.
    public var blockLength: Int {
        switch memory {
        case .type2: 4
        case .type5(let layout): layout.blockLength
        case .blocks(let length, _): length
        case nil: 0
        }
    }

    /// The numbers of all blocks in the order of dump files, those of several sectors counted through.
    ///
    /// Session registers of an NTAG I2C, which are no memory, are among them.
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
