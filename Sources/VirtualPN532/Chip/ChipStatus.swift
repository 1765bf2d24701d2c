// Status bytes in the answers to the In… commands — NXP UM0701-02, error handling

/// The low six bits of a status byte.
enum ChipStatus: UInt8, Error {
    case success = 0x00
    case timeout = 0x01
    case crcError = 0x02
    case parityError = 0x03
    /// The bit count was wrong during anticollision at 106 kbit/s.
    case bitCountError = 0x04
    case framingError = 0x05
    /// A bit collision was detected during anticollision at 106 kbit/s.
    case collision = 0x06
    case bufferOverflow = 0x09
    case protocolError = 0x0B
    case internalBufferOverflow = 0x0E
    case invalidParameter = 0x10
    /// The data format does not match the specification, or a MIFARE tag answered with NAK.
    case dataFormat = 0x13
    case authenticationError = 0x14
    case checkByteError = 0x23
    case notAllowedInConfiguration = 0x26
    case notAcceptableInContext = 0x27
    /// The initiator released the chip, which was its target.
    case released = 0x29
}
