// Status bytes of the In… commands — NXP UM0701-02, error handling

/// The low six bits of a status byte.
enum ChipStatus: UInt8, Error {
    case success = 0x00
    /// The target has not answered.
    case timeout = 0x01
    /// A CRC error was detected by the contactless UART.
    case crcError = 0x02
    /// A parity error was detected by the contactless UART.
    case parityError = 0x03
    /// Erroneous bit count during 106 kbit/s anticollision.
    case bitCountError = 0x04
    /// A framing error was detected by the contactless UART.
    case framingError = 0x05
    /// Abnormal bit collision during 106 kbit/s anticollision.
    case collision = 0x06
    /// The contactless UART's buffer overflowed.
    case bufferOverflow = 0x09
    /// RF protocol error.
    case protocolError = 0x0B
    /// An internal buffer overflowed.
    case internalBufferOverflow = 0x0E
    /// A parameter is out of range.
    case invalidParameter = 0x10
    /// The data format does not match the specification; also a MIFARE NAK.
    case dataFormat = 0x13
    case authenticationError = 0x14
    /// The UID's check byte is wrong.
    case checkByteError = 0x23
    case notAllowedInConfiguration = 0x26
    case notAcceptableInContext = 0x27
    /// The chip, as a target, was released by its initiator.
    case released = 0x29
}
