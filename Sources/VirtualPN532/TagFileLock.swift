// The lock that reserves a tag file for one virtual reader — flock(2), /proc/locks

import Glibc
import Synchronization

/// The lock on a tag file, which is held until this object is released or the process ends.
///
/// Each save replaces the file, so the lock moves from the old file to the new one; see ``take(over:)``.
final class TagFileLock: Sendable {
    private let descriptor: Mutex<CInt>

    private init(_ descriptor: CInt) { self.descriptor = Mutex(descriptor) }

    deinit { descriptor.withLock { _ = close($0) } }

    /// The properties that distinguish a file from one that replaced it.
    struct Identity: Hashable {
        let device, inode: UInt64
        let seconds, nanoseconds: Int

        init(_ status: stat) {
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }

        init?(path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }
    }

    /// Locks a file if it is still the one that was read.
    ///
    /// - Throws: ``VirtualReaderError/fileInUse(path:holder:)`` if the file is locked, or if another program has
    ///   changed it since it was read; ``VirtualReaderError/fileInaccessible(path:_:)``.
    static func lock(_ path: String, as identity: Identity) throws(VirtualReaderError) -> TagFileLock {
        for attempt in 1...attempts {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw .fileInaccessible(path: path, errno) }
            // If the file system does not support locks, the file stays unprotected.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK {
                let lock = TagFileLock(descriptor)
                guard Identity(path: path) == identity else { throw .fileInUse(path: path, holder: nil) }
                return lock
            }
            close(descriptor)
            // The present holder may be about to exit.
            if attempt < attempts { usleep(10_000) }
        }
        throw .fileInUse(path: path, holder: holder(of: path))
    }

    private static let attempts = 20

    /// Moves the lock to `replacement`, the descriptor of the file that replaced the locked one.
    ///
    /// The new file must already be locked.
    func take(over replacement: CInt) {
        descriptor.withLock { descriptor in
            close(descriptor)
            descriptor = replacement
        }
    }

    /// Returns the lock's holder, for example `nfctool (process 4711)`, or nil if it cannot be determined.
    private static func holder(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, let locks = text(of: "/proc/locks") else { return nil }
        for line in locks.split(separator: "\n") {
            // An example: `1: FLOCK  ADVISORY  WRITE 4711 00:06:355 0 EOF`
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", words[5].hasSuffix(":\(status.st_ino)"),
                let process = Int32(words[4]), process > 0
            else { continue }
            let name = text(of: "/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
            return "\(name ?? "a program") (process \(process))"
        }
        return nil
    }

    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
