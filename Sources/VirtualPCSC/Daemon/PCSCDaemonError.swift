// Errors from starting a private pcscd

import Glibc

/// Errors of ``PrivatePCSCDaemon``.
package enum PCSCDaemonError: Error, Hashable, Sendable {
    /// pcscd is not installed.
    case notInstalled
    /// nfctool's driver for pcscd was not found.
    ///
    /// The value lists the directories that were searched.
    case noHandler(searched: [String])
    /// There are more readers, including slots for SAMs, than pcscd supports. The value is the limit.
    case tooManyReaders(limit: Int)
    /// A system call failed.
    ///
    /// The values are the operation and `errno`.
    case system(String, Int32)
}

extension PCSCDaemonError: CustomStringConvertible {
    /// The error as a sentence.
    package var description: String {
        switch self {
        case .notInstalled: "pcscd is not installed."
        case .noHandler(let places):
            "Virtual ISO 15693 tags and PC/SC readers need the driver libnfctool-ifd.so, which is not in \(places.joined(separator: " or "))."
        case .tooManyReaders(let limit): "pcscd supports at most \(limit) readers, including slots for SAMs."
        case .system(let operation, let code): "\(operation) failed: \(String(cString: strerror(code)))."
        }
    }
}
