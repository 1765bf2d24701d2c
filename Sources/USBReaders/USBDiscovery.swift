// Readers in sysfs — Linux, Documentation/ABI/stable/sysfs-bus-usb, Documentation/ABI/testing/sysfs-bus-usb

extension USBReader {
    static let devicesFolder = "/sys/bus/usb/devices"
    /// The maximum number of characters in a string descriptor (USB 2.0, 9.6.7).
    ///
    /// A descriptor has at most 255 bytes: a header of 2 bytes, and 2 bytes for each character.
    private static let stringLimit = 126
    /// The value of `bInterfaceClass` for smart-card readers (USB-IF, Defined Class Codes).
    private static let smartCardClass: UInt8 = 0x0B

    /// Returns the connected readers, and the serial adapters recognised by ID, sorted by port.
    public static func connected(root: SystemRoot = SystemRoot()) -> [USBReader] {
        let names = root.names(devicesFolder)
        return names.compactMap(PortPath.init).sorted().compactMap { port in
            USBReader(on: port, names: names, root: root) { ReaderModel.known(vendor: $0, product: $1) }
        }
    }

    /// Creates the device on a port.
    ///
    /// Returns nil if the port is empty, or if the device is neither a known model nor a smart-card reader.
    init?(on port: PortPath, names: [String], root: SystemRoot, model: (UInt16, UInt16) -> ReaderModel?) {
        let folder = "\(Self.devicesFolder)/\(port)"
        guard let vendor = root.attribute("\(folder)/idVendor").flatMap({ UInt16($0, radix: 16) }),
            let product = root.attribute("\(folder)/idProduct").flatMap({ UInt16($0, radix: 16) }),
            let device = root.attribute("\(folder)/devnum").flatMap({ UInt8($0) })
        else { return nil }
        let interfaces = names.filter { $0.hasPrefix("\(port):") }.compactMap { Interface(named: $0, root: root) }
        let name = Self.string("\(folder)/product", root)
        let found =
            model(vendor, product)
            ?? (interfaces.contains { $0.classCode == Self.smartCardClass }
                ? ReaderModel(
                    vendor: vendor, product: product, name: name ?? "smart-card reader",
                    support: .undriven(.smartCardClass))
                : nil)
        guard let found else { return nil }
        self.init(
            model: found, port: port, device: device, manufacturer: Self.string("\(folder)/manufacturer", root),
            product: name, serial: Self.string("\(folder)/serial", root),
            interfaces: interfaces.sorted { $0.number < $1.number })
    }

    private static func string(_ path: String, _ root: SystemRoot) -> String? {
        root.attribute(path).map { String($0.prefix(stringLimit)) }
    }
}

extension USBReader.Interface {
    /// Creates an interface in the active configuration from its name in sysfs, such as `1-2:1.0`.
    ///
    /// Returns nil if there is no interface with this name.
    fileprivate init?(named name: String, root: SystemRoot) {
        let folder = "\(USBReader.devicesFolder)/\(name)"
        guard let number = root.attribute("\(folder)/bInterfaceNumber").flatMap({ UInt8($0, radix: 16) }),
            let classCode = root.attribute("\(folder)/bInterfaceClass").flatMap({ UInt8($0, radix: 16) })
        else { return nil }
        self.init(number: number, classCode: classCode, kernelDriver: root.lastName(ofLink: "\(folder)/driver"))
    }
}
