// What a USB reader is, by its vendor and product number

/// A model of reader, and whether libnfc 1.8 can drive it.
public struct ReaderModel: Hashable, Sendable {
    /// The USB vendor number.
    public let vendor: UInt16
    /// The USB product number.
    public let product: UInt16
    /// What people call it.
    public let name: String
    /// What libnfc can do with it.
    public let support: Support

    /// Creates a model.
    public init(vendor: UInt16, product: UInt16, name: String, support: Support) {
        self.vendor = vendor
        self.product = product
        self.name = name
        self.support = support
    }

    /// What libnfc can do with a model.
    public enum Support: Hashable, Sendable {
        /// A USB driver of libnfc drives it.
        case driven(Drive)
        /// A serial adapter: a PN532 board that libnfc drives may hang on it, or anything else.
        case serialAdapter
        /// No driver of libnfc does.
        case undriven(Reason)
    }

    /// How libnfc drives a model, and what it can do.
    public struct Drive: Hashable, Sendable {
        /// The driver of libnfc.
        public let driver: Driver
        /// The radio chip.
        public let chip: Chip
        /// What is special about it.
        public let quirks: Set<Quirk>
        /// What it can do beside reading and writing tags.
        public let abilities: Set<Ability>
        /// How long a command to the chip may be, from its code on, and an answer, from its code on.
        public let limits: FrameLimits

        /// Creates a drive.
        public init(
            driver: Driver, chip: Chip, quirks: Set<Quirk> = [], abilities: Set<Ability> = [], limits: FrameLimits
        ) {
            self.driver = driver
            self.chip = chip
            self.quirks = quirks
            self.abilities = abilities
            self.limits = limits
        }
    }

    /// A USB driver of libnfc, by the word that begins its connection strings.
    public enum Driver: String, Hashable, Sendable, CaseIterable {
        case acr122USB = "acr122_usb"
        case pn53xUSB = "pn53x_usb"
    }

    /// A radio chip that libnfc's PN53x layer talks to.
    public enum Chip: String, Hashable, Sendable, CaseIterable {
        case pn531 = "PN531"
        case pn532 = "PN532"
        case pn533 = "PN533"
        case rcs956 = "RC-S956"
    }

    /// What is special about a model.
    public enum Quirk: String, Hashable, Sendable, CaseIterable {
        /// Its commands travel in CCID messages, so that pcscd takes it for a smart-card reader and claims it.
        case smartCardInterface
        /// It may open only once per plug-in: a USB reset helps.
        case opensOncePerPlugIn
        /// Some batches time out on "set alternate setting".
        case alternateSettingTimesOut
        /// The kernel's pn533_usb claims it.
        case claimedByPN533
        /// Its USB descriptors may be overwritten by long frames; libnfc mends them at closing.
        case descriptorsOverwritten
        /// ACS gave the same product number to a smart-card reader without an antenna (ACR38).
        case sharesNumberWithContactReader
        /// libnfc's authors had none to try.
        case untriedByLibNFC
    }

    /// What a model can do beside reading and writing tags.
    public enum Ability: String, Hashable, Sendable, CaseIterable {
        case sound
        case light
        case cardEmulation
    }

    /// The longest frames to and from a chip.
    public struct FrameLimits: Hashable, Sendable {
        /// The most bytes of a command, its code among them, the frame identifier `D4` not.
        public let command: Int
        /// The most bytes of an answer, its code among them, the frame identifier `D5` not.
        public let answer: Int

        /// Creates limits.
        public init(command: Int, answer: Int) {
            self.command = command
            self.answer = answer
        }
    }

    /// Why libnfc cannot drive a model.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// A contactless reader that is spoken to by PC/SC only; its chip is no PN53x.
        case smartCardReaderOnly
        /// It has USB's smart-card class and is not in the table: with or without an antenna, it speaks PC/SC.
        case smartCardClass
        /// Sony's NFC Port-100, a command set of its own.
        case port100
        /// A Proxmark3: it has a client of its own.
        case proxmark
        /// A reader for ISO/IEC 15693 (Type 5) tags with a protocol of its own.
        case type5Reader
        /// An older reader with a protocol of its own.
        case ownProtocol
        /// The chip is one that libnfc knows, but this product number is not in its table.
        case unknownProductNumber
    }
}

extension ReaderModel {
    /// How libnfc drives it; nil when it does not.
    public var drive: Drive? {
        if case .driven(let drive) = support { drive } else { nil }
    }

    /// Why libnfc does not drive it; nil when it does, or may.
    public var reason: Reason? {
        if case .undriven(let reason) = support { reason } else { nil }
    }

    /// The model with these numbers; nil when the table has none.
    public static func known(vendor: UInt16, product: UInt16) -> ReaderModel? {
        table.first { $0.vendor == vendor && $0.product == product }
    }
}
