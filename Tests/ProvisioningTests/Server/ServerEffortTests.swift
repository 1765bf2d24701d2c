// The locks that the steps of a station take, and the number of rows that the server reads for them

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

    /// A server that has analysed other plans assumes that a new one has one row.
    ///
    /// A claim that joins its rows with such a plan reads the whole plan.
    @Test func aClaimReadsFewRowsOfAPlanThatTheServerHasNotAnalysed() throws {
        withExtendedLifetime(try place.begin(rows: 3)) {}
        try place.sql("\(Self.noAutomaticAnalysis); ANALYZE nfctool.plan_row")
        try place.sql(
            """
            SELECT nfctool.begin_plan('long.csv', 'long.csv');
            INSERT INTO nfctool.plan_row (plan, number, line, seal, fields)
            SELECT 2, n, n + 1, 0, '[]' FROM generate_series(1, 5000) AS n;
            INSERT INTO nfctool.tally VALUES (2, 0, 'pending', 0, 5000);
            SELECT nfctool.join_plan(2, 'desk-1');
            """)
        let (claimed, read) = try ask(plan: 2)
        #expect(claimed == 8 && read < 50, "\(read)")
    }

    /// At the end of a plan, a station looks for rows that another station has claimed.
    @Test func theLastRowsAreFoundWithoutReadingThePlan() throws {
        withExtendedLifetime(try place.begin(rows: 5000)) {}
        // The server remembers that many rows are claimed, and assumes that it finds one soon in the order of the rows.
        try place.sql(
            """
            \(Self.noAutomaticAnalysis);
            SELECT nfctool.join_plan(1, 'desk-2');
            UPDATE nfctool.plan_row SET claimant = 99, claimed_until = now() + number * interval '50 ms' WHERE number <= 2000;
            ANALYZE nfctool.plan_row;
            UPDATE nfctool.plan_row SET claimant = 99, claimed_until = now() + interval '2 min' WHERE number > 4900;
            UPDATE nfctool.plan_row SET claimant = NULL, claimed_until = NULL, state = 'bound', uid = int4send(number),
                chip = 'NTAG213', reader = 'r', bound = now() WHERE number <= 4900;
            """)
        let (claimed, read) = try ask(plan: 1)
        #expect(claimed == 0 && read < 500, "\(read)")
    }

    @Test func aPlanIsAnalysedWhenItIsLoaded() throws {
        withExtendedLifetime(try place.begin(rows: 3)) {}
        try place.sql("\(Self.noAutomaticAnalysis); ANALYZE nfctool.plan_row")
        try place.sql(
            """
            BEGIN; SELECT nfctool.begin_plan('long.csv', 'long.csv');
            INSERT INTO nfctool.loading (number, line, fields) SELECT n, n + 1, '[]' FROM generate_series(1, 5000) AS n;
            SELECT nfctool.take_rows(2, 1, 'long.csv', 'CD', '[]', false, false); COMMIT;
            """)
        let plan = try place.sql("EXPLAIN SELECT FROM nfctool.plan_row WHERE plan = 2")
        let rows = try #require(plan.firstMatch(of: /rows=(\d+)/).flatMap { Int($0.1) })
        #expect((4000...6000).contains(rows), "\(plan)")
    }

    private static let noAutomaticAnalysis = "ALTER TABLE nfctool.plan_row SET (autovacuum_enabled = off)"

    /// Asks for 8 rows for an unknown tag, in a new session.
    ///
    /// Returns the number of rows that the last station of the plan got, and the number of rows that the server read.
    private func ask(plan: Int) throws -> (claimed: Int, read: Int) {
        let found = try place.sql(
            """
            BEGIN;
            SELECT coalesce(json_array_length((nfctool.ask(\(plan), max(id), '\\x04', 8, 60, true)->>'claims')::json), 0)
            FROM nfctool.station WHERE plan = \(plan);
            SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables
            WHERE relname = 'plan_row';
            COMMIT
            """)
        let numbers = found.split(separator: "\n").compactMap { Int($0) }
        try #require(numbers.count == 2, "\(found)")
        return (numbers[0], numbers[1])
    }
}
