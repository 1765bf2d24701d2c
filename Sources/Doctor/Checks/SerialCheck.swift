// Serial adapters to which a PN532 may be connected. Users must name them, because only commands show what is connected

import USBReaders

extension Diagnosis {
    /// Checks for adapters that no command finds automatically.
    ///
    /// Nil if there are none.
    var serialPorts: Examination? {
        let named = subjects.compactMap { subject -> String? in
            if case .serial(let port) = subject.place { port.node } else { nil }
        }
        let ports = survey.serialPorts.filter { $0.adapter != nil && !named.contains($0.node) }
        guard wanted == nil, let first = ports.first else { return nil }
        let list = ports.map { "\($0.adapter?.model.name ?? "adapter") on \($0.node)" }.joined(separator: ", ")
        guard subjects.isEmpty else {
            return .ok(
                .serial, "\(list); for a PN532 on \(first.node), use --reader \(first.connection)",
                facts: facts(of: ports))
        }
        return .warning(
            .serial, list,
            Remedy(
                cause:
                    "To find out whether a PN532 is connected, nfctool must send commands, which could disturb another "
                    + "device.",
                steps: [.nfctool(["read", "--reader", first.connection])]),
            facts: facts(of: ports))
    }

    /// The remedy for a connected adapter without a serial port, or nil if each adapter has one.
    var portlessAdapter: Remedy? {
        guard let adapter = survey.portlessAdapters.first else { return nil }
        let cause = "The serial adapter \(adapter.model.name) on usb:\(adapter.port) has no serial port: "
        if let module = Self.module(of: adapter), !adapter.isClaimedByProgram,
            !system.modules.loaded.contains(where: { $0.name == module })
        {
            return Remedy(
                cause: cause + "the kernel's driver for it is not loaded.", steps: [.root("modprobe", module)])
        }
        return Remedy(
            cause: cause
                + "a program, such as brltty, has taken the adapter from its driver to look for braille displays.",
            steps: [.root("systemctl", "mask", "--now", "brltty-udev.service", "brltty.service")],
            note: "Do this only if no braille display is in use. Then plug the adapter in again.", isAutomatic: false)
    }

    /// Returns the kernel driver for an adapter, according to its vendor, or nil if the driver is not known — Linux,
    /// drivers/usb/serial.
    private static func module(of adapter: USBReader) -> String? {
        switch adapter.model.vendor {
        case 0x10C4: "cp210x"
        case 0x1A86: "ch341"
        case 0x0403: "ftdi_sio"
        case 0x067B: "pl2303"
        default: nil
        }
    }

    private func facts(of ports: [SerialPort]) -> [String: Fact] {
        ["connections": .list(ports.map(\.connection))]
    }
}
