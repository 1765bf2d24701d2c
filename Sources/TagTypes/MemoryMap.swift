// What a tag's memory holds, part by part — for people who look at tags

/// A tag's memory, or its files, with the meaning of each part.
public struct MemoryMap: Hashable, Sendable {
    /// What a block is for.
    ///
    /// A block with several meanings has the first that fits.
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
        /// Data area after the message.
        case free
        /// Not for data: named by a Memory Control TLV, or outside the data area without a known use.
        case reserved
        /// Chip configuration.
        case configuration
        /// Password and its acknowledgement, which never read back.
        case password
        /// A counter.
        case counter
        /// The MIFARE application directory.
        case directory
        /// Keys and access bits of a MIFARE Classic sector.
        case trailer
    }

    /// One block: 4 bytes of a Type 2 Tag, 8 of Type 1, 16 of Type 3 and MIFARE Classic, 1 to 32 of Type 5.
    public struct Block: Hashable, Sendable {
        /// The block number.
        public var number: Int
        /// Its bytes, `nil` when it cannot be read.
        public var bytes: [UInt8]?
        /// What it is for.
        public var role: Role
        /// Whether lock bits, or the status of the block, forbid writing it.
        public var isLocked: Bool
    }

    /// Dynamic lock bits, decoded.
    public struct DynamicLock: Hashable, Sendable {
        /// The byte address of the first lock byte.
        public var address: Int
        /// The number of lock bits.
        public var bitCount: Int
        /// The number of blocks each bit locks, from block 16 on.
        public var blocksPerBit: Int
        /// The lock bytes, `nil` when they cannot be read.
        public var bytes: [UInt8]?
        /// The blocks that each lock bit closes, by the bit's position from bit 0 of the first lock byte on.
        public var closes: [Int: [Int]] = [:]
    }

    /// The password configuration of an NTAG21x or Ultralight EV1 (CFG 0 and CFG 1).
    public struct PasswordProtection: Hashable, Sendable {
        /// AUTH0: the first protected block; no block when it lies beyond the memory.
        public var auth0: UInt8
        /// ACCESS, with CFGLCK, PROT and AUTHLIM in it.
        public var access: UInt8
        /// ACCESS bit 7, PROT: reading needs the password, too.
        public var protectsReading: Bool { access & Self.prot != 0 }
        /// ACCESS bit 6, CFGLCK: the configuration is frozen.
        public var isConfigurationLocked: Bool { access & 0x40 != 0 }
        /// ACCESS bit 4, NFC_CNT_EN: the NFC counter counts, on chips that have one.
        public var isCounterEnabled: Bool { access & 0x10 != 0 }
        /// ACCESS bit 3, NFC_CNT_PWD_PROT: reading the counter needs the password.
        public var protectsCounter: Bool { access & 0x08 != 0 }
        /// ACCESS bits 2…0, AUTHLIM: wrong passwords allowed, 0 for no limit.
        public var authenticationLimit: Int { Int(access & Self.authlim) }

        static let prot: UInt8 = 0x80
        static let authlim: UInt8 = 0x07
    }

    /// The key configuration of an Ultralight C (AUTH0 and AUTH1) or AES (CFG 0 and CFG 1).
    public struct KeyProtection: Hashable, Sendable {
        /// AUTH0: the first protected block; no block when it lies beyond the memory.
        public let auth0: UInt8
        /// Whether reading needs the key, too: AUTH1 bit 0 is clear, or ACCESS bit 7 (PROT) is set.
        public let protectsReading: Bool
        /// AUTH_LIM of an Ultralight AES, 10 bits: wrong keys allowed, 0 for no limit.
        public let authenticationLimit: Int
        /// ACCESS bit 6, CFGLCK, of an Ultralight AES: the configuration is frozen.
        public let isConfigurationLocked: Bool
        /// Whether the chip is an Ultralight AES.
        public let isAES: Bool

        /// Decodes the block that begins with AUTH1 or ACCESS, 4 bytes; `nil` when there are fewer.
        public init?(auth0: UInt8, configuration bytes: [UInt8], isAES: Bool) {
            guard bytes.count == 4 else { return nil }
            (self.auth0, self.isAES) = (auth0, isAES)
            protectsReading = isAES ? bytes[0] & 0x80 != 0 : bytes[0] & 0x01 == 0
            authenticationLimit = isAES ? Int(bytes[2]) | Int(bytes[3] & 0x03) << 8 : 0
            isConfigurationLocked = isAES && bytes[0] & 0x40 != 0
        }
    }

    /// What the chip shows in the memory instead of what was written there.
    public struct Mirror: Hashable, Sendable {
        /// What is shown, `nil` for nothing.
        public var content: MirrorContent?
        /// MIRROR_PAGE: the block in which it begins.
        public var block: UInt8
        /// MIRROR_BYTE: the byte of that block, 0…3.
        public var byte: UInt8
        /// The offset in the message, `nil` when nothing is shown there.
        public var messageOffset: Int?
        /// STRG_MOD_EN: strong modulation is on.
        public var isModulationStrong: Bool
    }

    /// A one-way counter.
    public struct Counter: Hashable, Sendable {
        /// Its number in READ_CNT: 2 for the NFC counter; 0 for one that lies in the memory.
        public var number: UInt8
        /// Its value.
        public var value: Int
        /// Whether an increment was interrupted, `nil` if the chip does not report it.
        public var isTorn: Bool?
    }

    /// A file of a Type 4 Tag.
    public struct File: Hashable, Sendable {
        /// The file identifier, 2 bytes.
        public var identifier: UInt16
        /// What the capability container says it is: `CC`, `NDEF`, `ENDEF`, `proprietary`.
        public var kind: String
        /// Its size in bytes.
        public var size: Int
        /// The read access byte, 00 when free.
        public var readAccess: UInt8
        /// The write access byte, 00 when free, FF when there is none.
        public var writeAccess: UInt8
    }

    /// Makes an empty map.
    public init() {}

    /// The blocks in order, empty for a Type 4 Tag.
    public var blocks: [Block] = []
    /// The dynamic lock bits, where the tag has them.
    public var dynamicLock: DynamicLock?
    /// The password configuration, where the chip has one that can be read.
    public var password: PasswordProtection?
    /// The key configuration, where the chip is an Ultralight C or AES.
    public var key: KeyProtection?
    /// The mirror configuration, where the chip has one that can be read.
    public var mirror: Mirror?
    /// The SUN message of an NTAG 22x DNA, where its settings can be read.
    public internal(set) var sun: SUNMessage?
    /// Whether the chip has a SUN message whose settings could not be read.
    package var hasUnknownSUN = false
    /// The counters that can be read.
    public var counters: [Counter] = []
    /// The answer to READ_SIG, 32 bytes, where the chip has one.
    public var signature: [UInt8]?
    /// The capability container as read, empty when there is none.
    public var capabilityContainer: [UInt8] = []
    /// The capability container's fields by their names in the specification, in order.
    public var fields: [Field] = []
    /// The files, empty unless this is a Type 4 Tag.
    public var files: [File] = []
    /// The sectors of a MIFARE Classic, empty for other tags.
    public var sectors: [ClassicSector] = []
    /// What is known of where a MIFARE Classic is from; `nil` if it was not checked.
    public var origin: ClassicOrigin?
    /// The systems of a FeliCa card, 2 bytes each, as Request System Code lists them; empty where the card does not.
    public var systemCodes: [[UInt8]] = []
    /// The applications of a DESFire or an NTAG 424 DNA, the card itself first; empty where they were not asked for.
    public var applications: [Application] = []
    /// How many bytes a DESFire has free; nil if it does not report it.
    public var freeMemory: Int?
    /// What a Type 5 Tag says of itself; `nil` where it does not.
    public var systemInformation: ISO15693SystemInformation?

    /// A named field and its value.
    public struct Field: Hashable, Sendable {
        /// The name in the specification, for example `MLe`.
        public var name: String
        /// The value as text.
        public var value: String
    }
}
