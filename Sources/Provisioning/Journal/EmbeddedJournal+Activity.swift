// The activity of a plan in an embedded journal, which can be read while another process writes

import Foundation
import GRDB
import Synchronization

extension EmbeddedJournal {
    /// Returns the current activity of the plan.
    ///
    /// A journal in a file has one station, which has no name. The rows are read again only if columns of the plan set
    /// locks or passwords, and only after the state of a row has changed.
    public func activity() throws(JournalError) -> PlanActivity {
        let states = try counts()
        let counts: ProvisionCounts
        if let known = watched.withLock({ $0 }), known.states == states {
            counts = known
        } else {
            do {
                counts = try ProvisionCounts(of: self)
            } catch {
                throw JournalError(error, path: path)
            }
            // Counts alone do not prove that the plan is complete, so check them against the rows.
            if counts.isComplete { try read { [path] in try Self.checkTally(in: $0, path: path) } }
            watched.withLock { $0 = counts }
        }
        let presence = JournalHolder.presence(of: path)
        let unfinished = counts.interrupted + counts.waitingForSeal
        let written = presence == .connected && unfinished > 0 ? try rowsBeingWritten(counts) : 0
        let station = StationActivity(
            name: nil, presence: presence, seen: nil, provisioned: counts.provisioned,
            interrupted: max(0, unfinished - written), unfinished: unfinished, refusals: try refusals())
        return PlanActivity(time: Date(), counts: counts, stations: [station])
    }

    /// Returns the number of rows that are probably being written now, as defined by
    /// ``PlanActivity/isBeingWritten(_:)``.
    private func rowsBeingWritten(_ counts: ProvisionCounts) throws(JournalError) -> Int {
        let since = JournalText.time(Date(timeIntervalSinceNow: -PlanActivity.longestWriting))
        let rule = SealRule(of: plan)
        return try read { database in
            var count = 0
            if counts.interrupted > 0 {
                // SQLite uses the index only if the query repeats the condition of the index word for word.
                let statement = try database.cachedStatement(
                    sql: """
                        SELECT count(*) FROM planRow INDEXED BY openRow
                        WHERE state IN ('bound', 'written', 'failed') AND state IN ('bound', 'written')
                        AND reason IS NULL AND changed > ?
                        """)
                count = try Int.fetchOne(statement, arguments: [since]) ?? 0
            }
            guard counts.waitingForSeal > 0 else { return count }
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(JournalRow.columns) FROM planRow
                    WHERE state = 'proven' AND reason IS NULL AND changed > ?
                    """)
            let cursor = try Row.fetchCursor(statement, arguments: [since])
            while let stored = try cursor.next() {
                guard let row = JournalRow(stored) else { throw damage("a row") }
                if !rule.seal(of: row.row).isNone { count += 1 }
            }
            return count
        }
    }

    private func refusals() throws(JournalError) -> [ReaderRefusals] {
        try read { database in
            // Skip tags whose rows were released: no reader refused them.
            let statement = try database.cachedStatement(
                sql: """
                    SELECT substr(reader, 1, \(ReaderRefusals.longestName)) AS name, count(*), max(time) FROM refusedTag
                    WHERE cause <> ? GROUP BY name ORDER BY count(*) DESC, name
                    """)
            let cursor = try Row.fetchCursor(statement, arguments: [RefusalCause.rowMoved.rawValue])
            var readers: [ReaderRefusals] = []
            while let stored = try cursor.next() {
                guard let reader = String.fromDatabaseValue(stored[0]), let count = Int.fromDatabaseValue(stored[1]),
                    let last = String.fromDatabaseValue(stored[2]).flatMap(JournalText.time)
                else { throw damage("a refused tag") }
                readers.append(ReaderRefusals(reader: reader, count: count, last: last))
            }
            return readers
        }
    }

    /// Returns how many rows were provisioned in the last `minutes` minutes, grouped by time.
    ///
    /// This reads all rows.
    public func recentlyProvisioned(minutes: Int) throws(JournalError) -> [ProvisionedRows] {
        let begin = JournalText.time(Date(timeIntervalSinceNow: -60 * Double(minutes)))
        let recent = JournalText.time(Date(timeIntervalSinceNow: -ProvisionedRows.recent))
        let states = SealRule(of: plan).general.isNone ? "'proven', 'sealed'" : "'sealed'"
        return try read { database in
            // The first 16 characters of a time are precise to the minute, and the first 19 to the second:
            // "2026-11-21T16:33:05".
            let cursor = try Row.fetchCursor(
                database,
                sql: """
                    SELECT max(changed), count(*) FROM planRow
                    WHERE changed >= ? AND state IN (\(states)) AND reason IS NULL
                    GROUP BY substr(changed, 1, CASE WHEN changed >= ? THEN 19 ELSE 16 END)
                    """, arguments: [begin, recent])
            var rows: [ProvisionedRows] = []
            while let stored = try cursor.next() {
                guard let time = String.fromDatabaseValue(stored[0]).flatMap(JournalText.time),
                    let count = Int.fromDatabaseValue(stored[1])
                else { throw damage("the time of a row") }
                rows.append(ProvisionedRows(station: nil, time: time, count: count))
            }
            return rows
        }
    }
}
