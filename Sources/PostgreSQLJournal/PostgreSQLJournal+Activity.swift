// What goes on in a plan at all stations: one round trip, with the rights of a reader

import Foundation
public import Provisioning
import Synchronization

extension PostgreSQLJournal {
    /// What goes on in the plan now.
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
            guard let stations = stored.activities else { throw damage("what its stations did") }
            let counts = try counts(stored.counts ?? [])
            if !counts.isComplete { state.isTallyChecked = false }
            // That all is done is not taken from counts alone.
            if counts.isComplete, !state.isTallyChecked {
                try requireTally(connection)
                state.isTallyChecked = true
            }
            return PlanActivity(
                time: time, counts: counts,
                stations: stations.sorted {
                    ($0.name ?? "").compare($1.name ?? "", options: .numeric) == .orderedAscending
                })
        }
    }

    /// The journal of the plan that is there now, over the same connection; nil while that is the one that was opened.
    ///
    /// Costs no round trip while it is the same: the last `activity` has seen that.
    public func successor() throws(JournalError) -> (any ProvisionJournal)? {
        let connection = state.withLock { $0.isPlanOther ? $0.connection : nil }
        guard let connection else { return nil }
        let successor = try PostgreSQLJournal(server, connection, plan: planID, station: station, now: now)
        state.withLock { $0.connection = nil }
        return successor
    }

    /// The rows that were provisioned in the last minutes; reads all rows.
    public func provisionedMinutes(_ count: Int) throws(JournalError) -> [ProvisionedMinute] {
        try ask { _, connection throws(JournalError) in
            let rows = try connection.rows(
                """
                SELECT s.name, floor(extract(epoch FROM r.changed) / 60)::bigint AS minute, count(*)
                FROM nfctool.plan_row r LEFT JOIN nfctool.station s ON s.id = r.station
                WHERE r.plan = $1 AND r.changed >= now() - make_interval(mins => $2) AND \(Self.isProvisioned("r"))
                GROUP BY s.name, minute
                """, [.int(planID), .int(count)], within: ServerConnection.pageDeadline)
            var all = 0
            return try rows.map { row throws(JournalError) in
                guard let minute = row[1].flatMap({ Int($0) }), let count = row[2].flatMap({ Int($0) }),
                    (0...StoredActivity.most).contains(minute), (0...StoredActivity.most - all).contains(count)
                else { throw damage("the time of a row") }
                all += count
                return ProvisionedMinute(station: row[0], minute: minute, count: count)
            }
        }
    }

    /// Whether a row, or a part of the tally, needs nothing more: ``ProvisionCounts/provisioned``.
    private static func isProvisioned(_ table: String) -> String {
        "(\(table).state = 'sealed' OR \(table).state = 'proven' AND \(table).seal = 0)"
    }

    /// What people see at once: more stations and readers than this are not shown, the ones that rest first.
    private static let (mostStations, mostReaders) = (1000, 4000)

    private static let activityQuery = """
        SELECT json_build_object(
            'plan', (SELECT json_build_object('file', file, 'sha256', sha256, 'begun', \(ServerFunctions.time("begun")))
                FROM nfctool.plan WHERE id = $1),
            'time', \(ServerFunctions.time("clock_timestamp()")),
            'counts', (SELECT json_agg(c) FROM (\(ServerFunctions.tallySums(plan: "$1"))) AS c),
            'stations', (SELECT json_agg(s) FROM (
                SELECT s.id, s.name, \(ServerFunctions.time("s.seen")) AS seen,
                    \(ServerFunctions.time("s.last_tag")) AS "lastTag", \(ServerFunctions.time("s.left_at")) AS "left",
                    CASE WHEN NOT pg_is_in_recovery() THEN \(ServerSchema.isConnected("s.id")) END AS connected,
                    coalesce(t.rows, 0) AS provisioned, coalesce(o.rows, 0) AS interrupted
                FROM nfctool.station s
                LEFT JOIN (SELECT station, sum(count) AS rows FROM nfctool.tally
                    WHERE plan = $1 AND \(isProvisioned("tally")) GROUP BY station) AS t ON t.station = s.id
                LEFT JOIN (SELECT station, count(*) AS rows FROM nfctool.plan_row
                    WHERE plan = $1 AND (state IN ('bound', 'written') OR (state = 'proven' AND seal > 0))
                    GROUP BY station) AS o ON o.station = s.id
                WHERE s.plan = $1 ORDER BY s.seen DESC LIMIT \(mostStations)) AS s),
            'refusals', (SELECT json_agg(r) FROM (
                SELECT station, reader, count, \(ServerFunctions.time("last")) AS last FROM nfctool.refusal_tally
                WHERE plan = $1 ORDER BY count DESC, reader LIMIT \(mostReaders)) AS r))
        """
}

/// What goes on in a plan, as the server tells it.
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

        /// Nil for numbers that cannot be.
        func activity(refusing refusals: [ReaderRefusals]) -> StationActivity? {
            // An administrator's steps of version 1 were counted elsewhere, so less than 0 may be left.
            guard provisioned <= StoredActivity.most, (0...StoredActivity.most).contains(interrupted) else {
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
            // One that is lost was there later than its last tag.
            return StationActivity(
                name: name, presence: presence, seen: JournalText.time(presence == .lost ? seen : lastTag),
                provisioned: max(0, provisioned), interrupted: interrupted, refusals: refusals)
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

    /// No number of rows, of refusals or of minutes is greater.
    static let most = Int(Int32.max)

    /// What each station did; nil where a number, or a sum of them, cannot be.
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
    let stations: [Station]?
    let refusals: [Refusals]?
}
