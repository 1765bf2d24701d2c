// A reader as a back end lists it

/// A reader that a back end can open, found without opening it.
public struct ListedReader: Hashable, Sendable {
    /// Whether other programs work with it.
    public enum Use: UInt8, Hashable, Sendable {
        /// No program is connected to a card in it.
        case free = 0
        /// A program is connected to the card, and shares it.
        case shared = 1
        /// A program has the card to itself.
        case exclusive = 2
    }

    /// Its connection string.
    public let connection: String
    /// Whether other programs work with it.
    public let use: Use
    /// The USB bus and the number of the device on it, where they are known.
    public let device: USBDevice?

    /// A device on a USB bus.
    public struct USBDevice: Hashable, Sendable {
        /// The number of the bus.
        public let bus: UInt8
        /// The number of the device on it, another one after each plug-in.
        public let number: UInt8

        /// Names a device.
        public init(bus: UInt8, number: UInt8) { (self.bus, self.number) = (bus, number) }
    }

    /// Lists a reader.
    public init(connection: String, use: Use = .free, device: USBDevice? = nil) {
        (self.connection, self.use, self.device) = (connection, use, device)
    }
}
