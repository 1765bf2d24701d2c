// The activity of a plan in an embedded journal, which can be read while another process writes

import Foundation
import GRDB
import Synchronization

extension EmbeddedJournal {
    /// The current activity of the plan.
    ///
    /// Its only station has no name. The rows are read again only if their columns set locks or passwords, and only
    /// after a state has changed.
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
        let station = StationActivity(
            name: nil, presence: JournalHolder.presence(of: path), seen: nil, provisioned: counts.provisioned,
            interrupted: counts.interrupted + counts.waitingForSeal, refusals: try refusals())
        return PlanActivity(time: Date(), counts: counts, stations: [station])
    }

    private func refusals() throws(JournalError) -> [ReaderRefusals] {
        try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT substr(reader, 1, \(ReaderRefusals.longestName)) AS name, count(*), max(time) FROM refusedTag
                    GROUP BY name ORDER BY count(*) DESC, name
                    """)
            let cursor = try Row.fetchCursor(statement)
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

    /// Returns the number of rows provisioned in each of the last minutes; reads all rows.
    public func provisionedMinutes(_ count: Int) throws(JournalError) -> [ProvisionedMinute] {
        let begin = JournalText.time(Date(timeIntervalSinceNow: -60 * Double(count)))
        let states = SealRule(of: plan).general.isNone ? "'proven', 'sealed'" : "'sealed'"
        return try read { database in
            // The first 16 characters are the minute: "2026-11-21T16:33".
            let cursor = try Row.fetchCursor(
                database,
                sql: """
                    SELECT substr(changed, 1, 16) AS minute, count(*) FROM planRow
                    WHERE changed >= ? AND state IN (\(states)) GROUP BY minute
                    """, arguments: [begin])
            var minutes: [ProvisionedMinute] = []
            while let stored = try cursor.next() {
                guard let minute = String.fromDatabaseValue(stored[0]).flatMap({ JournalText.time($0 + ":00.000Z") }),
                    let count = Int.fromDatabaseValue(stored[1])
                else { throw damage("the time of a row") }
                minutes.append(
                    ProvisionedMinute(station: nil, minute: ProvisionHistory.minute(of: minute), count: count))
            }
            return minutes
        }
    }
}
