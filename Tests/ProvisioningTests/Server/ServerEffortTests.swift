// What a step of a station costs the server: the locks that it takes, and the rows that it reads

import Testing

@testable import PostgreSQLJournal
@testable import Provisioning

@Suite struct ServerEffortTests {
    private let place: JournalPlace

    init() throws { place = try JournalPlace(.server) }

    /// Locks that two transactions hold on one row, and a lock on the only row of the plan, would make many stations wait
    /// for each other.
    ///
    /// xmin is the transaction that stored a row, xmax the one that locked it, or a multixact — PostgreSQL, System
    /// Columns.
    @Test func noStepOfATagSharesALockOrLocksThePlan() throws {
        let a = try #require(try place.begin(rows: 3) as? PostgreSQLJournal)
        let plan = try place.sql("SELECT xmin, xmax FROM nfctool.plan")
        let row = try #require(try a.claimRow(except: [])).number
        let lock = "SELECT xmax::text IN ('0', xmin::text), state FROM nfctool.plan_row WHERE number = \(row)"
        try a.bind(row, to: JournalPlace.tag(1))
        #expect(try place.sql(lock) == "t|bound")
        // The first of these steps is sent together with the second.
        try a.advance(row, of: JournalPlace.uid(1), to: .written)
        try a.advance(row, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        #expect(try place.sql(lock) == "t|proven")
        #expect(try place.sql("SELECT xmin, xmax FROM nfctool.plan") == plan)
    }

    /// The server assumes that a plan that it has not analysed yet is short.
    ///
    /// If it joined the rows of a claim with such a plan, it would read the whole plan.
    @Test func aClaimReadsFewRowsOfAPlanThatTheServerHasNotAnalysed() throws {
        withExtendedLifetime(try place.begin(rows: 3)) {}
        try place.sql("ALTER TABLE nfctool.plan_row SET (autovacuum_enabled = off); ANALYZE nfctool.plan_row")
        let reads = """
            SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables
            WHERE relname = 'plan_row'
            """
        try place.sql(
            """
            BEGIN; SELECT nfctool.begin_plan('long.csv', 'long.csv');
            INSERT INTO nfctool.loading (number, line, fields) SELECT n, n + 1, '[]' FROM generate_series(1, 5000) AS n;
            SELECT nfctool.take_rows(2, 1, 'long.csv', 'CD', '[]', false, false);
            SELECT nfctool.join_plan(2, 'desk-1'); COMMIT;
            """)
        let found = try place.sql(
            """
            BEGIN; SELECT json_array_length(nfctool.ask(2, max(id), '\\x04', 8, 60, true)->'claims') FROM nfctool.station;
            \(reads); COMMIT;
            """)
        let lines = found.split(separator: "\n").compactMap { Int($0) }
        #expect(lines.first == 8 && lines.count == 2 && lines[1] < 50, "\(found)")
    }
}
