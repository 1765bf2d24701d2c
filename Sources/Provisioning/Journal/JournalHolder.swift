// The lock that lets one process at a time work with a journal — flock(2)

import Foundation
import Glibc

/// The right to change a journal, held until the value is released or the process ends for any reason.
///
/// The lock is on a separate file next to the journal, because closing any descriptor of the journal itself drops the
/// locks that SQLite has there (POSIX, fcntl(2)). Only the kernel's lock decides who holds the journal. The content of
/// the lock file merely names the holder.
final class JournalHolder: Sendable {
    private let path: String
    private let descriptor: Int32

    init(of journal: String) throws(JournalError) {
        path = journal + ".lock"
        // Another attempt is needed only if a process takes or releases the lock at exactly this moment.
        for _ in 0..<Self.rounds {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw JournalError(errno: errno, path: path) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                // The previous holder may have deleted the file between `open` and `flock`. A lock on a deleted file
                // has no effect.
                if Self.isFile(path, open: descriptor) {
                    Self.sign(descriptor)
                    self.descriptor = descriptor
                    return
                }
                close(descriptor)
                continue
            }
            let code = errno
            let holder = Self.signature(descriptor)
            close(descriptor)
            guard code == EWOULDBLOCK || code == EINTR else { throw JournalError(errno: code, path: path) }
            if let holder { throw .held(path: journal, byProcess: holder.process, command: holder.command) }
            sched_yield()
        }
        throw .held(path: journal, byProcess: nil, command: "")
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    static func isThisProcess(of journal: String) -> Bool {
        let descriptor = open(journal + ".lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return signature(descriptor)?.process == getpid()
    }

    /// Returns the presence of a process at a journal: connected, gone, or lost without deleting its lock file.
    ///
    /// The result depends on the kernel's lock, because the holder's process ID may now belong to another process. A
    /// process that tries to take the journal at this moment finds this function's lock and tries again.
    static func presence(of journal: String) -> StationActivity.Presence {
        let path = journal + ".lock"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        // The lock file of another user cannot be read. It exists only while its process works with the journal, unless
        // that process was killed.
        guard descriptor >= 0 else { return errno == EACCES ? .connected : .left(nil) }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return .connected }
        // A holder that ends normally deletes its file first.
        return isFile(path, open: descriptor) ? .lost : .left(nil)
    }

    private static let rounds = 100
    private static let signatureLimit = 256

    private static func isFile(_ path: String, open descriptor: Int32) -> Bool {
        var own = stat()
        var named = stat()
        return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0
            && own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }

    /// Writes the ID and name of this process to the lock file.
    ///
    /// A full disk may prevent this, which does no harm.
    private static func sign(_ descriptor: Int32) {
        ftruncate(descriptor, 0)
        let text = Array("\(getpid()) \(ProcessInfo.processInfo.processName)\n".utf8.prefix(signatureLimit))
        _ = pwrite(descriptor, text, text.count, 0)
    }

    /// Returns the holder named in the file, or nil if the file names no running process, for example because the
    /// holder has not written its name yet.
    private static func signature(_ descriptor: Int32) -> (process: Int32, command: String)? {
        var bytes = [UInt8](repeating: 0, count: signatureLimit)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, bytes[0] != UInt8(ascii: "\n") else { return nil }
        let words = String(decoding: bytes[..<count], as: UTF8.self)
            .split(separator: "\n", maxSplits: 1)[0].split(separator: " ", maxSplits: 1)
        guard words.count == 2, let process = Int32(words[0]), process > 0 else { return nil }
        guard kill(process, 0) == 0 || errno == EPERM else { return nil }
        return (process, String(words[1]))
    }
}
