// What goes on in a plan at all stations: one round trip, with the rights of a reader

import Foundation
public import Provisioning

extension PostgreSQLJournal {
    /// What goes on in the plan now.
    public func activity() throws(JournalError) -> PlanActivity {
        try ask { _, connection throws(JournalError) in
            let text = try connection.value(Self.activityQuery, [.int(planID)])
            guard let stored = try? JSONDecoder().decode(StoredActivity.self, from: Data(text.utf8)),
                let time = JournalText.time(stored.time)
            else { throw damage("what goes on in the plan") }
            guard stored.plan != nil else {
                throw .noSuchPlan(journal: server.address.name, plan: planName, known: [])
            }
            let refusals = Dictionary(grouping: stored.refusals ?? [], by: \.station)
            return PlanActivity(
                time: time, counts: try counts(stored.counts ?? []),
                stations: (stored.stations ?? []).map { $0.activity(refusing: refusals[$0.id] ?? []) }
                    .sorted { ($0.name ?? "").compare($1.name ?? "", options: .numeric) == .orderedAscending })
        }
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
            return try rows.map { row throws(JournalError) in
                guard let minute = row[1].flatMap({ Int($0) }), let count = row[2].flatMap({ Int($0) }) else {
                    throw damage("the time of a row")
                }
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
            'plan', (SELECT name FROM nfctool.plan WHERE id = $1),
            'time', \(ServerFunctions.time("clock_timestamp()")),
            'counts', (SELECT json_agg(c) FROM (
                SELECT state, seal, sum(count) AS count FROM nfctool.tally WHERE plan = $1 GROUP BY state, seal) AS c),
            'stations', (SELECT json_agg(s) FROM (
                SELECT s.id, s.name, \(ServerFunctions.time("s.seen")) AS seen, \(ServerFunctions.time("s.left_at")) AS "left",
                    CASE WHEN NOT pg_is_in_recovery() THEN \(ServerSchema.isConnected("s.id")) END AS connected,
                    coalesce(t.rows, 0) AS provisioned, coalesce(o.rows, 0) AS interrupted
                FROM nfctool.station s
                LEFT JOIN (SELECT station, sum(count) AS rows FROM nfctool.tally
                    WHERE plan = $1 AND \(isProvisioned("tally")) GROUP BY station) AS t ON t.station = s.id
                LEFT JOIN (SELECT station, count(*) AS rows FROM nfctool.plan_row
                    WHERE plan = $1 AND state IN ('bound', 'written') AND state IN ('bound', 'written', 'failed')
                    GROUP BY station) AS o ON o.station = s.id
                WHERE s.plan = $1 ORDER BY s.seen DESC LIMIT \(mostStations)) AS s),
            'refusals', (SELECT json_agg(r) FROM (
                SELECT station, reader, count, \(ServerFunctions.time("last")) AS last FROM nfctool.refusal_tally
                WHERE plan = $1 ORDER BY count DESC, reader LIMIT \(mostReaders)) AS r))
        """
}

/// What goes on in a plan, as the server tells it.
private struct StoredActivity: Decodable {
    struct Station: Decodable {
        let id: Int
        let name: String
        let seen: String
        let left: String?
        let connected: Bool?
        let provisioned: Int
        let interrupted: Int

        func activity(refusing refusals: [Refusals]) -> StationActivity {
            let left = left.flatMap(JournalText.time)
            let presence: StationActivity.Presence =
                switch connected {
                case true?: .connected
                case false? where left == nil: .lost
                case nil where left == nil: .unknown
                default: .left(left)
                }
            return StationActivity(
                name: name, presence: presence, seen: JournalText.time(seen), provisioned: max(0, provisioned),
                interrupted: interrupted, refusals: refusals.compactMap(\.refusals))
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

    let plan: String?
    let time: String
    let counts: [StoredCount]?
    let stations: [Station]?
    let refusals: [Refusals]?
}
