// The commands and events of an emulated reader — Tests/USBLauncher/Control.h

/// Counts for an emulated reader since the start, and the reader's state.
public struct USBReaderLog: Sendable, Decodable, Hashable {
    /// The model.
    public let reader: String
    /// The port.
    public let port: String
    /// Whether it is plugged in now.
    public let plugged: Bool
    /// The device number, which differs each time that the reader is plugged in.
    public let device: Int
    /// The number of times that the node was opened.
    public let opens: Int
    /// The number of times that the node was closed.
    public let closes: Int
    /// The number of times that the interface was claimed successfully.
    public let claims: Int
    /// The number of times that the interface was released.
    public let releases: Int
    /// The number of USB resets.
    public let resets: Int
    /// The number of commands to the reader.
    public let commands: Int
    /// Whether a kernel driver is bound.
    public let driver: Bool
    /// The ACR122U's LED: bit 0 red, bit 1 green.
    public let led: Int
    /// The ACR122U's LED and buzzer commands (`FF 00 40 …`, `FF 00 52 …`), as hex text.
    public let shown: [String]
}
