// A serial port to which a PN532 may be connected

/// A serial port of this machine.
public struct SerialPort: Hashable, Sendable {
    /// The path of the device node, for example `/dev/ttyUSB0`.
    public let node: String
    /// The links to the node whose names stay the same, such as those in `/dev/serial/by-id`.
    public let stableNames: [String]
    /// The USB adapter that provides the port; nil for a port of the board itself.
    public let adapter: USBReader?
    /// The kernel driver, such as `cp210x` or `uart-pl011`; nil if there is none.
    public let driver: String?
    /// Whether this user may use the port.
    public let access: NodeAccess
    /// The processes that have the port open.
    public let holders: NodeHolders

    /// Creates a port.
    public init(
        node: String, stableNames: [String] = [], adapter: USBReader? = nil, driver: String? = nil, access: NodeAccess,
        holders: NodeHolders = NodeHolders()
    ) {
        self.node = node
        self.stableNames = stableNames
        self.adapter = adapter
        self.driver = driver
        self.access = access
        self.holders = holders
    }
}
