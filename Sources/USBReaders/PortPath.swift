// The location of a USB device — Linux, Documentation/ABI/stable/sysfs-bus-usb: BUS-PORT[.PORT…]

/// The bus and the chain of hub ports to which a device is connected, in the format of sysfs: `1-2.3`.
///
/// The path stays the same when a device is unplugged and plugged in again at the same port. It distinguishes two
/// readers of the same model.
public struct PortPath: Hashable, Sendable {
    /// The bus number, starting at 1.
    public let bus: UInt8
    /// The port numbers, starting with that of the root hub.
    ///
    /// Each number is at least 1.
    ///
    /// There are one to seven numbers (USB 2.0, 4.1.1: seven tiers; libusb has the same limit).
    public let ports: [UInt8]

    /// The maximum number of ports between a bus and a device.
    public static let deepest = 7

    /// Creates a path from a bus number and port numbers.
    ///
    /// Returns nil if the numbers are not valid.
    public init?(bus: UInt8, ports: [UInt8]) {
        guard bus > 0, (1...Self.deepest).contains(ports.count), !ports.contains(0) else { return nil }
        self.bus = bus
        self.ports = ports
    }

    /// Parses a path in the format of sysfs.
    ///
    /// Returns nil for root hubs (`usb1`), interfaces (`1-2:1.0`) and any other text.
    public init?(_ text: String) {
        guard text.utf8.count <= 4 * (Self.deepest + 1) else { return nil }
        let halves = text.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, let bus = Self.number(halves[0]) else { return nil }
        var ports: [UInt8] = []
        for part in halves[1].split(separator: ".", omittingEmptySubsequences: false) {
            guard let port = Self.number(part) else { return nil }
            ports.append(port)
        }
        self.init(bus: bus, ports: ports)
    }

    /// Parses a number that consists only of digits, without a leading zero.
    ///
    /// Returns nil for any other text.
    ///
    /// `UInt8.init` would also accept "+1", and sysfs writes no leading zeros.
    private static func number(_ text: Substring) -> UInt8? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.first != 0x30 else { return nil }
        return UInt8(text)
    }
}

extension PortPath: CustomStringConvertible {
    /// The path in the format of sysfs, for example `1-2.3`.
    public var description: String { "\(bus)-" + ports.map(String.init).joined(separator: ".") }
}

extension PortPath: Comparable {
    /// Compares the buses, and then the port numbers.
    ///
    /// A hub therefore comes before the devices that are connected to it.
    public static func < (one: PortPath, other: PortPath) -> Bool {
        one.bus != other.bus ? one.bus < other.bus : one.ports.lexicographicallyPrecedes(other.ports)
    }
}
