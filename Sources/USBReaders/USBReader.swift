// A reader that is plugged in

/// A reader (or a serial adapter that may carry one) on a USB port.
public struct USBReader: Hashable, Sendable {
    /// What it is.
    public let model: ReaderModel
    /// Where it is plugged in.
    public let port: PortPath
    /// The device number on its bus, another one after each plug-in.
    public let device: UInt8
    /// The manufacturer as the device says it: raw, at most 126 characters.
    public let manufacturer: String?
    /// The product as the device says it: raw, at most 126 characters.
    public let product: String?
    /// The serial number as the device says it, which many readers lack or share: raw, at most 126 characters.
    public let serial: String?
    /// Its interfaces, by number.
    public let interfaces: [Interface]

    /// Creates a reader.
    public init(
        model: ReaderModel, port: PortPath, device: UInt8, manufacturer: String? = nil, product: String? = nil,
        serial: String? = nil, interfaces: [Interface] = []
    ) {
        self.model = model
        self.port = port
        self.device = device
        self.manufacturer = manufacturer
        self.product = product
        self.serial = serial
        self.interfaces = interfaces
    }

    /// An interface of a device.
    public struct Interface: Hashable, Sendable {
        /// Its number, `bInterfaceNumber`.
        public let number: UInt8
        /// Its class, `bInterfaceClass`: 0x0B is a smart-card reader.
        public let classCode: UInt8
        /// The kernel driver that has it: `pn533_usb`, `usbfs` (a program that holds it), `cp210x` …; nil when none has.
        public let kernelDriver: String?

        /// Creates an interface.
        public init(number: UInt8, classCode: UInt8, kernelDriver: String? = nil) {
            self.number = number
            self.classCode = classCode
            self.kernelDriver = kernelDriver
        }
    }

    /// The number of its bus.
    public var bus: UInt8 { port.bus }

    /// The device node: `/dev/bus/usb/001/004`.
    public var node: String { "/dev/bus/usb/\(Self.threeDigits(bus))/\(Self.threeDigits(device))" }

    /// The connection string as libnfc writes it, `acr122_usb:001:004`; nil when libnfc does not drive the model over USB.
    public var connection: String? {
        model.drive.map { "\($0.driver.rawValue):\(Self.threeDigits(bus)):\(Self.threeDigits(device))" }
    }

    /// The kernel's driver on an interface, a program's claim (`usbfs`) left out; nil when no driver is in the way.
    public var kernelDriver: String? {
        interfaces.lazy.compactMap(\.kernelDriver).first { $0 != "usbfs" }
    }

    /// Whether a program has claimed an interface: the kernel then names `usbfs` as its driver.
    public var isClaimedByProgram: Bool { interfaces.contains { $0.kernelDriver == "usbfs" } }

    /// Whether pcscd knows the model: it is of USB's smart-card class.
    public var isSmartCardReader: Bool {
        model.reason == .smartCardReaderOnly || model.drive?.quirks.contains(.smartCardInterface) ?? false
    }

    /// Whether pcscd has it, as far as this user may see who has it.
    ///
    /// `holders`, the programs that have its node open, is only evaluated for smart card readers, where the result
    /// depends on it.
    public func isHeldBySmartCardDaemon(_ holders: @autoclosure () -> NodeHolders) -> Bool {
        guard isSmartCardReader else { return false }
        let holders = holders()
        if holders.visible.contains(where: { $0.name == SmartCardDaemon.name }) { return true }
        // Of another user's processes only the names are seen.
        return isClaimedByProgram && holders.visible.isEmpty
            && holders.suspects.contains { $0.name == SmartCardDaemon.name }
    }

    private static func threeDigits(_ number: UInt8) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}
