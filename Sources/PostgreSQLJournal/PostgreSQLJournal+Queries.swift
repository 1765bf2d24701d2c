// Queries of the journal in the database

import Foundation
public import Provisioning
import Synchronization

extension PostgreSQLJournal {
    /// Returns the row of a tag, or nil if the tag has none.
    public func row(of uid: [UInt8]) throws(JournalError) -> JournalRow? {
        try rows("uid = $2", [.bytes(uid)]).first?.row
    }

    /// Returns the row with this number, or nil if the plan has fewer rows.
    public func row(_ number: Int) throws(JournalError) -> JournalRow? {
        guard let number = Int32(exactly: number) else { return nil }
        return try rows("number = $2", [.int(Int(number))]).first?.row
    }

    /// Returns the first row whose tag was verified to hold a message with this length and digest.
    public func row(verifiedWith sha256: String, length: Int) throws(JournalError) -> JournalRow? {
        guard readsFields else { return nil }
        return try rows(
            "sha256 = $2 AND message_length = $3 ORDER BY number LIMIT 1", [.text(sha256), .int(length)]
        ).first?.row
    }

    /// Returns the next rows after a row number, or nil if no rows follow.
    public func page(after number: Int, in states: Set<RowState>) throws(JournalError) -> [JournalRow]? {
        if states.isEmpty { return nil }
        let words = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        var condition = states.count == RowState.allCases.count ? "" : " AND state IN (\(words))"
        // Repeat the condition of a partial index, so that the server uses it.
        if states.isSubset(of: [.bound, .written, .failed]) {
            condition += " AND state IN ('bound', 'written', 'failed')"
        }
        let rows = try rows("number > $2\(condition) ORDER BY number LIMIT \(Self.pageLength)", [.int(number)]).map(
            \.row)
        return rows.isEmpty ? nil : rows
    }

    /// Returns the first pending rows that no other station has claimed.
    ///
    /// A claim counts until its lease ends. The returned rows are not claimed: a tag seldom needs a row other than the
    /// next one, and most of these rows do not fit it.
    public func pendingRows(limit: Int) throws(JournalError) -> [PlanRow] {
        let mine = state.withLock { $0.stationID }
        let end = "ORDER BY number LIMIT \(limit)"
        // Each condition matches a partial index.
        let free = try rows("state = 'pending' AND claimant IS NULL \(end)", [])
        let back = try rows(
            "claimant IS NOT NULL AND (claimed_until < now() OR claimant = $2::integer) \(end)", [.optional(mine)])
        let all = (free + back).map(\.row.row)
        return Array(all.sorted { $0.number < $1.number }.prefix(limit))
    }

    /// Returns this station's rows whose tags must be placed again.
    ///
    /// An administrator gets those of all stations.
    public func unfinishedRows(limit: Int) throws(JournalError) -> [JournalRow] {
        let mine = state.withLock { $0.stationID }
        guard case .near = reach else {
            return state.withLock { $0.known.values.map(\.row) }.filter { $0.tag != nil }
                .sorted { $0.row.number < $1.row.number }.prefix(limit).map(\.self)
        }
        return try rows(
            """
            ($2::integer IS NULL OR station = $2)
            AND (state IN ('bound', 'written') OR (state = 'proven' AND seal > 0)) ORDER BY number LIMIT \(limit)
            """, [.optional(mine)]
        ).map(\.row)
    }

    /// Returns this station's rows that are done but whose tags were later found to hold something else.
    ///
    /// An administrator gets those of all stations.
    public func changedRows(after number: Int, limit: Int) throws(JournalError) -> [JournalRow] {
        let mine = state.withLock { $0.stationID }
        return try rows(
            """
            ($2::integer IS NULL OR station = $2) AND number > $3 AND reason IS NOT NULL
            AND (state = 'sealed' OR state = 'proven' AND seal = 0) ORDER BY number LIMIT \(limit)
            """, [.optional(mine), .int(number)]
        ).map(\.row)
    }

    private static let pageLength = 500

    func rows(
        _ condition: String, _ values: [ServerValue]
    ) throws(JournalError) -> [(row: JournalRow, version: Int)] {
        try ask { state, connection throws(JournalError) in
            try flush(&state, connection)
            return try rows(condition, values, over: connection)
        }
    }

    func rows(
        _ condition: String, _ values: [ServerValue], over connection: ServerConnection
    ) throws(JournalError) -> [(row: JournalRow, version: Int)] {
        let facts = ServerFunctions.rowFacts(
            "r", fields: readsFields ? "r.fields" : "'[]'", sha256: readsFields ? "r.sha256" : "''")
        let texts = try connection.rows(
            "SELECT \(facts), r.seal FROM nfctool.plan_row r WHERE plan = $1 AND \(condition)", [.int(planID)] + values,
            within: ServerConnection.pageDeadline)
        return try texts.map { text throws(JournalError) in
            guard let facts = text[0], let seal = text[1].flatMap({ Int($0) }),
                let stored = try? JSONDecoder().decode(StoredRow.self, from: Data(facts.utf8)), var row = stored.row
            else { throw damage("a row") }
            // Without the fields and the recipe, only this number shows whether the row requires a lock or a password.
            if !readsFields { row.seal = RowSeal(lock: seal & 2 != 0, protect: seal & 1 != 0) }
            return (row, stored.version)
        }
    }

    /// Returns the record of a tag that got no row, or nil if the tag was never refused.
    public func refusal(of uid: [UInt8]) throws(JournalError) -> RefusedTag? {
        try refusals("uid = $2", [.bytes(uid)]).first?.tag
    }

    private func refusals(
        _ condition: String, _ values: [ServerValue]
    ) throws(JournalError) -> [(tag: RefusedTag, station: String?)] {
        try ask { _, connection throws(JournalError) in
            let texts = try connection.rows(
                """
                SELECT \(ServerFunctions.refusalFacts("t")),
                    (SELECT s.name FROM nfctool.station s WHERE s.id = t.station)
                FROM nfctool.refused_tag t WHERE plan = $1 AND \(condition)
                """,
                [.int(planID)] + values, within: ServerConnection.pageDeadline)
            return try texts.map { text throws(JournalError) in
                guard let facts = text[0],
                    let tag = (try? JSONDecoder().decode(StoredRefusal.self, from: Data(facts.utf8)))?.tag
                else { throw damage("a refused tag") }
                return (tag: tag, station: text[1])
            }
        }
    }

    /// Passes the tags that got no row to `body`, oldest first.
    ///
    /// An error thrown by `body` ends the loop.
    public func forEachRefusedTag(_ body: (RefusedTag) throws -> Void) throws {
        var last: RefusedTag?
        while true {
            let order = "ORDER BY time, uid LIMIT \(Self.pageLength)"
            let page =
                if let last {
                    try refusals(
                        "(time, uid) > ($2::timestamptz, $3) \(order)",
                        [.text(JournalText.time(last.time)), .bytes(last.uid)])
                } else {
                    try refusals("true \(order)", [])
                }
            let tags = page.map { refusal in
                var tag = refusal.tag
                tag.station = refusal.station
                return tag
            }
            guard !tags.isEmpty else { return }
            if let last, tags.contains(last) { throw damage("the time of a refused tag") }
            for tag in tags { try body(tag) }
            last = tags.last
        }
    }

    /// Whether any row of the plan may have a column with this name.
    ///
    /// This is also true if a value equals the name, or if this login may not read the fields.
    public func hasColumn(_ name: String) throws(JournalError) -> Bool {
        let name = String(JournalText.list([name]).dropFirst().dropLast())
        guard readsFields else { return true }
        return try ask { _, connection throws(JournalError) in
            try connection.value(
                "SELECT EXISTS (SELECT FROM nfctool.plan_row WHERE plan = $1 AND strpos(fields, $2) > 0)",
                [.int(planID), .text(name)], within: ServerConnection.longDeadline) == "t"
        }
    }

    /// Returns the number of rows in each state.
    ///
    /// Every state has an entry.
    public func counts() throws(JournalError) -> [RowState: Int] {
        try ask { state, connection throws(JournalError) in
            try flush(&state, connection)
            return try currentCounts(connection).states
        }
    }

    /// Returns the progress of the plan at all stations.
    ///
    /// It is at most one second old, or that of the last answer if the server is away.
    public func progress() throws(JournalError) -> ProvisionCounts {
        let known: ProvisionCounts? = state.withLock { state in
            guard let counts = state.counts, station != nil else { return nil }
            if state.connection == nil { return counts }
            // Counts alone do not prove that the plan is complete, so check them against the rows.
            let isFresh = now() - state.countsTime < Self.countsAge && (!counts.isComplete || state.isTallyChecked)
            return isFresh ? counts : nil
        }
        if let known { return known }
        do throws(JournalError) {
            return try ask { state, connection throws(JournalError) in
                let counts: ProvisionCounts
                if state.stationID == nil {
                    counts = try currentCounts(connection)
                } else {
                    // This call also updates the station's `seen`.
                    let answer = try answer(
                        connection, "SELECT nfctool.ask($1, $2, NULL, 0, 0, true)",
                        [.int(planID), .optional(state.stationID)])
                    counts = try self.counts(answer.counts ?? [])
                }
                note(counts, in: &state)
                if counts.isComplete {
                    try requireTally(connection)
                    state.isTallyChecked = true
                }
                return counts
            }
        } catch {
            guard case .away = error, let counts = state.withLock({ $0.counts }) else { throw error }
            return counts
        }
    }

    func note(_ counts: ProvisionCounts, in state: inout StationState) {
        (state.counts, state.countsTime) = (counts, now())
        if !counts.isComplete { state.isTallyChecked = false }
    }

    func currentCounts(_ connection: ServerConnection) throws(JournalError) -> ProvisionCounts {
        let rows = try connection.rows(
            ServerFunctions.tallySums(plan: "$1"), [.int(planID)])
        return try counts(
            rows.map { row throws(JournalError) in
                guard let state = row[0], let seal = row[1].flatMap({ Int($0) }),
                    let count = row[2].flatMap({ Int($0) })
                else { throw damage("its row count") }
                return StoredCount(state: state, seal: seal, count: count)
            })
    }

    func counts(_ stored: [StoredCount]) throws(JournalError) -> ProvisionCounts {
        guard let counts = ProvisionCounts(stored) else { throw damage("its row count") }
        return counts
    }

    func requireTally(_ connection: ServerConnection) throws(JournalError) {
        let differs = try connection.value(
            "SELECT \(ServerFunctions.tallyDiffers(plan: "$1"))", [.int(planID)], within: ServerConnection.pageDeadline)
        if differs != "f" { throw damage("its row count") }
    }
}
