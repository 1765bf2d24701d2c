// A connected reader

/// A reader on a USB port, or a serial adapter to which a reader may be connected.
public struct USBReader: Hashable, Sendable {
    /// The model of the reader.
    public let model: ReaderModel
    /// The port to which the reader is connected.
    public let port: PortPath
    /// The device number on the bus.
    ///
    /// It changes each time the reader is plugged in.
    public let device: UInt8
    /// The manufacturer as the device reports it, unchanged, with at most 126 characters; nil if it reports none.
    public let manufacturer: String?
    /// The product as the device reports it, unchanged, with at most 126 characters; nil if it reports none.
    public let product: String?
    /// The serial number as the device reports it, unchanged, with at most 126 characters; nil if it reports none.
    ///
    /// Many readers have no serial number, or have the same serial number as other readers.
    public let serial: String?
    /// The interfaces, sorted by number.
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
        /// The interface number (`bInterfaceNumber`).
        public let number: UInt8
        /// The interface class (`bInterfaceClass`).
        ///
        /// 0x0B means a smart-card reader.
        public let classCode: UInt8
        /// The kernel driver, such as `pn533_usb` or `cp210x`; nil if there is none.
        ///
        /// `usbfs` means that a program has claimed the interface.
        public let kernelDriver: String?

        /// Creates an interface.
        public init(number: UInt8, classCode: UInt8, kernelDriver: String? = nil) {
            self.number = number
            self.classCode = classCode
            self.kernelDriver = kernelDriver
        }
    }

    /// The bus number.
    public var bus: UInt8 { port.bus }

    /// The path of the device node, for example `/dev/bus/usb/001/004`.
    public var node: String { "/dev/bus/usb/\(Self.threeDigits(bus))/\(Self.threeDigits(device))" }

    /// The connection string for libnfc, for example `acr122_usb:001:004`.
    ///
    /// It is nil if libnfc does not drive the model over USB.
    public var connection: String? {
        model.drive.map { "\($0.driver.rawValue):\(Self.threeDigits(bus)):\(Self.threeDigits(device))" }
    }

    /// The kernel driver that has claimed an interface; nil if there is none.
    ///
    /// `usbfs` does not count, because it means that a program has claimed the interface.
    public var kernelDriver: String? {
        interfaces.lazy.compactMap(\.kernelDriver).first { $0 != "usbfs" }
    }

    /// Whether a program has claimed an interface.
    ///
    /// The kernel then reports `usbfs` as the driver.
    public var isClaimedByProgram: Bool { interfaces.contains { $0.kernelDriver == "usbfs" } }

    /// Whether pcscd claims the model, because it belongs to the USB smart-card class.
    public var isSmartCardReader: Bool {
        model.reason == .smartCardReaderOnly || model.drive?.quirks.contains(.smartCardInterface) ?? false
    }

    /// Whether pcscd holds the reader, as far as this user can see.
    ///
    /// `holders` are the programs that have the reader's node open. They are determined only for smart-card readers,
    /// because the result does not depend on them for other readers.
    public func isHeldBySmartCardDaemon(_ holders: @autoclosure () -> NodeHolders) -> Bool {
        guard isSmartCardReader else { return false }
        let holders = holders()
        if holders.visible.contains(where: { $0.name == SmartCardDaemon.name }) { return true }
        // For processes of another user, only the names are visible.
        return isClaimedByProgram && holders.visible.isEmpty
            && holders.suspects.contains { $0.name == SmartCardDaemon.name }
    }

    private static func threeDigits(_ number: UInt8) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}
