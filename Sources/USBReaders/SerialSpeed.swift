// The speeds of a PN532's serial line — NXP UM0701-02, SetSerialBaudRate

/// A speed that both a PN532 and Linux's serial ports support.
///
/// The raw value is the speed in bit/s.
public enum SerialSpeed: Int, CaseIterable, Hashable, Sendable {
    /// 9600 bit/s.
    case baud9600 = 9_600
    /// 19200 bit/s.
    case baud19200 = 19_200
    /// 38400 bit/s.
    case baud38400 = 38_400
    /// 57600 bit/s.
    case baud57600 = 57_600
    /// 115200 bit/s.
    case baud115200 = 115_200
    /// 230400 bit/s.
    case baud230400 = 230_400
    /// 460800 bit/s.
    case baud460800 = 460_800
    /// 921600 bit/s.
    case baud921600 = 921_600

    /// The speed of a PN532 after power-up.
    public static let afterPowerUp = SerialSpeed.baud115200
    /// The speeds to which a line can be raised while a reader is open.
    public static let raised: [SerialSpeed] = [.baud230400, .baud460800, .baud921600]
}
