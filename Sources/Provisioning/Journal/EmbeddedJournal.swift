// The journal of a plan in a file that one process at a time works with — SQLite, WAL, synchronous=FULL

public import Foundation
import GRDB
import Glibc
import Synchronization

/// A journal in a file.
///
/// A step is on disk when the call that makes it returns. One connection (`DatabaseQueue`) is enough because there is
/// only one writer. Other processes that read have their own connections. Within this process, each call reads or
/// writes only a few pages.
public final class EmbeddedJournal: ProvisionJournal {
    /// The journal's file, without symbolic links.
    public let file: URL
    /// The journal's plan, as read when the journal was opened.
    public let plan: PlanIdentity
    /// The time when the plan was started.
    public let begun: Date

    let queue: DatabaseQueue
    /// The identity of the open file.
    ///
    /// Another file may be at the path by now.
    let identity: FileIdentity
    /// The state of the file when it was copied, or nil if this journal notices changes.
    private let copied: FileState?
    /// Whether only a copy of the journal is read.
    var isCopy: Bool { copied != nil }
    /// The lock on the journal, or nil if the journal was opened for reading.
    let holder: JournalHolder?
    /// The tags that still have to be locked or protected, or nil until the progress of the plan is first requested.
    let seals = Mutex<SealTally?>(nil)
    /// The progress of the plan when it was last read for `activity`, or nil before the first time.
    let watched = Mutex<ProvisionCounts?>(nil)

    init(file: URL, holder: JournalHolder?) throws(JournalError) {
        let path = file.path
        // Read the identity before the file is opened, so that `successor` notices if another file replaces this one in
        // between.
        let identity = try FileIdentity(of: path)
        let (queue, copied) = try holder == nil ? Self.reader(of: file) : (Self.connect(to: file, .work), nil)
        do {
            // GRDB's `read` would end `PRAGMA query_only`.
            (plan, begun) = try queue.unsafeRead { database in
                // In a transaction, both see the same state of the journal.
                try database.execute(sql: "BEGIN DEFERRED TRANSACTION")
                defer { try? database.execute(sql: "COMMIT") }
                try Self.checkTally(in: database, path: path)
                return try Self.plan(in: database, path: path)
            }
        } catch {
            throw JournalError(error, path: path)
        }
        self.file = file
        self.identity = identity
        self.copied = copied
        self.queue = queue
        self.holder = holder
    }

    deinit {
        // Close the connection while this process still has the lock, because closing moves the last steps from the log
        // into the file.
        try? queue.close()
    }

    /// Opens the journal of a plan to continue it.
    ///
    /// No other process can continue it until the returned journal is released.
    ///
    /// - Throws: `held` if another process works with the journal, `missing` if the plan was not started.
    public static func open(_ file: URL) throws(JournalError) -> EmbeddedJournal {
        let file = file.resolvingSymlinksInPath()
        try requireFile(file)
        // SQLite would leave files of this user next to the journal, which would keep its owner from working.
        guard access(file.path, W_OK) == 0 else { throw JournalError(errno: errno, path: file.path) }
        return try EmbeddedJournal(file: file, holder: JournalHolder(of: file.path))
    }

    /// Opens the journal of a plan for reading, even while another process works with it.
    public static func openForReading(_ file: URL) throws(JournalError) -> EmbeddedJournal {
        let file = file.resolvingSymlinksInPath()
        try requireFile(file)
        return try EmbeddedJournal(file: file, holder: nil)
    }

    static func requireFile(_ file: URL) throws(JournalError) { _ = try FileIdentity(of: file.path) }

    /// Returns the journal that replaced this one at its path, opened for reading, or nil if none did or if this
    /// journal is open for work.
    ///
    /// A copy is also replaced if the journal has changed.
    public func successor() throws(JournalError) -> (any ProvisionJournal)? {
        guard holder == nil else { return nil }
        let isReplaced = try FileIdentity(of: path) != identity
        var isStale = false
        if let copied { isStale = try copied != FileState(of: path) }
        return isReplaced || isStale ? try Self.openForReading(file) : nil
    }

    /// What a connection may do.
    enum Access {
        /// Writing steps.
        case work
        /// Reading only. SQLite may create and delete its own files.
        case reading
        /// Reading only. SQLite may create its own files, but cannot delete them.
        case readOnly
    }

    static func connect(
        to file: URL, at place: String? = nil, _ access: Access
    ) throws(JournalError) -> DatabaseQueue {
        let path = file.path
        var configuration = Configuration()
        configuration.readonly = access == .readOnly
        // A process never waits for another one longer than a step or a checkpoint takes.
        configuration.busyMode = .timeout(busySeconds)
        // If a rollback fails on a damaged file, the next step reports an error instead of ending the process.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            if let objection = try JournalSchema.objection(to: database, path: path) { throw objection }
            switch access {
            case .readOnly: return
            case .reading: return try database.execute(sql: "PRAGMA query_only = ON")
            case .work: break
            }
            // Set the mode here instead of with GRDB's setting, which implies synchronous=NORMAL and could lose the
            // last steps.
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw JournalError.unusable(
                    path: path, code: 0,
                    reason: "its folder does not support a write-ahead log (mode \(mode ?? "unknown"))")
            }
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        do {
            return try DatabaseQueue(path: place ?? path, configuration: configuration)
        } catch {
            throw JournalError(error, path: path)
        }
    }

    static func plan(in database: Database, path: String) throws -> (PlanIdentity, Date) {
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

    /// The path of the file.
    public var name: String { file.path }

    var path: String { file.path }

    /// Runs one statement that only reads.
    ///
    /// A single statement sees one state of the journal even without a transaction. To begin and end a transaction
    /// would take longer than the statement.
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
