// A reader that a back end lists

/// A reader that a back end has found without opening it.
public struct ListedReader: Hashable, Sendable {
    /// How other programs use a reader.
    public enum Use: UInt8, Hashable, Sendable {
        /// No program is connected to a card in the reader.
        case free = 0
        /// A program is connected to the card and shares it.
        case shared = 1
        /// A program has exclusive use of the card.
        case exclusive = 2
    }

    /// The connection string of the reader.
    public let connection: String
    /// How other programs use the reader.
    public let use: Use
    /// The USB device of the reader, or nil if it is not known.
    public let device: USBDevice?

    /// A device on a USB bus.
    public struct USBDevice: Hashable, Sendable {
        /// The bus number.
        public let bus: UInt8
        /// The device number on the bus, which changes each time the device is plugged in.
        public let number: UInt8

        /// Creates the address of a device.
        public init(bus: UInt8, number: UInt8) { (self.bus, self.number) = (bus, number) }
    }

    /// Creates an entry for a reader.
    public init(connection: String, use: Use = .free, device: USBDevice? = nil) {
        (self.connection, self.use, self.device) = (connection, use, device)
    }
}
