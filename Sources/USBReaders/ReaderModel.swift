// The model of a USB reader, by its vendor and product ID

/// A model of USB device, and whether libnfc 1.8 can drive it.
public struct ReaderModel: Hashable, Sendable {
    /// The USB vendor ID.
    public let vendor: UInt16
    /// The USB product ID.
    public let product: UInt16
    /// The name of the model as it is shown to people.
    public let name: String
    /// Whether and how libnfc supports the model.
    public let support: Support

    /// Creates a model.
    public init(vendor: UInt16, product: UInt16, name: String, support: Support) {
        self.vendor = vendor
        self.product = product
        self.name = name
        self.support = support
    }

    /// Whether and how libnfc supports a model.
    public enum Support: Hashable, Sendable {
        /// A USB driver of libnfc drives the model.
        case driven(Drive)
        /// The model is a serial adapter, to which a PN532 board or any other device may be connected.
        case serialAdapter
        /// No driver of libnfc drives the model.
        case undriven(Reason)
    }

    /// The libnfc driver for a model, and the features of the model.
    public struct Drive: Hashable, Sendable {
        /// The libnfc driver.
        public let driver: Driver
        /// The radio chip.
        public let chip: Chip
        /// The peculiarities of the model.
        public let quirks: Set<Quirk>
        /// The abilities of the model besides reading and writing tags.
        public let abilities: Set<Ability>
        /// The maximum lengths of a command to the chip and of the answer.
        public let limits: FrameLimits

        /// Creates a description from a driver and features.
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

    /// A USB driver in libnfc.
    ///
    /// The raw value is the word at the start of its connection strings.
    public enum Driver: String, Hashable, Sendable, CaseIterable {
        /// The driver for the ACR122 and similar readers.
        case acr122USB = "acr122_usb"
        /// The driver for readers whose chip is itself the USB device.
        case pn53xUSB = "pn53x_usb"
    }

    /// A radio chip that libnfc's PN53x layer supports.
    public enum Chip: String, Hashable, Sendable, CaseIterable {
        /// The PN531 from NXP.
        case pn531 = "PN531"
        /// The PN532 from NXP.
        case pn532 = "PN532"
        /// The PN533 from NXP.
        case pn533 = "PN533"
        /// The RC-S956 from Sony.
        case rcs956 = "RC-S956"
    }

    /// A peculiarity of a model.
    public enum Quirk: String, Hashable, Sendable, CaseIterable {
        /// The reader receives commands in CCID messages, so pcscd claims it as a smart-card reader.
        case smartCardInterface
        /// Sometimes, the reader can be opened only once after it was plugged in.
        ///
        /// A USB reset helps.
        case opensOncePerPlugIn
        /// Some batches of the reader time out at the USB request SET_INTERFACE ("set alternate setting").
        case alternateSettingTimesOut
        /// The kernel driver pn533_usb claims the reader.
        case claimedByPN533
        /// Long frames may overwrite the reader's USB descriptors. libnfc restores them when it closes the reader.
        case descriptorsOverwritten
        /// ACS gave the same product ID to a smart-card reader without an antenna (ACR38).
        case sharesNumberWithContactReader
        /// libnfc's authors had no such reader for testing.
        case untriedByLibNFC
    }

    /// An ability of a model besides reading and writing tags.
    public enum Ability: String, Hashable, Sendable, CaseIterable {
        /// The reader can beep.
        case sound
        /// The reader has a light that programs can control.
        case light
        /// The reader can emulate a tag.
        case cardEmulation
    }

    /// The maximum lengths of a command to the chip and of an answer from it.
    public struct FrameLimits: Hashable, Sendable {
        /// The maximum number of bytes in a command, including its code but not the frame identifier `D4`.
        public let command: Int
        /// The maximum number of bytes in an answer, including its code but not the frame identifier `D5`.
        public let answer: Int

        /// Creates limits.
        public init(command: Int, answer: Int) {
            self.command = command
            self.answer = answer
        }
    }

    /// The reason why libnfc cannot drive a model.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The model is a contactless reader that supports only PC/SC.
        ///
        /// Its chip is not a PN53x.
        case smartCardReaderOnly
        /// The model belongs to the USB smart-card class but is not in the table.
        ///
        /// It supports PC/SC, but may have no antenna.
        case smartCardClass
        /// The model is a Sony NFC Port-100, which has its own command set.
        case port100
        /// The model is a Proxmark3, which has its own client program.
        case proxmark
        /// The model is a reader for ISO/IEC 15693 (Type 5) tags with its own protocol.
        case type5Reader
        /// The model is an older reader with its own protocol.
        case ownProtocol
        /// The reader has a chip that libnfc supports, but its product ID is not in libnfc's table.
        case unknownProductNumber
    }
}

extension ReaderModel {
    /// How libnfc drives the model; nil if it does not drive it over USB.
    public var drive: Drive? {
        if case .driven(let drive) = support { drive } else { nil }
    }

    /// The reason why libnfc cannot drive the model; nil if it can, or if the model is a serial adapter.
    public var reason: Reason? {
        if case .undriven(let reason) = support { reason } else { nil }
    }

    /// Returns the model with these IDs, or nil if the table does not contain it.
    public static func known(vendor: UInt16, product: UInt16) -> ReaderModel? {
        table.first { $0.vendor == vendor && $0.product == product }
    }
}
