// The contents of a tag's memory, with the purpose of each part, for people who inspect tags

/// A tag's memory, or its files, with the meaning of each part.
public struct MemoryMap: Hashable, Sendable {
    /// The purpose of a block.
    ///
    /// A block with several purposes gets the first role in this list that applies.
    public enum Role: Hashable, Sendable {
        /// The identifier and its check bytes.
        case uid
        /// Static or dynamic lock bits.
        case lock
        /// The capability container, or the attribute information block of Type 3.
        case capabilityContainer
        /// A TLV before the NDEF message, or the head of the NDEF TLV.
        case tlv
        /// The NDEF message.
        case ndef
        /// The part of the data area after the message.
        case free
        /// Memory that cannot hold data: it is named by a Memory Control TLV, or lies outside the data area and has no
        /// known use.
        case reserved
        /// The configuration of the chip.
        case configuration
        /// A password and its acknowledgement, which can never be read.
        case password
        /// The value of a counter.
        case counter
        /// The MIFARE application directory.
        case directory
        /// The keys and access bits of a MIFARE Classic sector.
        case trailer
    }

    /// A block, which has 4 bytes on Type 2, 8 on Type 1, 16 on Type 3 and MIFARE Classic, and 1 to 32 on Type 5.
    public struct Block: Hashable, Sendable {
        /// The block number.
        public var number: Int
        /// The bytes of the block, or `nil` if it cannot be read.
        public var bytes: [UInt8]?
        /// The purpose of the block.
        public var role: Role
        /// Whether lock bits or the security status of the block prevent it from being written.
        public var isLocked: Bool
    }

    /// The decoded dynamic lock bits.
    public struct DynamicLock: Hashable, Sendable {
        /// The byte address of the first lock byte.
        public var address: Int
        /// The number of lock bits.
        public var bitCount: Int
        /// The number of blocks that each bit locks, starting at block 16.
        public var blocksPerBit: Int
        /// The lock bytes, or `nil` if they cannot be read.
        public var bytes: [UInt8]?
        /// The numbers of the blocks that each lock bit locks.
        ///
        /// The dictionary key is the position of the bit, counted from bit 0 of the first lock byte.
        public var closes: [Int: [Int]] = [:]
    }

    /// The password configuration of an NTAG21x or Ultralight EV1 (CFG 0 and CFG 1).
    public struct PasswordProtection: Hashable, Sendable {
        /// AUTH0: the first protected block.
        ///
        /// If it lies beyond the memory, no block is protected.
        public var auth0: UInt8
        /// The ACCESS byte, which contains CFGLCK, PROT and AUTHLIM.
        public var access: UInt8
        /// ACCESS bit 7, PROT: whether reading also requires the password.
        public var protectsReading: Bool { access & Self.prot != 0 }
        /// ACCESS bit 6, CFGLCK: whether the configuration is frozen.
        public var isConfigurationLocked: Bool { access & 0x40 != 0 }
        /// ACCESS bit 4, NFC_CNT_EN: whether the NFC counter is enabled, on chips that have one.
        public var isCounterEnabled: Bool { access & 0x10 != 0 }
        /// ACCESS bit 3, NFC_CNT_PWD_PROT: whether reading the counter requires the password.
        public var protectsCounter: Bool { access & 0x08 != 0 }
        /// ACCESS bits 2…0, AUTHLIM: the number of wrong passwords allowed; 0 means no limit.
        public var authenticationLimit: Int { Int(access & Self.authlim) }

        static let prot: UInt8 = 0x80
        static let authlim: UInt8 = 0x07
    }

    /// The key configuration of an Ultralight C (AUTH0 and AUTH1) or AES (CFG 0 and CFG 1).
    public struct KeyProtection: Hashable, Sendable {
        /// AUTH0: the first protected block.
        ///
        /// If it lies beyond the memory, no block is protected.
        public let auth0: UInt8
        /// Whether reading also requires the key, because AUTH1 bit 0 is clear or ACCESS bit 7 (PROT) is set.
        public let protectsReading: Bool
        /// AUTH_LIM of an Ultralight AES, 10 bits: the number of wrong keys allowed; 0 means no limit.
        ///
        /// For an Ultralight C, the value is 0.
        public let authenticationLimit: Int
        /// ACCESS bit 6, CFGLCK, of an Ultralight AES: whether the configuration is frozen.
        public let isConfigurationLocked: Bool
        /// Whether the chip is an Ultralight AES.
        public let isAES: Bool

        /// Decodes the 4-byte block that begins with AUTH1 or ACCESS, or returns `nil` if `bytes` is not 4 bytes long.
        public init?(auth0: UInt8, configuration bytes: [UInt8], isAES: Bool) {
            guard bytes.count == 4 else { return nil }
            (self.auth0, self.isAES) = (auth0, isAES)
            protectsReading = isAES ? bytes[0] & 0x80 != 0 : bytes[0] & 0x01 == 0
            authenticationLimit = isAES ? Int(bytes[2]) | Int(bytes[3] & 0x03) << 8 : 0
            isConfigurationLocked = isAES && bytes[0] & 0x40 != 0
        }
    }

    /// The mirror configuration: what the chip shows in place of a part of its memory, and where.
    public struct Mirror: Hashable, Sendable {
        /// The mirrored data, or `nil` if nothing is shown.
        public var content: MirrorContent?
        /// MIRROR_PAGE: the number of the block in which the mirror begins.
        public var block: UInt8
        /// MIRROR_BYTE: the offset in that block at which the mirror begins, 0…3 bytes.
        public var byte: UInt8
        /// The byte offset of the mirror in the message, or `nil` if nothing is shown in the message.
        public var messageOffset: Int?
        /// STRG_MOD_EN: whether strong modulation is on.
        public var isModulationStrong: Bool
    }

    /// A one-way counter.
    public struct Counter: Hashable, Sendable {
        /// The number of the counter in READ_CNT, 0…2.
        ///
        /// The NFC counter has number 2. A counter that is stored in a memory block has number 0 here.
        public var number: UInt8
        /// The value of the counter.
        public var value: Int
        /// Whether an increment was interrupted, or `nil` if the chip does not report it.
        public var isTorn: Bool?
    }

    /// A file of a Type 4 Tag.
    public struct File: Hashable, Sendable {
        /// The file identifier, 2 bytes.
        public var identifier: UInt16
        /// The kind of file according to the capability container: `CC`, `NDEF`, `ENDEF` or `proprietary`.
        public var kind: String
        /// The size of the file in bytes.
        public var size: Int
        /// The read access byte in the capability container; 00 means free access.
        public var readAccess: UInt8
        /// The write access byte in the capability container; 00 means free access, FF means no access.
        public var writeAccess: UInt8
        /// The rights that the chip itself grants, or `nil` if they are not known.
        ///
        /// They can differ from those in the capability container.
        public var rights: NativeFileSettings.AccessRights?
    }

    /// Creates an empty map.
    public init() {}

    /// The blocks in order.
    ///
    /// A Type 4 Tag has no blocks.
    public var blocks: [Block] = []
    /// The dynamic lock bits, or `nil` if the tag has none.
    public var dynamicLock: DynamicLock?
    /// The password configuration, or `nil` if the chip has none that can be read.
    public var password: PasswordProtection?
    /// The key configuration of an Ultralight C or AES, or `nil` for other chips.
    public var key: KeyProtection?
    /// The mirror configuration, or `nil` if the chip has none that can be read.
    public var mirror: Mirror?
    /// The settings of an NTAG 22x DNA's SUN message, or `nil` if the chip has none that can be read.
    public internal(set) var sun: SUNMessage?
    /// Whether the chip has a SUN message whose settings could not be read.
    package var hasUnknownSUN = false
    /// The counters that can be read.
    public var counters: [Counter] = []
    /// The 32-byte answer to READ_SIG, or `nil` if the chip does not support this command.
    public var signature: [UInt8]?
    /// The bytes of the capability container as they were read, or empty if there is none.
    public var capabilityContainer: [UInt8] = []
    /// The fields of the capability container, in order, with their names from the specification.
    public var fields: [Field] = []
    /// The files of a Type 4 Tag.
    ///
    /// The list is empty for other tags.
    public var files: [File] = []
    /// The sectors of a MIFARE Classic.
    ///
    /// The list is empty for other tags.
    public var sectors: [ClassicSector] = []
    /// The known facts about the origin of a MIFARE Classic, or `nil` if it was not checked.
    public var origin: ClassicOrigin?
    /// The system codes of a FeliCa card, 2 bytes each, as returned by Request System Code.
    ///
    /// The list is empty if the card does not return any.
    public var systemCodes: [[UInt8]] = []
    /// The applications of a DESFire or an NTAG 424 DNA, beginning with the card itself.
    ///
    /// The list is empty if the applications were not requested.
    public var applications: [Application] = []
    /// The number of free bytes on a DESFire, or `nil` if the card does not report it.
    public var freeMemory: Int?
    /// The system information of a Type 5 Tag, or `nil` if the tag does not report any.
    public var systemInformation: ISO15693SystemInformation?

    /// A named field and its value.
    public struct Field: Hashable, Sendable {
        /// The name in the specification, for example `MLe`.
        public var name: String
        /// The value as text.
        public var value: String
    }
}
