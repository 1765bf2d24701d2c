// Queries of the journal in a file

import Foundation
import GRDB
import Hexadecimal

extension EmbeddedJournal {
    /// Returns the row of a tag, or nil if the tag has none.
    public func row(of uid: [UInt8]) throws(JournalError) -> JournalRow? {
        try read { database in
            try row(in: database, "WHERE uid = ?", [Data(uid)])
        }
    }

    /// Returns the row with this number, or nil if the plan has fewer rows.
    public func row(_ number: Int) throws(JournalError) -> JournalRow? {
        try read { database in try row(in: database, "WHERE number = ?", [number]) }
    }

    /// Returns the first row whose tag was verified to hold a message with this length and digest.
    ///
    /// No index covers digests, because few tags need this. The search reads all rows.
    public func row(verifiedWith sha256: String, length: Int) throws(JournalError) -> JournalRow? {
        try read { database in
            try row(
                in: database, "WHERE sha256 = ? AND messageLength = ? ORDER BY number LIMIT 1", [sha256, length])
        }
    }

    /// Returns what the journal records about a tag that was placed on a reader.
    public func standing(of uid: [UInt8]) throws(JournalError) -> TagStanding {
        if let row = try row(of: uid) { return .row(row) }
        return try refusal(of: uid).map { .refused($0) } ?? .unknown
    }

    /// Returns the first pending row that is not reserved, or nil if there is none.
    public func claimRow(except reserved: Set<Int>) throws(JournalError) -> PlanRow? {
        var last = 0
        while let row = try nextPending(after: last) {
            guard reserved.contains(row.row.number) else { return row.row }
            last = row.row.number
        }
        return nil
    }

    private func nextPending(after number: Int) throws(JournalError) -> JournalRow? {
        try read { database in
            try row(
                in: database,
                "INDEXED BY pendingRow WHERE state = 'pending' AND number > ? ORDER BY number LIMIT 1", [number])
        }
    }

    /// Whether any row of the plan may have a column with this name.
    ///
    /// This is also true if a value equals the name.
    public func hasColumn(_ name: String) throws(JournalError) -> Bool {
        let name = String(JournalText.list([name]).dropFirst().dropLast())
        return try read { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM planRow WHERE instr(fields, ?) > 0)", arguments: [name])
                ?? false
        }
    }

    /// Returns the record of a tag that got no row, or nil if the tag was never refused.
    public func refusal(of uid: [UInt8]) throws(JournalError) -> RefusedTag? {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(RefusedTag.columns) FROM refusedTag WHERE uid = ?")
            guard let stored = try Row.fetchOne(statement, arguments: [Data(uid)]) else { return nil }
            return try refusedTag(stored)
        }
    }

    /// Returns the number of rows in each state, from the stored counts.
    ///
    /// Every state has an entry.
    public func counts() throws(JournalError) -> [RowState: Int] {
        try read { database in try Self.tally(in: database, path: path) }
    }

    /// Reads the stored counts and checks that their sum does not overflow an `Int`.
    static func tally(in database: Database, path: String) throws -> [RowState: Int] {
        let statement = try database.cachedStatement(sql: "SELECT state, count FROM tally")
        var (counts, sum): ([RowState: Int], Int) = ([:], 0)
        let cursor = try Row.fetchCursor(statement)
        while let stored = try cursor.next() {
            guard let state = String.fromDatabaseValue(stored[0]).flatMap(RowState.init),
                let count = Int.fromDatabaseValue(stored[1]), count >= 0,
                case (let total, false) = sum.addingReportingOverflow(count)
            else { throw JournalError.damaged("its row count", path: path) }
            (counts[state], sum) = (count, total)
        }
        guard counts.count == RowState.allCases.count else { throw JournalError.damaged("its row count", path: path) }
        return counts
    }

    /// Compares the stored counts with the rows.
    ///
    /// This takes 0.3 s for a million rows.
    ///
    /// - Throws: `damaged` if they differ. A row that is not counted could be given to a second tag.
    static func checkTally(in database: Database, path: String) throws {
        var counts = Dictionary(uniqueKeysWithValues: RowState.allCases.map { ($0, 0) })
        let cursor = try Row.fetchCursor(database, sql: "SELECT state, count(*) FROM planRow GROUP BY state")
        while let stored = try cursor.next() {
            guard let state = String.fromDatabaseValue(stored[0]).flatMap(RowState.init),
                let count = Int.fromDatabaseValue(stored[1])
            else { throw JournalError.damaged("the state of a row", path: path) }
            counts[state] = count
        }
        guard try tally(in: database, path: path) == counts else {
            throw JournalError.damaged("its row count", path: path)
        }
    }

    /// Returns the next rows after a row number, or nil if no rows follow.
    public func page(after number: Int, in states: Set<RowState>) throws(JournalError) -> [JournalRow]? {
        if states.isEmpty { return nil }
        let (index, condition) = Self.selection(of: states)
        let rows: [JournalRow] = try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(JournalRow.columns) FROM planRow \(index) WHERE number > ?\(condition)
                    ORDER BY number LIMIT \(Self.pageLength)
                    """)
            let cursor = try Row.fetchCursor(statement, arguments: [number])
            var rows: [JournalRow] = []
            while let stored = try cursor.next() { rows.append(try row(stored)) }
            return rows
        }
        // In a damaged file, the numbers might not increase. A page that does not advance would then be read endlessly.
        guard zip([number] + rows.map(\.row.number), rows.map(\.row.number)).allSatisfy(<) else {
            throw damage("the order of its rows")
        }
        return rows.isEmpty ? nil : rows
    }

    /// Returns the rows that are done but whose tags were later found to hold something else.
    ///
    /// A row that is verified but not locked yet is left out, because its stored reason may describe a different
    /// problem.
    public func changedRows(after number: Int, limit: Int) throws(JournalError) -> [JournalRow] {
        let rule = SealRule(of: plan)
        var (found, last): ([JournalRow], Int) = ([], number)
        while found.count < limit {
            let page: [JournalRow] = try read { database in
                let statement = try database.cachedStatement(
                    sql: """
                        SELECT \(JournalRow.columns) FROM planRow
                        WHERE number > ? AND state IN ('proven', 'sealed') AND reason IS NOT NULL
                        ORDER BY number LIMIT \(Self.pageLength)
                        """)
                let cursor = try Row.fetchCursor(statement, arguments: [last])
                var rows: [JournalRow] = []
                while let stored = try cursor.next() { rows.append(try row(stored)) }
                return rows
            }
            found += page.filter { rule.isChanged($0) }
            // In a damaged file, the numbers might not increase.
            guard let end = page.last?.row.number, page.count == Self.pageLength, end > last else { break }
            last = end
        }
        return Array(found.prefix(limit))
    }

    private static let pageLength = 500

    /// Returns the index that finds rows in these states, and the condition for them.
    ///
    /// SQLite uses a partial index only if the query repeats the condition of the index literally.
    private static func selection(of states: Set<RowState>) -> (index: String, condition: String) {
        if states == Set(RowState.allCases) { return ("", "") }
        if states == [.pending] { return ("INDEXED BY pendingRow", " AND state = 'pending'") }
        let words = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        guard states.isSubset(of: [.bound, .written, .failed]) else { return ("", " AND state IN (\(words))") }
        return ("INDEXED BY openRow", " AND state IN ('bound', 'written', 'failed') AND state IN (\(words))")
    }

    func row(in database: Database, _ condition: String, _ arguments: StatementArguments) throws -> JournalRow? {
        let statement = try database.cachedStatement(sql: "SELECT \(JournalRow.columns) FROM planRow \(condition)")
        return try Row.fetchOne(statement, arguments: arguments).map(row)
    }

    func damage(_ what: String) -> JournalError { .damaged(what, path: path) }

    private func row(_ stored: Row) throws -> JournalRow {
        guard let row = JournalRow(stored) else { throw damage("row \(stored["number"] as DatabaseValue)") }
        return row
    }

    private func refusedTag(_ stored: Row) throws -> RefusedTag {
        guard let tag = RefusedTag(stored) else { throw damage("a refused tag") }
        return tag
    }
}

extension JournalError {
    fileprivate static func damaged(_ what: String, path: String) -> JournalError {
        .damaged(path: path, code: 0, reason: "\(what) is not valid")
    }
}

extension EmbeddedJournal {
    /// Passes the tags that got no row to `body`, oldest first.
    ///
    /// An error thrown by `body` ends the loop.
    public func forEachRefusedTag(_ body: (RefusedTag) throws -> Void) throws {
        // These values sort before every time and every UID.
        var (time, uid) = ("", Data())
        while true {
            let tags: [RefusedTag] = try read { database in
                let statement = try database.cachedStatement(
                    sql: """
                        SELECT \(RefusedTag.columns) FROM refusedTag WHERE (time, uid) > (?, ?)
                        ORDER BY time, uid LIMIT \(Self.pageLength)
                        """)
                let cursor = try Row.fetchCursor(statement, arguments: [time, uid])
                var tags: [RefusedTag] = []
                while let stored = try cursor.next() {
                    tags.append(try refusedTag(stored))
                    // Continue from the stored text: a time that was parsed and formatted again may differ.
                    let next = (String.fromDatabaseValue(stored[6]) ?? "", tags[tags.count - 1].uid)
                    guard next.0 > time || (next.0 == time && next.1.hex > Array(uid).hex) else {
                        throw damage("the order of its refused tags")
                    }
                    (time, uid) = (next.0, Data(next.1))
                }
                return tags
            }
            if tags.isEmpty { return }
            for tag in tags { try body(tag) }
        }
    }
}
