// Reading a journal without hindering the process that works with it — https://www.sqlite.org/wal.html

import Foundation
import GRDB
import Glibc

extension EmbeddedJournal {
    /// Opens a connection that only reads, and leaves no files next to the journal.
    ///
    /// SQLite deletes its files -wal and -shm only at the end of a connection that may write, and files of another user
    /// would keep the journal's owner from working. Therefore only the owner's connections may create these files. For
    /// anyone else, the connection is to a copy of the journal, unless a process works with the journal. `copied` is
    /// the state of the journal that was copied, or nil if the connection notices changes.
    static func reader(of file: URL) throws(JournalError) -> (DatabaseQueue, copied: FileState?) {
        guard access(file.path, R_OK) == 0 else { throw JournalError(errno: errno, path: file.path) }
        let owner = try FileIdentity.status(of: file.path).st_uid
        let isOwner = geteuid() == 0 || geteuid() == owner
        if isOwner, access(file.path, W_OK) == 0, access(file.deletingLastPathComponent().path, W_OK) == 0 {
            return (try connect(to: file, .reading), nil)
        }
        if let (queue, state) = try copy(of: file) { return (queue, state) }
        return (try connect(to: file, .readOnly), nil)
    }

    private static let attempts = 5

    /// Copies a journal and opens the copy, which is deleted at once.
    ///
    /// The result is nil if a process works with the journal, or if SQLite was built without support for URIs.
    private static func copy(of file: URL) throws(JournalError) -> (DatabaseQueue, FileState)? {
        for _ in 0..<attempts {
            let state = try FileState(of: file.path)
            guard !state.hasLog else { return nil }
            let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-journal-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            let copy = folder.appending(path: file.lastPathComponent)
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                try FileManager.default.copyItem(at: file, to: copy)
            } catch {
                throw .unusable(path: file.path, code: 0, reason: "it cannot be copied to \(folder.path): \(error)")
            }
            guard try FileState(of: file.path) == state else { continue }
            return try immutable(copy).map { ($0, state) }
        }
        return nil
    }

    /// Opens a file that does not change, or returns nil if SQLite was built without support for URIs.
    private static func immutable(_ file: URL) throws(JournalError) -> DatabaseQueue? {
        do throws(JournalError) {
            // https://www.sqlite.org/uri.html, immutable
            return try connect(to: file, at: file.absoluteString + "?immutable=1", .readOnly)
        } catch {
            // SQLITE_CANTOPEN
            guard case .unusable(_, 14, _) = error else { throw error }
            return nil
        }
    }

    /// Reads the plan and the counts of a journal, without comparing the counts with the rows.
    static func glance(at file: URL) throws(JournalError) -> (plan: PlanIdentity, counts: [RowState: Int]) {
        try glance(at: file) { database, path in
            (plan: try Self.plan(in: database, path: path).0, counts: try Self.tally(in: database, path: path))
        }
    }

    /// Opens a journal for a short look, and passes the connection and the path for errors to a closure.
    ///
    /// If no process works with the journal, it is opened as immutable, which leaves no files next to it. If a process
    /// began to work with it in the meantime, it is read again.
    static func glance<Value>(
        at file: URL, _ body: (Database, _ path: String) throws -> Value
    ) throws(JournalError) -> Value {
        let file = file.resolvingSymlinksInPath()
        let state = try FileState(of: file.path)
        if !hasSteps(file.path + "-wal"), let queue = try immutable(file) {
            let result = Result { try queue.read { try body($0, file.path) } }
            if try FileState(of: file.path) == state { return try Self.value(result, path: file.path) }
        }
        let (queue, _) = try reader(of: file)
        return try value(Result { try queue.read { try body($0, file.path) } }, path: file.path)
    }

    private static func value<Value>(
        _ result: Result<Value, any Error>, path: String
    ) throws(JournalError) -> Value {
        do { return try result.get() } catch { throw JournalError(error, path: path) }
    }
}

/// The size of a journal, the time of its last change, and whether it has a log.
struct FileState: Equatable {
    private let (size, seconds, nanoseconds): (off_t, Int, Int)
    /// Whether a write-ahead log exists, so that a process may be working with the journal.
    let hasLog: Bool

    /// - Throws: `missing` if the file does not exist.
    init(of path: String) throws(JournalError) {
        let status = try FileIdentity.status(of: path)
        (size, seconds, nanoseconds) = (status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        hasLog = access(path + "-wal", F_OK) == 0
    }
}

/// The device and inode numbers of the file at a path.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// - Throws: `missing` if the file does not exist.
    init(of path: String) throws(JournalError) {
        let status = try Self.status(of: path)
        (device, number) = (status.st_dev, status.st_ino)
    }

    static func status(of path: String) throws(JournalError) -> stat {
        // Do not use `open`: closing its descriptor would drop the locks that SQLite holds in this process.
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { throw .missing(path: path) }
            throw JournalError(errno: errno, path: path)
        }
        return status
    }
}
