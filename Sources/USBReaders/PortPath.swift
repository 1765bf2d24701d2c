// Where a USB device is plugged in — Linux, Documentation/ABI/stable/sysfs-bus-usb: BUS-PORT[.PORT…]

/// The bus and the chain of hub ports a device is plugged into, as sysfs names it: `1-2.3`.
///
/// It stays the same when a device is unplugged and comes back, and tells two readers of one model apart.
public struct PortPath: Hashable, Sendable {
    /// The number of the bus, from 1.
    public let bus: UInt8
    /// The port of the root hub first, each from 1; one to seven of them (USB 2.0, 4.1.1: seven tiers, libusb counts alike).
    public let ports: [UInt8]

    /// The most hub ports between a bus and a device.
    public static let deepest = 7

    /// A path of a bus and ports; nil when there is no such path.
    public init?(bus: UInt8, ports: [UInt8]) {
        guard bus > 0, (1...Self.deepest).contains(ports.count), !ports.contains(0) else { return nil }
        self.bus = bus
        self.ports = ports
    }

    /// The path that sysfs writes so; nil for root hubs (`usb1`), interfaces (`1-2:1.0`) and anything else.
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

    /// Digits only: `UInt8.init` would take "+1", and sysfs writes no zero in front.
    private static func number(_ text: Substring) -> UInt8? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.first != 0x30 else { return nil }
        return UInt8(text)
    }
}

extension PortPath: CustomStringConvertible {
    /// As sysfs writes it: `1-2.3`.
    public var description: String { "\(bus)-" + ports.map(String.init).joined(separator: ".") }
}

extension PortPath: Comparable {
    /// By bus, then by the numbers of the ports: a hub comes before what hangs on it.
    public static func < (one: PortPath, other: PortPath) -> Bool {
        one.bus != other.bus ? one.bus < other.bus : one.ports.lexicographicallyPrecedes(other.ports)
    }
}
