// Creates a journal's file with all rows of the plan. If this fails, no file is left

public import Foundation
import GRDB
import Glibc

extension EmbeddedJournal {
    /// Creates the journal of a plan, and opens it for work.
    ///
    /// Afterwards, the journal is complete and on disk, or it does not exist. The file is built next to its final path,
    /// synchronised and renamed. If the process is killed before the file is renamed, the unfinished file cannot be
    /// mistaken for a journal. The write-ahead log is enabled only after all rows are in the file. Otherwise, it would
    /// hold up to a million rows a second time.
    ///
    /// `rows` passes each row of the plan to its closure, and returns the identity of the plan.
    ///
    /// - Throws: a `JournalError` (`exists`, `held`, `full` …), or what `rows` threw.
    public static func create(
        at file: URL, rows: ((PlanRow) throws -> Void) throws -> PlanIdentity
    ) throws -> EmbeddedJournal {
        let file = file.resolvingSymlinksInPath()
        let path = file.path
        let holder = try JournalHolder(of: path)
        guard access(path, F_OK) != 0 else { throw JournalError.exists(path: path) }
        // SQLite would mistake an existing log for the last steps of the new file.
        guard !hasSteps(path + "-wal") else { throw JournalError.orphanedLog(path: path + "-wal") }
        let temporary = Self.unfinished(path)
        removeParts(of: temporary)
        do {
            try makeEmpty(temporary)
            try fill(temporary, path: path, rows: rows)
            try put(temporary, at: file)
        } catch {
            removeParts(of: temporary)
            throw error
        }
        return try EmbeddedJournal(file: file, holder: holder)
    }

    /// Replaces this journal, in which no row has a tag, with the journal of another plan.
    ///
    /// Refused tags stay refused. The new journal is complete and on disk before the old one is removed.
    /// - Throws: a `JournalError`, or what `rows` threw. In both cases, the file is unchanged.
    public func replaced(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> (any ProvisionJournal)? {
        let temporary = Self.unfinished(path)
        Self.removeParts(of: temporary)
        do {
            try Self.makeEmpty(temporary)
            try Self.fill(temporary, path: path, refused: forEachRefusedTag, rows: rows)
            // Empty the log, so that SQLite does not mistake the last steps of the old file for steps of the new one.
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try queue.close()
            Self.removeLog(of: path)
            try Self.put(temporary, at: file)
        } catch {
            Self.removeParts(of: temporary)
            if error is DatabaseError { throw JournalError(error, path: path) }
            throw error
        }
        return try EmbeddedJournal(file: file, holder: holder)
    }

    /// Deletes a journal that is not needed.
    ///
    /// The value must not be used afterwards.
    @discardableResult public func discard() -> Bool {
        try? queue.close()
        Self.removeParts(of: path)
        return true
    }

    /// Removes a journal that this process has not finished creating.
    ///
    /// This is called before the process ends.
    public static func removeUnfinished(at file: URL) {
        let path = file.resolvingSymlinksInPath().path
        guard JournalHolder.isThisProcess(of: path) else { return }
        removeParts(of: unfinished(path))
    }

    static func unfinished(_ path: String) -> String { path + ".new" }

    /// Whether a log exists and holds data.
    ///
    /// Earlier versions left an empty log when they only read the journal.
    static func hasSteps(_ log: String) -> Bool {
        var status = stat()
        return stat(log, &status) == 0 && status.st_size > 0
    }

    static func removeParts(of path: String) {
        unlink(path)
        removeLog(of: path)
    }

    static func removeLog(of path: String) {
        for part in ["-journal", "-wal", "-shm"] { unlink(path + part) }
    }

    static func makeEmpty(_ path: String) throws(JournalError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw JournalError(errno: errno, path: path) }
        close(descriptor)
    }

    private static func fill(
        _ temporary: String, path: String, refused: ((RefusedTag) throws -> Void) throws -> Void = { _ in },
        rows: ((PlanRow) throws -> Void) throws -> PlanIdentity
    ) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            // Do not synchronise here: an unfinished file need not survive a power failure, and `put` synchronises the
            // whole file at the end.
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = -16000")
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = MEMORY")
        }
        // An error thrown by `rows` is about the plan and is passed on unchanged.
        var planError: (any Error)?
        do {
            let queue = try DatabaseQueue(path: temporary, configuration: configuration)
            try queue.write { database in
                for table in JournalSchema.tables { try database.execute(sql: table) }
                for state in RowState.allCases {
                    try database.execute(sql: "INSERT INTO tally VALUES (?, 0)", arguments: [state.rawValue])
                }
                let insertion = try database.makeStatement(
                    sql: "INSERT INTO planRow (number, line, fields) VALUES (?, ?, ?)")
                var count = 0
                let plan: PlanIdentity
                do {
                    plan = try rows { row in
                        do {
                            try insertion.execute(
                                arguments: [row.number, row.line, JournalText.list(row.fields)])
                        } catch {
                            throw JournalError(error, path: path)
                        }
                        count += 1
                    }
                } catch {
                    planError = error
                    throw error
                }
                try database.execute(
                    sql: "INSERT INTO plan VALUES (1, ?, ?, ?, ?)",
                    arguments: [plan.file, plan.sha256, plan.journalText, JournalText.time(Date())])
                try database.execute(sql: "UPDATE tally SET count = ? WHERE state = 'pending'", arguments: [count])
                try refused { tag in
                    try database.execute(
                        sql: "INSERT INTO refusedTag (\(RefusedTag.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
                        arguments: tag.arguments)
                }
                try database.execute(sql: JournalSchema.trigger)
                try database.execute(
                    sql: """
                        PRAGMA application_id = \(JournalSchema.applicationID);
                        PRAGMA user_version = \(JournalSchema.version)
                        """)
            }
            // The mode is stored in the file's header, so from now on, every connection uses a write-ahead log.
            _ = try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
            try queue.close()
        } catch {
            throw planError ?? JournalError(error, path: path)
        }
    }

    /// Synchronises the file, moves it to its final path, and synchronises the folder.
    ///
    /// At this point, no connection to the database is open, so it is safe to close descriptors of the file.
    static func put(_ temporary: String, at file: URL) throws(JournalError) {
        let path = file.path
        guard access(temporary + "-wal", F_OK) != 0 else {
            throw .unusable(path: path, code: 0, reason: "SQLite kept a part of it outside the file")
        }
        try synchronize(temporary, for: path)
        guard rename(temporary, path) == 0 else { throw JournalError(errno: errno, path: path) }
        try synchronize(file.deletingLastPathComponent().path, for: path)
    }

    private static func synchronize(_ place: String, for path: String) throws(JournalError) {
        let descriptor = Glibc.open(place, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw JournalError(errno: errno, path: path) }
        defer { close(descriptor) }
        // Some file systems cannot synchronise a folder and return EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw JournalError(errno: errno, path: path) }
    }
}

/// Stores a plan's journal in a file, which need not exist yet.
public struct JournalFile: JournalStore {
    private let url: URL

    /// Creates a store for the file at a URL.
    public init(_ url: URL) { self.url = url }

    /// The path of the file.
    public var name: String { url.path }

    /// Opens the journal, or returns nil if the file does not exist.
    public func open() throws(JournalError) -> (any ProvisionJournal)? {
        do {
            return try EmbeddedJournal.open(url)
        } catch {
            guard case .missing = error else { throw error }
            return nil
        }
    }

    /// Creates the journal.
    public func create(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> any ProvisionJournal {
        try EmbeddedJournal.create(at: url, rows: rows)
    }
}
