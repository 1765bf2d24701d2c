// Status bytes in the answers to the In… commands — NXP UM0701-02, error handling

/// The low six bits of a status byte.
enum ChipStatus: UInt8, Error {
    case success = 0x00
    /// The target did not answer.
    case timeout = 0x01
    /// The contactless UART detected a CRC error.
    case crcError = 0x02
    /// The contactless UART detected a parity error.
    case parityError = 0x03
    /// The bit count was wrong during anticollision at 106 kbit/s.
    case bitCountError = 0x04
    /// The contactless UART detected a framing error.
    case framingError = 0x05
    /// A bit collision was detected during anticollision at 106 kbit/s.
    case collision = 0x06
    /// The buffer of the contactless UART overflowed.
    case bufferOverflow = 0x09
    /// The RF protocol was violated.
    case protocolError = 0x0B
    /// An internal buffer overflowed.
    case internalBufferOverflow = 0x0E
    /// A parameter is out of range.
    case invalidParameter = 0x10
    /// The data format does not match the specification, or a MIFARE tag answered with NAK.
    case dataFormat = 0x13
    case authenticationError = 0x14
    /// The check byte of the UID is wrong.
    case checkByteError = 0x23
    case notAllowedInConfiguration = 0x26
    case notAcceptableInContext = 0x27
    /// The initiator released the chip, which was its target.
    case released = 0x29
}
