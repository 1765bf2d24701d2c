// Adds and corrects rows after the plan was changed: either all changes are stored, or none

import GRDB

extension EmbeddedJournal {
    /// True: only this process works with the journal, so no tag can get a row while the row is being corrected.
    public var acceptsCorrections: Bool { true }

    /// Appends rows of a plan to the existing ones, and replaces the cells of earlier rows, in one transaction.
    ///
    /// The caller has compared the rows: cells that affect tags are replaced only in rows that no tag has.
    public func extended(
        after count: Int, rows: ((PlanRow) throws -> Void) throws -> PlanIdentity
    ) throws -> any ProvisionJournal {
        // An error thrown by `rows` is about the plan and is passed on unchanged.
        var planError: (any Error)?
        do {
            try queue.write { database in
                let insertion = try database.makeStatement(
                    sql: "INSERT INTO planRow (number, line, fields) VALUES (?, ?, ?)")
                let correction = try database.makeStatement(
                    sql: "UPDATE planRow SET line = ?, fields = ? WHERE number = ?")
                var added = 0
                let plan: PlanIdentity
                do {
                    plan = try rows { row in
                        let fields = JournalText.list(row.fields)
                        do {
                            if row.number > count {
                                try insertion.execute(arguments: [row.number, row.line, fields])
                                added += 1
                            } else {
                                try correction.execute(arguments: [row.line, fields, row.number])
                                guard database.changesCount == 1 else { throw damage("row \(row.number)") }
                            }
                        } catch {
                            throw JournalError(error, path: path)
                        }
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
        return try EmbeddedJournal(file: file, holder: holder)
    }

    /// Removes the last rows, none of which may have a tag.
    public func shorten(to count: Int, as plan: PlanIdentity) throws(JournalError) {
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
