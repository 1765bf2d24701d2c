// The activity of a plan at all stations, read in one round trip with the rights of the reader's role

import Foundation
public import Provisioning
import Synchronization

extension PostgreSQLJournal {
    /// Returns the current activity of the plan.
    public func activity() throws(JournalError) -> PlanActivity {
        try ask { state, connection throws(JournalError) in
            let text = try connection.value(Self.activityQuery, [.int(planID)])
            guard let stored = try? JSONDecoder().decode(StoredActivity.self, from: Data(text.utf8)),
                let time = JournalText.time(stored.time)
            else { throw damage("the activity of the plan") }
            guard let now = stored.plan else {
                throw .noSuchPlan(journal: server.address.name, plan: planName, known: [])
            }
            state.isPlanOther =
                JournalText.time(now.begun) != begun || now.sha256 != plan.sha256
                || StoredText.read(now.file) != plan.file
            guard let stations = stored.activities, (0...StoredActivity.most).contains(stored.beingWritten) else {
                throw damage("the activity of its stations")
            }
            let counts = try counts(stored.counts ?? [])
            if !counts.isComplete { state.isTallyChecked = false }
            // Counts alone do not prove that the plan is complete, so check them against the rows.
            if counts.isComplete, !state.isTallyChecked {
                try requireTally(connection)
                state.isTallyChecked = true
            }
            return PlanActivity(
                time: time, counts: counts,
                stations: stations.sorted {
                    ($0.name ?? "").compare($1.name ?? "", options: .numeric) == .orderedAscending
                }, beingWritten: stored.beingWritten)
        }
    }

    /// Returns the journal of the plan that replaced this one, over the same connection, or nil if it was not replaced.
    ///
    /// If the plan was not replaced, this needs no round trip, because the last call of `activity` has already checked
    /// it.
    public func successor() throws(JournalError) -> (any ProvisionJournal)? {
        let connection = state.withLock { $0.isPlanOther ? $0.connection : nil }
        guard let connection else { return nil }
        let successor = try PostgreSQLJournal(server, connection, plan: planID, station: station, now: now)
        state.withLock { $0.connection = nil }
        return successor
    }

    /// Returns how many rows were provisioned in the last `minutes` minutes, grouped by station and time.
    ///
    /// This reads all rows.
    public func recentlyProvisioned(minutes: Int) throws(JournalError) -> [ProvisionedRows] {
        try ask { _, connection throws(JournalError) in
            let rows = try connection.rows(
                """
                SELECT s.name, \(ServerFunctions.time("max(r.changed)")), count(*)
                FROM nfctool.plan_row r LEFT JOIN nfctool.station s ON s.id = r.station
                WHERE r.plan = $1 AND r.changed >= now() - make_interval(mins => $2) AND \(Self.isProvisioned("r"))
                    AND r.reason IS NULL
                GROUP BY s.name, date_trunc(
                    CASE WHEN r.changed >= now() - make_interval(secs => \(ProvisionedRows.recent)) THEN 'second'
                        ELSE 'minute' END, r.changed)
                """, [.int(planID), .int(minutes)], within: ServerConnection.pageDeadline)
            var all = 0
            return try rows.map { row throws(JournalError) in
                guard let time = row[1].flatMap(JournalText.time), time < .distantFuture,
                    let count = row[2].flatMap({ Int($0) }), (0...StoredActivity.most - all).contains(count)
                else { throw damage("the time of a row") }
                all += count
                return ProvisionedRows(station: row[0], time: time, count: count)
            }
        }
    }

    /// Returns the SQL condition for rows or tally entries that have nothing left to do, as defined by
    /// `ProvisionCounts.provisioned`.
    private static func isProvisioned(_ table: String) -> String {
        "(\(table).state = 'sealed' OR \(table).state = 'proven' AND \(table).seal = 0)"
    }

    /// The maximum number of stations and the maximum number of readers that are returned.
    ///
    /// The least recently active stations and the readers with the fewest refusals are left out. The counts of the
    /// whole plan are not affected.
    private static let (mostStations, mostReaders) = (1000, 4000)

    private static let activityQuery = """
        WITH unfinished AS MATERIALIZED (
            SELECT station, count(*) AS rows, count(*) FILTER (WHERE reason IS NULL
                AND changed > now() - make_interval(secs => \(PlanActivity.longestWriting))) AS fresh
            FROM nfctool.plan_row
            WHERE plan = $1 AND (state IN ('bound', 'written') OR (state = 'proven' AND seal > 0))
            GROUP BY station)
        SELECT json_build_object(
            'plan', (SELECT json_build_object('file', file, 'sha256', sha256, 'begun', \(ServerFunctions.time("begun")))
                FROM nfctool.plan WHERE id = $1),
            'time', \(ServerFunctions.time("clock_timestamp()")),
            'counts', (SELECT json_agg(c) FROM (\(ServerFunctions.tallySums(plan: "$1"))) AS c),
            'beingWritten', (SELECT coalesce(sum(fresh), 0) FROM unfinished
                WHERE \(ServerSchema.isConnected("station"))),
            'stations', (SELECT json_agg(s) FROM (
                SELECT s.id, s.name, \(ServerFunctions.time("s.seen")) AS seen,
                    \(ServerFunctions.time("s.last_tag")) AS "lastTag", \(ServerFunctions.time("s.left_at")) AS "left",
                    CASE WHEN NOT pg_is_in_recovery() THEN \(ServerSchema.isConnected("s.id")) END AS connected,
                    coalesce(t.rows, 0) AS provisioned, coalesce(o.rows, 0) AS interrupted,
                    coalesce(o.fresh, 0) AS fresh
                FROM nfctool.station s
                LEFT JOIN (SELECT station, sum(count) AS rows FROM nfctool.tally
                    WHERE plan = $1 AND \(isProvisioned("tally")) GROUP BY station) AS t ON t.station = s.id
                LEFT JOIN unfinished AS o ON o.station = s.id
                WHERE s.plan = $1 ORDER BY s.seen DESC LIMIT \(mostStations)) AS s),
            'refusals', (SELECT json_agg(r) FROM (
                SELECT station, reader, count, \(ServerFunctions.time("last")) AS last FROM nfctool.refusal_tally
                WHERE plan = $1 ORDER BY count DESC, reader LIMIT \(mostReaders)) AS r))
        """
}

/// The activity of a plan, as the server returns it.
private struct StoredActivity: Decodable {
    struct Plan: Decodable {
        let file: String
        let sha256: String
        let begun: String
    }

    struct Station: Decodable {
        let id: Int
        let name: String
        let seen: String
        let lastTag: String
        let left: String?
        let connected: Bool?
        let provisioned: Int
        let interrupted: Int
        /// The number of interrupted rows that changed a short time ago.
        ///
        /// A connected station is still writing them.
        let fresh: Int

        /// Returns the activity of the station, or nil if a number is impossible.
        func activity(refusing refusals: [ReaderRefusals]) -> StationActivity? {
            // Version 1 counted the steps of an administrator elsewhere, so the number may be below 0.
            guard provisioned <= StoredActivity.most, (0...StoredActivity.most).contains(interrupted),
                (0...interrupted).contains(fresh)
            else {
                return nil
            }
            let left = left.flatMap(JournalText.time)
            let presence: StationActivity.Presence =
                switch connected {
                case true?: .connected
                case false? where left == nil: .lost
                case nil where left == nil: .unknown
                default: .left(left)
                }
            // For a lost station, `seen` is the time when its process was last connected. That time is later than its
            // last tag.
            return StationActivity(
                name: name, presence: presence, seen: JournalText.time(presence == .lost ? seen : lastTag),
                provisioned: max(0, provisioned),
                interrupted: presence == .connected ? interrupted - fresh : interrupted, unfinished: interrupted,
                refusals: refusals)
        }
    }

    struct Refusals: Decodable {
        let station: Int
        let reader: String
        let count: Int
        let last: String

        var refusals: ReaderRefusals? {
            JournalText.time(last).map { ReaderRefusals(reader: StoredText.read(reader), count: count, last: $0) }
        }
    }

    /// The maximum number of rows, refusals or minutes.
    static let most = Int(Int32.max)

    /// The activity of each station, or nil if a number or a sum is impossible.
    var activities: [StationActivity]? {
        var refusals: [Int: [ReaderRefusals]] = [:]
        var all = 0
        for stored in self.refusals ?? [] {
            guard let told = stored.refusals, (0...Self.most - all).contains(told.count) else { return nil }
            all += told.count
            refusals[stored.station, default: []].append(told)
        }
        var activities: [StationActivity] = []
        for station in stations ?? [] {
            guard let activity = station.activity(refusing: refusals[station.id] ?? []) else { return nil }
            activities.append(activity)
        }
        return activities
    }

    let plan: Plan?
    let time: String
    let counts: [StoredCount]?
    /// The number of rows that connected stations are writing, including stations that are not listed.
    let beingWritten: Int
    let stations: [Station]?
    let refusals: [Refusals]?
}
