// Status codes of an NTAG 424 DNA — NXP NT4H2421Gx, table 23

/// The status of a wrapped native command: SW2 after SW1 = `91`.
enum NTAG424Status: UInt8, Error {
    case success = 0x00
    /// The command code is not supported.
    case illegalCommand = 0x1C
    /// A MAC, a CRC or the padding of encrypted data is wrong.
    case integrityError = 0x1E
    case noSuchKey = 0x40
    case lengthError = 0x7E
    /// The status of Read_Sig: AN12196, "Originality signature verification".
    ///
    /// It is missing from table 23.
    case signature = 0x90
    case permissionDenied = 0x9D
    case parameterError = 0x9E
    /// Too many authentications failed.
    ///
    /// The key can be used again after more answers with this status.
    case authenticationDelay = 0xAD
    case authenticationError = 0xAE
    case additionalFrame = 0xAF
    /// The data would be outside the file.
    case boundaryError = 0xBE
    /// A new command arrived before the previous one was complete.
    case commandAborted = 0xCA
    case fileNotFound = 0xF0
}
