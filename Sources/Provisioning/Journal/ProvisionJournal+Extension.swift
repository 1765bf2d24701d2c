// A journal that grows with its plan: rows behind those that it has, all of them or none

import GRDB

extension ProvisionJournal {
    /// Adds rows of a plan behind those that are there, in one step; the journal that it has become is the one to go on with.
    ///
    /// `rows` gives each new row to the closure it gets, and says at the end which plan it is now.
    /// - Parameter count: how many rows there are.
    /// - Throws: a `JournalError`, or what `rows` threw; then the journal is as before.
    func extended(
        after count: Int, rows: ((PlanRow) throws -> Void) throws -> PlanIdentity
    ) throws -> ProvisionJournal {
        // What `rows` throws is the plan's error and goes through as it is.
        var planError: (any Error)?
        do {
            try queue.write { database in
                let insertion = try database.makeStatement(
                    sql: "INSERT INTO planRow (number, line, fields) VALUES (?, ?, ?)")
                var added = 0
                let plan: PlanIdentity
                do {
                    plan = try rows { row in
                        do {
                            try insertion.execute(arguments: [row.number, row.line, JournalText.list(row.fields)])
                        } catch {
                            throw JournalError(error, path: path)
                        }
                        added += 1
                    }
                } catch {
                    planError = error
                    throw error
                }
                try Self.note(plan, in: database)
                try database.execute(
                    sql: "UPDATE tally SET count = count + ? WHERE state = 'pending'", arguments: [added])
            }
        } catch {
            throw planError ?? JournalError(error, path: path)
        }
        return try ProvisionJournal(file: file, holder: holder)
    }

    /// Takes rows away that no tag has yet.
    ///
    /// - Parameters:
    ///   - count: how many rows stay.
    ///   - plan: the plan as it was with those.
    /// - Throws: `notPending` when a tag has one of the others; then nothing was changed.
    func shorten(to count: Int, as plan: PlanIdentity) throws(JournalError) {
        try write { database in
            if let row = try row(in: database, "WHERE number > ? AND state <> 'pending'", [count]) {
                throw JournalError.notPending(row: row.row.number, state: row.state)
            }
            try database.execute(sql: "DELETE FROM planRow WHERE number > ?", arguments: [count])
            let removed = database.changesCount
            try Self.note(plan, in: database)
            try database.execute(
                sql: "UPDATE tally SET count = count - ? WHERE state = 'pending'", arguments: [removed])
        }
    }

    private static func note(_ plan: PlanIdentity, in database: Database) throws {
        try database.execute(
            sql: "UPDATE plan SET file = ?, sha256 = ?, recipe = ?",
            arguments: [plan.file, plan.sha256, plan.journalText])
    }
}
