// The steps of a row: each step is on disk when the call that makes it returns

import Foundation
import GRDB
import Synchronization

extension EmbeddedJournal {
    /// Moves the steps from the log into the file, so that the file alone is a complete copy.
    ///
    /// Closing the journal does this too, unless another connection is open for reading.
    ///
    /// - Throws: `deleted` if the file was deleted or moved since it was opened.
    public func settle() throws(JournalError) {
        try? queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
        try putBackIfDeleted()
    }

    /// Stores the options of this run.
    ///
    /// Options that change no row may differ from those of earlier runs.
    public func note(recipe: [String]) throws(JournalError) {
        guard recipe != plan.recipe else { return }
        let now = PlanIdentity(file: plan.file, sha256: plan.sha256, recipe: recipe, password: plan.password)
        try write { database in try execute("UPDATE plan SET recipe = ?", [now.journalText], in: database) }
    }

    /// Applies one step to each of these rows: either all steps are applied, or none.
    public func change(_ steps: [(number: Int, step: RowStep)]) throws(JournalError) {
        if steps.contains(where: { if case .bind = $0.step { true } else { false } }) { try requireInPlace() }
        let changes = try write { database in
            try steps.map { number, step in try change(number, step, in: database) }
        }
        seals.withLock { seals in
            for (before, after) in changes { seals?.note(before, after) }
        }
    }

    /// Records a refused tag and the reason.
    ///
    /// A quarantine lasts until `unquarantine`.
    public func refuse(_ tag: RefusedTag) throws(JournalError) {
        try write { database in try keep(tag, in: database) }
    }

    /// Removes a tag from quarantine, so that it can get a row.
    ///
    /// Returns false if it was not in quarantine.
    @discardableResult public func unquarantine(_ uid: [UInt8]) throws(JournalError) -> Bool {
        try write { database in
            try execute(
                "UPDATE refusedTag SET isQuarantined = 0 WHERE uid = ? AND isQuarantined = 1", [Data(uid)],
                in: database)
            return database.changesCount > 0
        }
    }

    private func change(
        _ number: Int, _ step: RowStep, in database: Database
    ) throws -> (before: JournalRow, after: JournalRow) {
        guard let row = try row(in: database, "WHERE number = ?", [number]) else {
            throw JournalError.noSuchRow(number)
        }
        if case .bind(let tag) = step { try prepare(tag, in: database) }
        let after = try row.after(step, at: Date())
        try execute(
            """
            UPDATE planRow SET state = ?, uid = ?, chip = ?, reader = ?, bound = ?, messageLength = ?, sha256 = ?,
                signature = ?, seconds = ?, reason = ?, changed = ?
            WHERE number = ?
            """,
            [
                after.state.rawValue, after.tag.map { Data($0.uid) }, after.tag?.chip, after.tag?.reader,
                after.tag.map { JournalText.time($0.bound) }, after.proof?.messageLength, after.proof?.sha256,
                after.proof?.signature, after.proof?.seconds, after.reason, after.changed.map(JournalText.time), number,
            ], in: database)
        if let tag = step.refusedTag(of: row) { try keep(tag, in: database) }
        return (row, after)
    }

    /// Checks that a tag may get a row, and deletes its earlier refusal, for example one for foreign content.
    private func prepare(_ tag: BoundTag, in database: Database) throws {
        let other = try row(in: database, "WHERE uid = ?", [Data(tag.uid)])
        let isQuarantined = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT isQuarantined FROM refusedTag WHERE uid = ?"),
            arguments: [Data(tag.uid)])
        try tag.requireFree(row: other?.row.number, isQuarantined: isQuarantined == true)
        if isQuarantined != nil {
            try execute("DELETE FROM refusedTag WHERE uid = ?", [Data(tag.uid)], in: database)
        }
    }

    private func keep(_ tag: RefusedTag, in database: Database) throws {
        if !tag.isOtherChip, let row = try row(in: database, "WHERE uid = ?", [Data(tag.uid)]) {
            throw JournalError.tagHasRow(uid: tag.uid, row: row.row.number)
        }
        try execute(
            """
            INSERT INTO refusedTag (\(RefusedTag.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (uid) DO UPDATE SET chip = excluded.chip, reader = excluded.reader, cause = excluded.cause,
                reason = excluded.reason, isQuarantined = max(isQuarantined, excluded.isQuarantined),
                time = excluded.time
            """,
            tag.arguments, in: database)
    }

    private func execute(_ sql: String, _ arguments: StatementArguments, in database: Database) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
