// Why no private pcscd could be started

import Glibc

/// Errors of ``PrivatePCSCDaemon``.
package enum PCSCDaemonError: Error, Hashable, Sendable {
    /// pcscd is not installed.
    case notInstalled
    /// nfctool's driver for pcscd is not where it should be; the places.
    case noHandler(searched: [String])
    /// More readers, slots for SAMs included, than pcscd takes.
    case tooManyReaders(limit: Int)
    /// The system refused something; what, and `errno`.
    case system(String, Int32)
}

extension PCSCDaemonError: CustomStringConvertible {
    /// What happened, as a sentence.
    package var description: String {
        switch self {
        case .notInstalled: "pcscd is not installed."
        case .noHandler(let places):
            "Virtual ISO 15693 tags and PC/SC readers need the driver libnfctool-ifd.so, which is not in \(places.joined(separator: " or "))."
        case .tooManyReaders(let limit): "pcscd takes at most \(limit) readers."
        case .system(let operation, let code): "\(operation) failed: \(String(cString: strerror(code)))."
        }
    }
}
