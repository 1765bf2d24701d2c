// Errors from a private pcscd

import Glibc

/// Errors from ``PrivatePCSCDaemon``.
package enum PCSCDaemonError: Error, Hashable, Sendable {
    case notInstalled
    /// The driver for pcscd that belongs to nfctool was not found.
    ///
    /// The value contains the directories that were searched.
    case noHandler(searched: [String])
    /// There are more readers, including slots for SAMs, than pcscd supports.
    ///
    /// The value is the limit.
    case tooManyReaders(limit: Int)
    /// A system call failed.
    ///
    /// The values are the operation and `errno`.
    case system(String, Int32)
}

extension PCSCDaemonError: CustomStringConvertible {
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
