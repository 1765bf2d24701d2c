// A file written beside its place and put there in one step — POSIX fsync, rename

package import Foundation
import Glibc
import Hexadecimal
package import SystemPackage

/// A new content for a file, in pieces: whoever opens the file sees the old one until ``commit()``, then all of the new.
///
/// What is not committed leaves nothing behind, and the old file as it was.
package final class FileReplacement {
    private let place: URL
    private let temporary: String
    private let descriptor: Int32
    private var isCommitted = false

    /// Opens a file next to the place, named as it with a suffix; what is there under that name is overwritten.
    ///
    /// The umask of the process limits the permissions. A symbolic link under that name is not followed: it throws
    /// ELOOP.
    package init(of place: URL, suffix: String, permissions: mode_t) throws(Errno) {
        self.place = place
        temporary = place.path + suffix
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, permissions)
        guard descriptor >= 0 else { throw Errno.last }
    }

    /// A suffix such as `.5A01C3F7.new`: two processes that write one file do so under names of their own.
    package static func newSuffix() -> String { ".\(UInt32.random(in: 0 ... .max).hex).new" }

    /// Writes the next bytes.
    package func append(_ bytes: [UInt8]) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Errno.last }
            written += count
        }
    }

    /// Puts the file in its place, and both it and its folder on the disk.
    ///
    /// - Parameter replacing: whether a file that is there by now may be replaced.
    /// - Throws: EEXIST when a file is there that may not be replaced, which then stays; the error of the system call
    ///   otherwise.
    package func commit(replacing: Bool = true) throws(Errno) {
        guard fsync(descriptor) == 0 else { throw Errno.last }
        let isLinked = try replacing ? false : link()
        if !isLinked {
            guard rename(temporary, place.path) == 0 else { throw Errno.last }
            isCommitted = true
        }
        try DurableFile.synchronize(place.deletingLastPathComponent())
    }

    /// Gives the file its name as a second one, which fails where that is taken; false on file systems without such links.
    private func link() throws(Errno) -> Bool {
        if Glibc.link(temporary, place.path) == 0 { return true }
        guard errno != EEXIST, access(place.path, F_OK) != 0 else { throw Errno.fileExists }
        return false
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if !isCommitted { unlink(temporary) }
    }
}

extension Errno {
    /// Why the last system call of this thread failed.
    static var last: Errno { Errno(rawValue: errno) }
}
