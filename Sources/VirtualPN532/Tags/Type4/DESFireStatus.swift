// Status codes of a MIFARE DESFire — NXP MF3ICDx21_41_81, "Command set", status and error codes

/// The status code of a command.
///
/// In wrapped answers, the code follows `91`.
enum DESFireStatus: UInt8, Error {
    case success = 0x00
    case outOfMemory = 0x0E
    case illegalCommand = 0x1C
    /// The CRC or the padding of enciphered data is wrong.
    case integrityError = 0x1E
    case noSuchKey = 0x40
    case lengthError = 0x7E
    case permissionDenied = 0x9D
    case parameterError = 0x9E
    case applicationNotFound = 0xA0
    case authenticationError = 0xAE
    /// More frames follow, from the card or from the reader.
    case additionalFrame = 0xAF
    case boundaryError = 0xBE
    /// There would be more than 28 applications.
    case countError = 0xCE
    case duplicate = 0xDE
    case fileNotFound = 0xF0
}
