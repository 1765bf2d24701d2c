// What becomes of a row, step by step: each is on the disk when the call returns

import Foundation
import GRDB

extension RowState {
    /// The states a tag's row may come to from here, besides being given back.
    ///
    /// Written may be written again: a tag that was found torn after all, or a step that was not confirmed. A row that
    /// failed goes on when its tag is placed again, and may fail again.
    var next: Set<RowState> {
        switch self {
        case .pending: []
        case .bound: [.written, .failed]
        case .written: [.written, .proven, .failed]
        case .proven: [.sealed, .failed]
        case .failed: [.written, .failed]
        // Somebody erased it, or changed it, and can since it was protected by a password and not locked.
        case .sealed: [.failed]
        }
    }
}

extension ProvisionJournal {
    /// Notes with which options the plan goes on: those that change no row may be others than before.
    public func note(recipe: [String]) throws(JournalError) {
        guard recipe != plan.recipe else { return }
        let now = PlanIdentity(file: plan.file, sha256: plan.sha256, recipe: recipe, password: plan.password)
        try step { database in try execute("UPDATE plan SET recipe = ?", [now.journalText], in: database) }
    }

    /// Gives a row to a tag; before this returns the tag must not be touched.
    ///
    /// - Throws: `notPending`, `tagHasRow`, `quarantined`, `noSuchRow`.
    public func bind(_ number: Int, to tag: BoundTag) throws(JournalError) {
        try step { database in
            let row = try existing(number, in: database)
            if let other = try self.row(in: database, "WHERE uid = ?", [Data(tag.uid)]) {
                throw JournalError.tagHasRow(uid: tag.uid, row: other.row.number)
            }
            guard row.state == .pending else { throw JournalError.notPending(row: number, state: row.state) }
            let isQuarantined = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT isQuarantined FROM refusedTag WHERE uid = ?"),
                arguments: [Data(tag.uid)])
            if isQuarantined == true { throw JournalError.quarantined(uid: tag.uid) }
            try execute(
                """
                UPDATE planRow SET state = 'bound', uid = ?, chip = ?, reader = ?, bound = ?, reason = NULL, changed = ?
                WHERE number = ?
                """,
                [Data(tag.uid), tag.chip, tag.reader, JournalText.time(tag.bound), now, number], in: database)
            // It was refused before, say with foreign content, and is now a tag with a row.
            if isQuarantined != nil {
                try execute("DELETE FROM refusedTag WHERE uid = ?", [Data(tag.uid)], in: database)
            }
        }
    }

    /// Takes a row a step on: written, proven (with what was read), sealed, failed.
    ///
    /// `reason` replaces the one that is there.
    ///
    /// - Throws: `illegalStep`, `proofMissing`, `noSuchRow`.
    public func advance(
        _ number: Int, to state: RowState, proof: RowProof? = nil, reason: String? = nil
    ) throws(JournalError) {
        try step { database in
            let row = try existing(number, in: database)
            guard row.state.next.contains(state) else {
                throw JournalError.illegalStep(row: number, from: row.state, to: state)
            }
            if state == .proven && proof == nil { throw JournalError.proofMissing(row: number) }
            let proof = proof ?? row.proof
            try execute(
                """
                UPDATE planRow SET state = ?, messageLength = ?, sha256 = ?, signature = ?, seconds = ?, reason = ?,
                    changed = ?
                WHERE number = ?
                """,
                [
                    state.rawValue, proof?.messageLength, proof?.sha256, proof?.signature, proof?.seconds, reason, now,
                    number,
                ], in: database)
        }
    }

    /// Notes why a row's tag was not finished this time; its state stays.
    public func note(_ number: Int, reason: String) throws(JournalError) {
        try step { database in
            _ = try existing(number, in: database)
            try execute(
                "UPDATE planRow SET reason = ?, changed = ? WHERE number = ?", [reason, now, number], in: database)
        }
    }

    /// Notes that a row's tag refuses to be finished; the row stays with it until it is released.
    public func fail(_ number: Int, reason: String) throws(JournalError) {
        try advance(number, to: .failed, reason: reason)
    }

    /// Gives a row back whose tag holds its old content again, and refuses that tag in the same step when asked to.
    ///
    /// - Throws: `illegalStep` for a row that is not bound or written.
    public func free(_ number: Int, refusing tag: RefusedTag? = nil) throws(JournalError) {
        try step { database in
            let row = try existing(number, in: database)
            guard row.state == .bound || row.state == .written else {
                throw JournalError.illegalStep(row: number, from: row.state, to: .pending)
            }
            try giveBack(number, in: database)
            if let tag { try keep(tag, in: database) }
        }
    }

    /// Gives a row back because the user says so: its tag is lost, or broken.
    ///
    /// With `evenIfProven` also a row that its tag was proven to hold; the user answers for that tag.
    ///
    /// - Throws: `tagHoldsRow`, or `illegalStep` for a row that no tag has.
    public func release(_ number: Int, evenIfProven: Bool = false) throws(JournalError) {
        try step { database in
            let row = try existing(number, in: database)
            guard let tag = row.tag else {
                throw JournalError.illegalStep(row: number, from: row.state, to: .pending)
            }
            // A row that failed after it was proven is on its tag all the same.
            if row.proof != nil && !evenIfProven {
                throw JournalError.tagHoldsRow(row: number, state: row.state, uid: tag.uid)
            }
            try giveBack(number, in: database)
        }
    }

    /// Notes that a tag got no row, and why; a quarantine stays until `unquarantine`.
    ///
    /// - Throws: `tagHasRow` for a tag that has one: that is freed, or fails.
    public func refuse(_ tag: RefusedTag) throws(JournalError) {
        try step { database in try keep(tag, in: database) }
    }

    /// Lets a tag get a row again; false when it was not in quarantine.
    @discardableResult public func unquarantine(_ uid: [UInt8]) throws(JournalError) -> Bool {
        try step { database in
            try execute(
                "UPDATE refusedTag SET isQuarantined = 0 WHERE uid = ? AND isQuarantined = 1", [Data(uid)],
                in: database)
            return database.changesCount > 0
        }
    }

    private var now: String { JournalText.time(Date()) }

    private func step<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value { try write(body) }

    private func existing(_ number: Int, in database: Database) throws -> JournalRow {
        guard let row = try row(in: database, "WHERE number = ?", [number]) else {
            throw JournalError.noSuchRow(number)
        }
        return row
    }

    func giveBack(_ number: Int, in database: Database) throws {
        try execute(
            """
            UPDATE planRow SET state = 'pending', uid = NULL, chip = NULL, reader = NULL, bound = NULL,
                messageLength = NULL, sha256 = NULL, signature = NULL, seconds = NULL, changed = ?
            WHERE number = ?
            """,
            [now, number], in: database)
    }

    private func keep(_ tag: RefusedTag, in database: Database) throws {
        if let row = try row(in: database, "WHERE uid = ?", [Data(tag.uid)]) {
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
