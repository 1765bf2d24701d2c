// The speeds of the HSU interface — NXP UM0701-02, SetSerialBaudRate

import Glibc

/// A speed of the serial line.
///
/// The raw value is its code in SetSerialBaudRate.
enum LineSpeed: UInt8, CaseIterable {
    case baud9600, baud19200, baud38400, baud57600, baud115200, baud230400, baud460800, baud921600, baud1288000

    static let afterReset = LineSpeed.baud115200

    var bitsPerSecond: Int {
        switch self {
        case .baud9600: 9_600
        case .baud19200: 19_200
        case .baud38400: 38_400
        case .baud57600: 57_600
        case .baud115200: 115_200
        case .baud230400: 230_400
        case .baud460800: 460_800
        case .baud921600: 921_600
        case .baud1288000: 1_288_000
        }
    }

    /// The time that `count` bytes take on the line.
    ///
    /// Each byte has a start bit, eight data bits and a stop bit.
    func time(ofBytes count: Int) -> Duration { .nanoseconds(count * 10 * 1_000_000_000 / bitsPerSecond) }

    private static let settings: [(CInt, LineSpeed)] = [
        (B9600, .baud9600), (B19200, .baud19200), (B38400, .baud38400), (B57600, .baud57600),
        (B115200, .baud115200), (B230400, .baud230400), (B460800, .baud460800), (B921600, .baud921600),
    ]

    /// Returns the speed that a program has set on a terminal, or nil if the chip does not support that speed.
    ///
    /// The descriptor may be that of the master side of a pseudo-terminal.
    static func ofTerminal(_ terminal: Int32) -> LineSpeed? {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return nil }
        let setting = cfgetospeed(&settings)
        return Self.settings.first { speed_t($0.0) == setting }?.1
    }

    /// Returns the bytes that arrive at the other end if the two ends have different speeds.
    ///
    /// The result does not contain the start code `00 FF` of a frame.
    static func garbage(of bytes: [UInt8]) -> [UInt8] { bytes.map { ($0 ^ 0xA5) & 0x7E | 0x80 } }
}
