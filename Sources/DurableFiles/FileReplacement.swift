// A file that is written next to its destination and moved there in one step — POSIX fsync, rename; flock(2)

package import Foundation
import Glibc
import Hexadecimal
package import SystemPackage

/// New content for a file, written in pieces.
///
/// Other processes see the old file until ``commit()``, and the complete new one after it. Without a commit, no file is
/// left behind and the old file is unchanged. Only a killed process leaves a file, for ``removeAbandoned(_:)``.
package final class FileReplacement {
    private let place: URL
    private let temporary: String
    private let descriptor: Int32
    private var isCommitted = false

    /// Opens a file next to the destination, with a suffix added to its name.
    ///
    /// An existing file with that name is overwritten.
    ///
    /// The umask of the process limits the permissions. A symbolic link with that name is not followed: opening it
    /// throws ELOOP.
    package init(of place: URL, suffix: String, permissions: mode_t) throws(Errno) {
        self.place = place
        temporary = place.path + suffix
        descriptor = try Self.openLocked(temporary, permissions)
    }

    /// Opens a file, and locks it until it is closed, so that no other process takes it for an abandoned one.
    private static func openLocked(_ path: String, _ permissions: mode_t) throws(Errno) -> Int32 {
        while true {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, permissions)
            guard descriptor >= 0 else { throw Errno.last }
            // Without locks, for example on some network file systems, abandoned files stay.
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            var status = stat()
            // Another process may have removed the file before the lock.
            if fstat(descriptor, &status) != 0 || status.st_nlink > 0 { return descriptor }
            close(descriptor)
        }
    }

    /// Returns a suffix such as `.5A01C3F7.new`, so that two processes that write the same file use different temporary
    /// names.
    package static func newSuffix() -> String { ".\(UInt32.random(in: 0 ... .max).hex)\(ending)" }

    private static let ending = ".new"

    /// Returns the name of the file that a file with this name was to replace, such as `04A1.json` for
    /// `04A1.json.5A01C3F7.new`.
    ///
    /// Returns nil if the name does not end as those with a ``newSuffix()``.
    package static func destination(ofTemporary name: String) -> String? {
        let digits = name.dropLast(ending.count).suffix(2 * MemoryLayout<UInt32>.size)
        guard name.hasSuffix(ending), let number = UInt32(digits, radix: 16),
            name.hasSuffix(".\(number.hex)\(ending)")
        else { return nil }
        return String(name.dropLast(1 + digits.count + ending.count))
    }

    /// Deletes the incomplete file of a killed process.
    ///
    /// Does nothing if the file does not exist, or if a process is still writing it.
    package static func removeAbandoned(_ file: URL) throws(Errno) {
        let descriptor = open(file.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw Errno.last
        }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try DurableFile.drop(file) }
    }

    package func append(_ bytes: [UInt8]) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Errno.last }
            written += count
        }
    }

    /// Synchronises the bytes with the disk, without moving the file to its destination.
    package func synchronize() throws(Errno) {
        guard fsync(descriptor) == 0 else { throw Errno.last }
    }

    /// Moves the file to its destination, and synchronises both it and its folder.
    ///
    /// - Parameter replacing: whether a file that already exists there may be replaced.
    /// - Throws: EEXIST if a file exists that may not be replaced, in which case that file is kept. Otherwise, the
    ///   error of the failed system call.
    package func commit(replacing: Bool = true) throws(Errno) {
        try synchronize()
        let isLinked = try replacing ? false : link()
        if !isLinked {
            guard rename(temporary, place.path) == 0 else { throw Errno.last }
            isCommitted = true
        }
        try DurableFile.synchronize(place.deletingLastPathComponent())
    }

    /// Links the file to its destination, which must not exist.
    ///
    /// Returns false on file systems without hard links.
    private func link() throws(Errno) -> Bool {
        if Glibc.link(temporary, place.path) == 0 { return true }
        guard errno != EEXIST, access(place.path, F_OK) != 0 else { throw Errno.fileExists }
        return false
    }

    deinit {
        close(descriptor)
        if !isCommitted { unlink(temporary) }
    }
}

extension Errno {
    /// The error of this thread's last system call.
    static var last: Errno { Errno(rawValue: errno) }
}
