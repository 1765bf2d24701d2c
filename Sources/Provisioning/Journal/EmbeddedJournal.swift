// The journal of a plan in a file, which one process at a time works with — SQLite, WAL, synchronous=FULL

public import Foundation
import GRDB
import Glibc
import Synchronization

/// A journal in a file; what a call confirms is on the disk.
///
/// One connection (`DatabaseQueue`) is enough, since there is one writer: readers of other processes have connections
/// of their own, and within this process each call is a few pages long.
public final class EmbeddedJournal: ProvisionJournal {
    /// The journal's file, without symbolic links.
    public let file: URL
    /// The plan it belongs to, as the journal was opened.
    public let plan: PlanIdentity
    /// When the plan was begun.
    public let begun: Date

    let queue: DatabaseQueue
    /// The file that is open, whatever has its name by now.
    private let identity: FileIdentity
    /// Nil when the journal is only read.
    let holder: JournalHolder?
    /// Nil until the progress of the plan is requested.
    let seals = Mutex<SealTally?>(nil)
    /// How far the plan was when it was looked at the last time.
    let watched = Mutex<ProvisionCounts?>(nil)

    init(file: URL, holder: JournalHolder?) throws(JournalError) {
        let path = file.path
        // Before it is opened: a file that takes its place in between is found by `successor`.
        let identity = try FileIdentity(of: path)
        let queue = try Self.connect(to: file, isReadOnly: holder == nil)
        do {
            (plan, begun) = try queue.read { database in
                try Self.checkTally(in: database, path: path)
                return try Self.plan(in: database, path: path)
            }
        } catch {
            throw JournalError(error, path: path)
        }
        self.file = file
        self.identity = identity
        self.queue = queue
        self.holder = holder
    }

    deinit {
        // The last steps go from the log into the file while no other process can open the journal.
        try? queue.close()
    }

    /// Opens the journal of a plan to continue it; no other process can until the value is released.
    ///
    /// - Throws: `held` when another process works with it, `missing` when the plan was not begun.
    public static func open(_ file: URL) throws(JournalError) -> EmbeddedJournal {
        let file = file.resolvingSymlinksInPath()
        try requireFile(file)
        return try EmbeddedJournal(file: file, holder: JournalHolder(of: file.path))
    }

    /// Opens the journal of a plan to look at it, also while another process works with it.
    public static func openForReading(_ file: URL) throws(JournalError) -> EmbeddedJournal {
        let file = file.resolvingSymlinksInPath()
        try requireFile(file)
        return try EmbeddedJournal(file: file, holder: nil)
    }

    private static func requireFile(_ file: URL) throws(JournalError) { _ = try FileIdentity(of: file.path) }

    /// The journal that has this one's name by now, opened for reading; nil while that is this one, and for whoever works
    /// with it.
    public func successor() throws(JournalError) -> (any ProvisionJournal)? {
        guard holder == nil, try FileIdentity(of: path) != identity else { return nil }
        return try Self.openForReading(file)
    }

    private static func connect(to file: URL, isReadOnly: Bool) throws(JournalError) -> DatabaseQueue {
        let path = file.path
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        // Two processes meet for the length of a step, or of a checkpoint at the most.
        configuration.busyMode = .timeout(busySeconds)
        // A rollback that fails on a damaged file is an error of the next step, not the end of the process.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            if let objection = try JournalSchema.objection(to: database, path: path) { throw objection }
            guard !isReadOnly else { return }
            // Said here and not by GRDB's own setting, which stands for NORMAL: the last steps may then be lost.
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw JournalError.unusable(
                    path: path, code: 0,
                    reason: "its folder does not support a write-ahead log (mode \(mode ?? "unknown"))")
            }
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw JournalError(error, path: path)
        }
    }

    private static func plan(in database: Database, path: String) throws -> (PlanIdentity, Date) {
        guard
            let stored = try Row.fetchOne(database, sql: "SELECT file, sha256, recipe, begun FROM plan"),
            case let values = Array(stored.databaseValues), values.count == 4,
            let file = String.fromDatabaseValue(values[0]), let sha256 = String.fromDatabaseValue(values[1]),
            let identity = String.fromDatabaseValue(values[2]).flatMap({
                PlanIdentity(file: file, sha256: sha256, journalText: $0)
            }),
            let begun = String.fromDatabaseValue(values[3]).flatMap(JournalText.time)
        else { throw JournalError.damaged(path: path, code: 0, reason: "it does not say which plan it belongs to") }
        return (identity, begun)
    }

    private static let busySeconds = 10.0

    /// The path of its file.
    public var name: String { file.path }

    var path: String { file.path }

    /// Runs one statement that only reads: that sees one state of the journal without a transaction of its own, the beginning
    /// and end of which take longer than it.
    func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        do {
            return try queue.unsafeRead(body)
        } catch {
            throw JournalError(error, path: path)
        }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        do {
            return try queue.write(body)
        } catch {
            throw JournalError(error, path: path)
        }
    }
}

/// Which file has a name now.
private struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// - Throws: `missing`.
    init(of path: String) throws(JournalError) {
        // Not `open`: closing a descriptor would drop the locks SQLite holds in this process.
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { throw .missing(path: path) }
            throw JournalError(errno: errno, path: path)
        }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
