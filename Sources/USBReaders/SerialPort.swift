// A serial port that may have a PN532 behind it

/// A serial port of this machine.
public struct SerialPort: Hashable, Sendable {
    /// The device node: `/dev/ttyUSB0`.
    public let node: String
    /// The links that lead to it and stay the same, like those in `/dev/serial/by-id`.
    public let stableNames: [String]
    /// The USB adapter it is on; nil for a port of the board itself.
    public let adapter: USBReader?
    /// The kernel's driver, like `cp210x` and `uart-pl011`.
    public let driver: String?
    /// Whether this user may use it.
    public let access: NodeAccess
    /// Who has it open.
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
