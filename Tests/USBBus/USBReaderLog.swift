// What came to an emulated reader — Tests/USBLauncher/Control.h

/// Counts of an emulated reader since the beginning, and its state.
public struct USBReaderLog: Sendable, Decodable, Hashable {
    /// The model, and the port.
    public let reader: String
    public let port: String
    public let plugged: Bool
    /// The device number; another after each plugging.
    public let device: Int
    /// Openings of the node, and their ends.
    public let opens: Int
    public let closes: Int
    /// Claims of the interface that succeeded, and their ends.
    public let claims: Int
    public let releases: Int
    /// USB resets.
    public let resets: Int
    /// Commands to the reader.
    public let commands: Int
    /// A kernel driver is bound.
    public let driver: Bool
    /// The ACR122U's LED: bit 0 red, bit 1 green.
    public let led: Int
    /// The ACR122U's LED and buzzer commands (`FF 00 40 …`, `FF 00 52 …`), as hex text.
    public let shown: [String]
}
