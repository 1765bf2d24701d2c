// Serial ports in sysfs — /sys/class/tty; udev's /dev/serial/by-id

extension SerialPort {
    private static let classFolder = "/sys/class/tty"
    /// The beginnings of the names of real ports.
    ///
    /// Consoles and pseudo-terminals have other names.
    private static let beginnings = ["ttyUSB", "ttyACM", "ttyAMA", "ttyS", "ttySC", "ttymxc", "ttyTHS"]

    /// Returns the serial ports with real hardware, except those of readers that libnfc cannot drive.
    static func present(root: SystemRoot, processes: ProcessTable, names: AccountNames) -> [SerialPort] {
        let links = stableLinks(root)
        return root.names(classFolder).compactMap { name in
            guard beginnings.contains(where: { name.hasPrefix($0) }), isReal(name, root) else { return nil }
            let adapter = adapter(of: name, root)
            guard adapter?.model.reason == nil else { return nil }
            let node = "/dev/\(name)"
            return SerialPort(
                node: node, stableNames: links.filter { $0.node == node }.map(\.link), adapter: adapter,
                driver: driver(of: name, root),
                access: NodeAccess(of: node, root: root, names: names), holders: processes.holders(of: node))
        }
    }

    /// Returns the ports in libnfc's settings, such as `pn532_uart:/dev/ttyS0:115200`, that are not in `found`.
    static func named(
        by configuration: LibNFCConfiguration, notAmong found: [SerialPort], root: SystemRoot, processes: ProcessTable,
        names: AccountNames
    ) -> [SerialPort] {
        let known = Set(found.flatMap { [$0.node] + $0.stableNames })
        var named: [SerialPort] = []
        for device in configuration.devices {
            let parts = device.connection.split(separator: ":")
            guard parts.count >= 2, serialDrivers.contains(String(parts[0])), parts[1].hasPrefix("/dev/") else {
                continue
            }
            let link = String(parts[1])
            let node = root.resolved(link) ?? link
            guard !known.contains(node), !named.contains(where: { $0.node == node }) else { continue }
            named.append(
                SerialPort(
                    node: node, stableNames: node == link ? [] : [link],
                    access: NodeAccess(of: node, root: root, names: names), holders: processes.holders(of: node)))
        }
        return named
    }

    /// The libnfc drivers for serial ports.
    private static let serialDrivers: Set<String> = ["pn532_uart", "acr122s", "arygon"]

    /// Whether a port has hardware.
    ///
    /// The kernel also creates ttyS ports for missing chips. The type of such a port is 0, "unknown" (serial_core.h,
    /// PORT_UNKNOWN).
    private static func isReal(_ name: String, _ root: SystemRoot) -> Bool {
        guard root.exists("\(classFolder)/\(name)/device") else { return false }
        return !name.hasPrefix("ttyS") || root.attribute("\(classFolder)/\(name)/type") != "0"
    }

    /// Returns the driver of a port's device or of a device above it, or nil if there is none.
    ///
    /// Newer kernels insert a "port" device and a "ctrl" device in between.
    private static func driver(of name: String, _ root: SystemRoot) -> String? {
        guard var folder = root.resolved("\(classFolder)/\(name)/device")?.split(separator: "/") else { return nil }
        for _ in 0..<3 where !folder.isEmpty {
            let driver = root.lastName(ofLink: "/" + folder.joined(separator: "/") + "/driver")
            if let driver, driver != "port", driver != "ctrl" { return driver }
            folder.removeLast()
        }
        return nil
    }

    /// Returns the USB device among the parent folders of a port, `…/usb1/1-2/1-2:1.0/ttyUSB0`, or nil if there is
    /// none.
    private static func adapter(of name: String, _ root: SystemRoot) -> USBReader? {
        guard let place = root.resolved("\(classFolder)/\(name)/device"),
            let port = place.split(separator: "/").lazy.reversed().compactMap({ PortPath(String($0)) }).first
        else { return nil }
        return USBReader(on: port, names: root.names(USBReader.devicesFolder), root: root) { vendor, product in
            ReaderModel.known(vendor: vendor, product: product)
                ?? ReaderModel(
                    vendor: vendor, product: product,
                    name: root.attribute("\(USBReader.devicesFolder)/\(port)/product") ?? "serial adapter",
                    support: .serialAdapter)
        }
    }

    private static func stableLinks(_ root: SystemRoot) -> [(link: String, node: String)] {
        let byID = root.names("/dev/serial/by-id").map { "/dev/serial/by-id/\($0)" }
        // On Raspberry Pi OS, these are the names of the port on the pin header.
        return (byID + ["/dev/serial0", "/dev/serial1"]).compactMap { link in
            guard root.destination(ofLink: link) != nil, let node = root.resolved(link) else { return nil }
            return (link, node)
        }
    }
}
