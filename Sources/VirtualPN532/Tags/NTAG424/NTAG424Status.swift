// Status codes of an NTAG 424 DNA — NXP NT4H2421Gx, table 23

/// The status of a wrapped native command.
///
/// It is SW2, and SW1 is `91`.
enum NTAG424Status: UInt8, Error {
    case success = 0x00
    case illegalCommand = 0x1C
    /// A MAC, a CRC or the padding of encrypted data is wrong.
    case integrityError = 0x1E
    case noSuchKey = 0x40
    case lengthError = 0x7E
    /// The status of Read_Sig, according to AN12196, "Originality signature verification".
    ///
    /// Table 23 does not contain it.
    case signature = 0x90
    case permissionDenied = 0x9D
    case parameterError = 0x9E
    /// Too many authentications with the key have failed.
    ///
    /// The key can be used again after a number of answers with this status.
    case authenticationDelay = 0xAD
    case authenticationError = 0xAE
    case additionalFrame = 0xAF
    case boundaryError = 0xBE
    /// A new command arrived before the previous one was complete.
    case commandAborted = 0xCA
    case fileNotFound = 0xF0
}
