// Reading a journal without hindering the process that works with it — https://www.sqlite.org/wal.html

import Foundation
import GRDB
import Glibc

extension EmbeddedJournal {
    /// Opens a connection that only reads, and leaves no files next to the journal.
    ///
    /// SQLite creates files -wal and -shm next to a journal even for reading, and files of another user would keep the
    /// journal's owner from working. Therefore only the owner's connections are to the journal itself. Anyone else reads
    /// a copy. `copied` is the state of the journal that was copied, or nil if the connection notices changes.
    static func reader(of file: URL) throws(JournalError) -> (DatabaseQueue, copied: FileState?) {
        guard access(file.path, R_OK) == 0 else { throw JournalError(errno: errno, path: file.path) }
        let owner = try FileIdentity.status(of: file.path).st_uid
        let isOwner = geteuid() == 0 || geteuid() == owner
        if isOwner, access(file.path, W_OK) == 0, access(file.deletingLastPathComponent().path, W_OK) == 0 {
            return (try connect(to: file, .reading), nil)
        }
        // To copy the journal would drop the locks that SQLite holds in this process.
        guard !JournalHolder.isThisProcess(of: file.path) else { return (try connect(to: file, .readOnly), nil) }
        let copy = try JournalCopy(of: file)
        // SQLite opens the files of the copy now. They can be deleted afterwards.
        return (try connect(to: file, at: copy.path, .reading), copy.state)
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
        if !hasSteps(file.path + "-wal") {
            let result = Result { try immutable(file)?.read { try body($0, file.path) } }
            if try FileState(of: file.path) == state, let found = try value(result, path: file.path) { return found }
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

/// The sizes of a journal and its log, and the times of their last changes.
struct FileState: Equatable {
    /// The size, and the time of the last change in seconds and nanoseconds.
    let journal: [Int]
    /// Empty if there is no log.
    private let log: [Int]

    /// - Throws: `missing` if the journal does not exist.
    init(of path: String) throws(JournalError) {
        journal = Self.numbers(try FileIdentity.status(of: path))
        log = (try? FileIdentity.status(of: path + "-wal")).map(Self.numbers) ?? []
    }

    private static func numbers(_ status: stat) -> [Int] {
        [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
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
