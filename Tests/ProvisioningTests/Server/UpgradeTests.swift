// init-db upgrades tables of earlier versions while stations work: their state is kept, and no station ends

import Foundation
import PostgreSQLServer
import Testing

@testable import PostgreSQLJournal
@testable import Provisioning

@Suite struct UpgradeTests {
    private let database: String
    private let server: PlanServer

    /// Creates tables of version 1 that are in use by a station with a bound row.
    init() throws {
        // This creates the roles, which exist for all databases of a server.
        _ = try JournalTables.new()
        database = try PostgreSQLServer.shared.get().newDatabase()
        server = try JournalTables.server(database)
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Version1.sql")
        try sql(String(contentsOf: file, encoding: .utf8))
        try sql(
            """
            SET ROLE NONE;
            BEGIN; SELECT nfctool.begin_plan('plan.csv', 'plan.csv');
            INSERT INTO nfctool.loading (number, line, fields) SELECT n, n + 1, '[]' FROM generate_series(1, 3) AS n;
            SELECT nfctool.take_rows(1, 1, 'plan.csv', 'AB', '[]', false, false); COMMIT;
            SELECT nfctool.join_plan(1, 'desk-1');
            SELECT nfctool.bind(1, 1, 1, '{"uid":"0401","chip":"NTAG213","reader":"r","bound":"2026-11-23T10:00:00Z"}', 0, 60, false);
            SELECT nfctool.refuse(1, 1, '{"uid":"0402","chip":"c","reader":"r","cause":"readOnly","reason":"x","quarantined":false,"time":"2026-11-23T10:00:00Z"}');
            SELECT nfctool.refuse(1, 1, '{"uid":"0403","chip":"c","reader":"r","cause":"readOnly","reason":"x","quarantined":true,"time":"2026-11-23T10:00:01Z"}');
            """)
    }

    @discardableResult private func sql(_ text: String) throws -> String {
        try PostgreSQLServer.shared.get().sql(text, in: database)
    }

    @Test func tablesOfTheFirstVersionAreUpgraded() throws {
        #expect(throws: JournalError.otherSchema(journal: server.address.name, found: 1, known: 3)) {
            try server.open(plan: "plan.csv")
        }
        for _ in 0..<2 { try server.prepare() }
        #expect(try sql("SELECT version FROM nfctool.schema_version") == "3")
        let journal = try server.open(plan: "plan.csv")
        let activity = try journal.activity()
        #expect(activity.counts.interrupted == 1 && activity.counts.pending == 2)
        #expect(activity.stations.map(\.refused) == [2] && activity.stations[0].interrupted == 1)
        guard case .left = activity.stations[0].presence else {
            Issue.record("\(activity.stations)")
            return
        }
        // The station continues with its tag.
        let station = try server.open(plan: "plan.csv", station: "desk-1")
        try station.advance(1, of: [4, 1], to: .written)
        try station.advance(1, of: [4, 1], to: .proven, proof: JournalPlace.proof)
        #expect(try journal.activity().counts.provisioned == 1)
        #expect(try journal.refusal(of: [4, 3])?.isQuarantined == true)
    }

    /// In version 2, the plan was a foreign key of its rows and of the tally.
    @Test func tablesOfTheSecondVersionAreUpgraded() throws {
        try server.prepare()
        for table in ["plan_row", "tally"] {
            try sql("ALTER TABLE nfctool.\(table) ADD FOREIGN KEY (plan) REFERENCES nfctool.plan")
        }
        try sql("UPDATE nfctool.schema_version SET version = 2")
        try server.prepare()
        let keys = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND confrelid = 'nfctool.plan'::regclass"
        #expect(try sql("\(keys) AND conrelid IN ('nfctool.plan_row'::regclass, 'nfctool.tally'::regclass)") == "0")
        // Those of the other tables are kept.
        #expect(try sql(keys) == "3")
        #expect(try sql("SELECT version FROM nfctool.schema_version") == "3")
        #expect(try server.open(plan: "plan.csv").row(1)?.state == .bound)
    }

    /// A station of version 1 does not try again after a deadlock, so it must never be part of a deadlock.
    @Test func aStationThatIsInTheMiddleOfAStepGoesOn() async throws {
        // The step locks a row, takes some time, and reads the stations after that.
        async let step = Task.detached { [self] in
            try sql(
                """
                BEGIN; UPDATE nfctool.plan_row SET line = line WHERE number = 2; SELECT pg_sleep(1.5);
                SELECT count(*) FROM nfctool.station; UPDATE nfctool.plan SET file = file; COMMIT
                """)
        }.value
        try await Task.sleep(for: .milliseconds(500))
        try server.prepare()
        #expect(try await step.contains("1"))
        #expect(try sql("SELECT version FROM nfctool.schema_version") == "3")
    }

    @Test func whatAStationOfTheFirstVersionCallsIsThere() throws {
        try server.prepare()
        #expect(try sql("SELECT nfctool.shorten_plan(1, 2, 'plan.csv', 'CD', '[]')").isEmpty)
        #expect(try sql("SELECT count(*), (SELECT sha256 FROM nfctool.plan) FROM nfctool.plan_row") == "2|CD")
        // Rows that have a tag are kept.
        #expect(try sql("SELECT nfctool.shorten_plan(1, 0, 'plan.csv', 'EF', '[]')->>'number'") == "1")
        _ = try sql("SELECT nfctool.ask(1, 1, '\\x0401', 0, 60, true); SELECT nfctool.leave_plan(1, 1)")
    }
}
