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
    /// What happened and what to do, as a sentence.
    package var description: String {
        switch self {
        case .notInstalled: "pcscd is not installed. Install the package pcscd."
        case .noHandler(let places):
            "The driver libnfctool-ifd.so was not found in \(places.joined(separator: ", ")). Install nfctool again."
        case .tooManyReaders(let limit): "pcscd takes at most \(limit) readers."
        case .system(let operation, let code): "\(operation) failed: \(String(cString: strerror(code)))."
        }
    }
}
