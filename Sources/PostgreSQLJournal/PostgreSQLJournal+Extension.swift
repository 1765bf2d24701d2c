// Extending, shortening, replacing and deleting a plan in the database

import Foundation
public import Provisioning
import Synchronization

extension PostgreSQLJournal {
    /// Does nothing: only --overwrite may differ between runs, and each station has its own setting for it.
    public func note(recipe: [String]) throws(JournalError) {}

    /// Appends rows of a plan to the existing ones, in one transaction.
    public func extended(
        after count: Int, rows: ((PlanRow) throws -> Void) throws -> PlanIdentity
    ) throws -> any ProvisionJournal {
        let (current, reason) = state.withLock { ($0.connection, $0.reason) }
        guard let connection = current else { throw JournalError.away(journal: name, reason: reason) }
        try connection.transaction { try connection.load(rows, into: planID, after: count) }
        // The station's name is bound to the connection, so the new journal takes over the connection.
        state.withLock { $0.connection = nil }
        return try PostgreSQLJournal(server, connection, plan: planID, station: station, now: now)
    }

    /// Replaces the rows of this plan with those of another one, in one transaction.
    ///
    /// Refused tags stay refused. The rows are sent over a separate connection, so that `rows` can query this journal
    /// in the meantime, and nothing is locked while the program waits for a user's answer.
    public func replaced(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> (any ProvisionJournal)? {
        struct InUse: Error {}
        let stationID = state.withLock { $0.stationID }
        let loader = try server.connect()
        do {
            try loader.transaction {
                try loader.load(rows, into: planID, after: 0) {
                    let isEmpty = try loader.value(
                        "SELECT nfctool.empty_plan($1, $2)", [.int(planID), .optional(stationID)],
                        within: ServerConnection.longDeadline)
                    if isEmpty != "t" { throw InUse() }
                }
            }
        } catch is InUse {
            return nil
        }
        let (current, reason) = state.withLock { ($0.connection, $0.reason) }
        guard let connection = current else { throw JournalError.away(journal: name, reason: reason) }
        state.withLock { $0.connection = nil }
        return try PostgreSQLJournal(server, connection, plan: planID, station: station, now: now)
    }

    /// Removes the last rows, none of which may have a tag.
    public func shorten(to count: Int, as plan: PlanIdentity) throws(JournalError) {
        try ask { _, connection throws(JournalError) in
            let found = try connection.rows(
                "SELECT nfctool.shorten_plan($1, $2, $3, $4, $5, $6)",
                [
                    .int(planID), .text(self.plan.sha256), .int(count), .text(StoredText.stored(plan.file)),
                    .text(plan.sha256), .text(plan.journalText),
                ], within: ServerConnection.longDeadline)
            guard let text = found.first?.first ?? nil else { return }
            guard let stored = try? JSONDecoder().decode(StoredRow.self, from: Data(text.utf8)) else {
                throw damage("a row")
            }
            throw .notPending(row: stored.number, state: try row(stored).state)
        }
    }

    /// Deletes the plan, unless a tag has one of its rows or another station is working on the plan.
    @discardableResult public func discard() -> Bool {
        let isGone = try? ask { state, connection throws(JournalError) in
            let answer = try connection.value(
                "SELECT nfctool.discard_plan($1, $2)", [.int(planID), .optional(state.stationID)],
                within: ServerConnection.longDeadline)
            return answer == "t"
        }
        guard isGone == true else { return false }
        state.withLock { $0.connection = nil }
        return true
    }
}
