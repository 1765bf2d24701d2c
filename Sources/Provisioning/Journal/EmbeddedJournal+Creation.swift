// A new journal: all rows of the plan, or no file

public import Foundation
import GRDB
import Glibc

extension EmbeddedJournal {
    /// Makes the journal of a plan, opened for work; it is whole and on the disk when this returns, or not there at all.
    ///
    /// The file is built next to its final place, synchronised, and renamed: a process that is killed meanwhile leaves
    /// nothing that looks like a journal, and no log has to hold a million rows a second time.
    ///
    /// `rows` gives each row of the plan to the closure it gets, and says at the end which plan that was.
    ///
    /// - Throws: a `JournalError` (`exists`, `held`, `full` …), or what `rows` threw.
    public static func create(
        at file: URL, rows: ((PlanRow) throws -> Void) throws -> PlanIdentity
    ) throws -> EmbeddedJournal {
        let file = file.resolvingSymlinksInPath()
        let path = file.path
        let holder = try JournalHolder(of: path)
        guard access(path, F_OK) != 0 else { throw JournalError.exists(path: path) }
        // SQLite would take what is there for the last steps of the new file.
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

    /// Puts the journal of another plan in the place of this one, no row of which has a tag; refused tags stay refused.
    ///
    /// The new journal is whole and on the disk before the old one goes.
    /// - Throws: a `JournalError`, or what `rows` threw; then the file is as before.
    public func replaced(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> (any ProvisionJournal)? {
        let temporary = Self.unfinished(path)
        Self.removeParts(of: temporary)
        do {
            try Self.makeEmpty(temporary)
            try Self.fill(temporary, path: path, refused: forEachRefusedTag, rows: rows)
            // The last steps of the old file must not be taken for those of the new one.
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

    /// Takes a journal away that is not wanted; nothing may be done with the value after this.
    @discardableResult public func discard() -> Bool {
        try? queue.close()
        Self.removeParts(of: path)
        return true
    }

    /// Removes a journal that this process has not finished creating, before the process ends.
    public static func removeUnfinished(at file: URL) {
        let path = file.resolvingSymlinksInPath().path
        guard JournalHolder.isThisProcess(of: path) else { return }
        removeParts(of: unfinished(path))
    }

    /// The path of a journal while it is created.
    private static func unfinished(_ path: String) -> String { path + ".new" }

    /// Whether there is a log that holds something: one that was only read beside is left empty.
    private static func hasSteps(_ log: String) -> Bool {
        var status = stat()
        return stat(log, &status) == 0 && status.st_size > 0
    }

    /// The files that SQLite may keep next to a database.
    private static func removeParts(of path: String) {
        unlink(path)
        removeLog(of: path)
    }

    private static func removeLog(of path: String) {
        for part in ["-journal", "-wal", "-shm"] { unlink(path + part) }
    }

    private static func makeEmpty(_ path: String) throws(JournalError) {
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
            // Nothing is worth keeping before the end, and `put` synchronises the whole.
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = -16000")
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = MEMORY")
        }
        // What `rows` throws is the plan's error and goes through as it is.
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
            // Kept in the file's header: every connection then uses a write-ahead log.
            _ = try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
            try queue.close()
        } catch {
            throw planError ?? JournalError(error, path: path)
        }
    }

    /// Brings the file and its name to the disk.
    ///
    /// No connection is open now, so descriptors may be closed.
    private static func put(_ temporary: String, at file: URL) throws(JournalError) {
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
        // Some file systems cannot synchronise a folder, and say so.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw JournalError(errno: errno, path: path) }
    }
}

/// The file of a journal, which may not be there yet.
public struct JournalFile: JournalStore {
    private let url: URL

    /// Names a file.
    public init(_ url: URL) { self.url = url }

    /// Its path.
    public var name: String { url.path }

    /// Opens the journal; nil when there is no file.
    public func open() throws(JournalError) -> (any ProvisionJournal)? {
        do {
            return try EmbeddedJournal.open(url)
        } catch {
            guard case .missing = error else { throw error }
            return nil
        }
    }

    /// Makes the journal.
    public func create(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> any ProvisionJournal {
        try EmbeddedJournal.create(at: url, rows: rows)
    }
}
