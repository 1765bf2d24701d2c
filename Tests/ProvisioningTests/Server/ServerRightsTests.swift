// The rights of logins in a database with plans, tried with psql, and how addresses and versions are refused

import Foundation
import PostgreSQLJournal
import PostgreSQLServer
import Testing

@testable import Provisioning

@Suite struct ServerRightsTests {
    private let place: JournalPlace
    private let suffix = String(UUID().uuidString.prefix(8)).lowercased()

    init() throws {
        place = try JournalPlace(.server)
        for (login, role) in [("shop", "nfctool_station"), ("plant", "nfctool_station"), ("board", "nfctool_reader")] {
            try place.sql("CREATE ROLE \(login)_\(suffix) LOGIN IN ROLE \(role)")
        }
    }

    private func begin(by login: String) throws -> any ProvisionJournal {
        try place.server(user: "\(login)_\(suffix)").store(plan: "\(login).csv", station: "desk").create { insert in
            try insert(PlanRow(number: 1, line: 2, fields: [PlanField(name: "password", value: "1A2B3C4D")]))
            return PlanIdentity(file: "\(login).csv", sha256: "AB", recipe: [])
        }
    }

    @Test func aStationWorksOnPlansOfItsLoginAndSeesNoOthers() throws {
        let shop = try begin(by: "shop")
        _ = try begin(by: "plant")
        try shop.bind(1, to: JournalPlace.tag(1))
        let server = try place.server(user: "shop_\(suffix)")
        #expect(throws: JournalError.noSuchPlan(journal: server.address.name, plan: "plant.csv", known: ["shop.csv"])) {
            try server.open(plan: "plant.csv")
        }
        let seen = try place.sql("SELECT fields FROM nfctool.plan_row", user: "shop_\(suffix)")
        #expect(seen == #"["password","1A2B3C4D"]"#)
    }

    /// The station creates its own type, with the same name as a type in the policy, and casts that claim to own every
    /// plan.
    @Test func aStationSeesNoOtherPlansByTypesOfItsOwn() throws {
        _ = try begin(by: "shop")
        _ = try begin(by: "plant")
        let attack = """
            CREATE TYPE pg_temp.oid AS (name text);
            CREATE FUNCTION pg_temp.from_role(regrole) RETURNS pg_temp.oid LANGUAGE sql IMMUTABLE
                AS $$ SELECT ROW('any')::pg_temp.oid $$;
            CREATE CAST (regrole AS pg_temp.oid) WITH FUNCTION pg_temp.from_role(regrole);
            CREATE FUNCTION pg_temp.to_role(pg_temp.oid) RETURNS pg_catalog.oid LANGUAGE sql STABLE
                AS $$ SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolname = session_user $$;
            CREATE CAST (pg_temp.oid AS pg_catalog.oid) WITH FUNCTION pg_temp.to_role(pg_temp.oid) AS IMPLICIT;
            SET search_path = pg_temp, pg_catalog;
            """
        let user = "shop_\(suffix)"
        #expect(try place.sql(attack + "SELECT name FROM nfctool.plan", user: user) == "shop.csv")
        #expect(try place.sql(attack + "SELECT count(*) FROM nfctool.plan_row", user: user) == "1")
        let other = try place.sql("SELECT id FROM nfctool.plan WHERE name = 'plant.csv'")
        #expect(throws: PostgreSQLServer.Failure.self) {
            try place.sql(attack + "SELECT nfctool.join_plan(\(other), 'x')", user: user)
        }
    }

    /// A station of one plan tries these statements with the number of another plan (OTHER) and a station of that plan
    /// (STATION).
    private static let forbidden = [
        "SELECT nfctool.join_plan(OTHER, 'x')", "SELECT nfctool.leave_plan(OTHER, STATION)",
        "SELECT nfctool.ask(OTHER, STATION, NULL, 5, 60, true)", "SELECT nfctool.ask(OTHER, NULL, NULL, 0, 60, true)",
        "SELECT nfctool.bind(OTHER, STATION, 1, '{\"uid\":\"04\"}', 0, 60, false)",
        "SELECT nfctool.ask(OWN, STATION, NULL, 0, 60, true)", "SELECT nfctool.ask(OWN, 4711, NULL, 0, 60, true)",
        "SELECT nfctool.bind(OWN, STATION, 1, '{\"uid\":\"04\",\"chip\":\"\",\"reader\":\"\",\"bound\":\"2026-01-01\"}', 0, 60, false)",
        "SELECT nfctool.change(OWN, STATION, '[]', true, false)", "SELECT nfctool.refuse(OWN, STATION, '{}')",
        "SELECT nfctool.leave_plan(OWN, STATION)", "SELECT nfctool.discard_plan(OWN, STATION)",
        "SELECT nfctool.empty_plan(OWN, STATION)", "SELECT nfctool.empty_plan(OTHER, NULL)",
        "SELECT nfctool.require_station(OWN, NULL)", "SELECT nfctool.check_tally(OTHER)",
        "SELECT nfctool.row_facts(r) FROM nfctool.plan_row r",
        "SELECT nfctool.change(OTHER, NULL, '[]', true, false)", "SELECT nfctool.refuse(OTHER, 1, '{}')",
        "SELECT nfctool.unquarantine(OTHER, '\\x04')", "SELECT nfctool.take_rows(OTHER, 2, '', '', '', false, false)",
        "SELECT nfctool.shorten_plan(OTHER, 'AB', 0, '', '', '')", "SELECT nfctool.shorten_plan(OTHER, 0, '', '', '')",
        "SELECT nfctool.discard_plan(OTHER, NULL)",
        "SELECT nfctool.counts(OTHER)", "SELECT nfctool.claim_rows(OTHER, 1, 5, 60)",
        "SELECT nfctool.keep_refusal(OTHER, 1, '{}')", "SELECT nfctool.count_step(OTHER, 1, 0::smallint, 'a', 'b')",
        "INSERT INTO nfctool.plan_row (plan, number, line, seal, fields) VALUES (OTHER, 9, 9, 0, '[]')",
        "UPDATE nfctool.plan_row SET fields = '[]'", "DELETE FROM nfctool.plan_row", "DELETE FROM nfctool.plan",
        "TRUNCATE nfctool.plan_row CASCADE", "DROP TABLE nfctool.plan_row", "DROP SCHEMA nfctool CASCADE",
        "DROP FUNCTION nfctool.ask", "ALTER TABLE nfctool.plan DISABLE ROW LEVEL SECURITY",
        "SELECT * FROM nfctool.loading",
        "INSERT INTO nfctool.loading (load, number, line, fields) VALUES ('1', 1, 1, '[]')",
        "CREATE TABLE nfctool.mine ()", "UPDATE nfctool.plan SET owner = session_user",
        "UPDATE nfctool.refusal_tally SET count = 0",
        "UPDATE nfctool.schema_version SET version = 9", "INSERT INTO nfctool.legal_step VALUES ('pending', 'sealed')",
    ]

    @Test func aStationCanDoNothingElse() throws {
        _ = try begin(by: "shop")
        _ = try begin(by: "plant")
        let other = try place.sql("SELECT id FROM nfctool.plan WHERE name = 'plant.csv'")
        let own = try place.sql("SELECT id FROM nfctool.plan WHERE name = 'shop.csv'")
        let station = try place.sql("SELECT id FROM nfctool.station WHERE plan = \(other)")
        try place.sql("UPDATE nfctool.station SET seen = '2026-01-01'")
        for statement in Self.forbidden {
            let text = statement.replacing("OTHER", with: other).replacing("OWN", with: own)
                .replacing("STATION", with: station)
            let error = #expect(throws: PostgreSQLServer.Failure.self, "\(statement)") {
                try place.sql(text, user: "shop_\(suffix)")
            }
            let reason = error?.description ?? ""
            let reasons = ["permission denied", "must be owner", "no such plan", "no such station"]
            #expect(reasons.contains { reason.contains($0) }, "\(reason)")
        }
        #expect(try place.sql("SELECT count(*) FROM nfctool.station WHERE seen > '2026-01-01'") == "0")
        #expect(try place.sql("SELECT count(*) FROM nfctool.plan_row") == "2")
    }

    @Test func aStepThatIsNotLegalIsRefusedByTheDatabase() throws {
        _ = try begin(by: "shop")
        let id = try place.sql("SELECT id FROM nfctool.plan WHERE name = 'shop.csv'")
        let steps = #"[{"number":1,"version":0,"state":"sealed","length":1,"sha256":"00","seconds":1}]"#
        let error = #expect(throws: PostgreSQLServer.Failure.self) {
            try place.sql("SELECT nfctool.change(\(id), NULL, '\(steps)', true, false)", user: "shop_\(suffix)")
        }
        #expect(error?.description.contains("does not become sealed") == true)
    }

    @Test func aReaderSeesHowFarPlansAreAndNoFields() throws {
        let shop = try begin(by: "shop")
        try shop.bind(1, to: JournalPlace.tag(1))
        let board = try place.server(user: "board_\(suffix)").open(plan: "shop.csv")
        #expect(try board.counts()[.bound] == 1)
        let row = try #require(try board.boundRows().first)
        // The board and `status --watch` need no more than this.
        let activity = try board.activity()
        #expect(activity.counts.interrupted == 1 && activity.stations.map(\.name) == ["desk"])
        #expect(try board.recentlyProvisioned(minutes: 60).isEmpty)
        // The board sees the proof without the digest of the message.
        try shop.advance(1, of: JournalPlace.uid(1), to: .written)
        try shop.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        let proof = JournalPlace.proof
        #expect(try board.row(verifiedWith: proof.sha256, length: proof.messageLength) == nil)
        #expect(try board.row(1)?.proof?.sha256 == "" && board.row(1)?.proof?.messageLength == 60)
        #expect(row.row.fields.isEmpty && row.tag == JournalPlace.tag(1) && row.station == "desk")
        #expect(throws: JournalError.self) { try board.release(1) }
        for statement in [
            "SELECT fields FROM nfctool.plan_row", "SELECT sha256 FROM nfctool.plan_row",
            "SELECT recipe FROM nfctool.plan", "SELECT * FROM nfctool.plan_row",
            "SELECT nfctool.ask(1, 1, NULL, 5, 60, true)", "SELECT nfctool.row_facts(r) FROM nfctool.plan_row r",
        ] {
            let error = #expect(throws: PostgreSQLServer.Failure.self) {
                try place.sql(statement, user: "board_\(suffix)")
            }
            #expect(error?.description.contains("permission denied") == true, "\(statement)")
        }
        // A login with both roles reads only the fields of its own plans.
        try place.sql("GRANT nfctool_station TO board_\(suffix)")
        #expect(try place.sql("SELECT count(*) FROM nfctool.plan_row", user: "board_\(suffix)") == "0")
    }

    /// For a login that sees no fields, the database itself finds the rows that wait for a lock.
    @Test func aReaderTakesNoRowThatWaitsForItsLockForAChangedOne() throws {
        let shop = try place.server(user: "shop_\(suffix)").store(plan: "shop.csv", station: "desk").create { insert in
            try insert(PlanRow(number: 1, line: 2, fields: [PlanField(name: "lock", value: "yes")]))
            return PlanIdentity(file: "shop.csv", sha256: "AB", recipe: [])
        }
        try shop.bind(1, to: JournalPlace.tag(1))
        try shop.advance(1, of: JournalPlace.uid(1), to: .written)
        try shop.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        try place.sql("UPDATE nfctool.plan_row SET reason = 'The tag left.'")
        let board = try place.server(user: "board_\(suffix)").open(plan: "shop.csv")
        let row = try #require(try board.row(1))
        #expect(row.reason == "The tag left." && row.row.fields.isEmpty && row.seal == RowSeal(lock: true))
        let rule = SealRule(of: board.plan)
        #expect(!rule.isChanged(row) && rule.carriedOut(on: row) == nil)
        #expect(try ProvisionCounts(of: board).waitingForSeal == 1)
    }

    @Test(arguments: [0, 4]) func anotherVersionOfTheTablesIsRefused(version: Int) throws {
        try place.sql("UPDATE nfctool.schema_version SET version = \(version)")
        let server = try place.server
        let error = JournalError.otherSchema(journal: server.address.name, found: version, known: 3)
        #expect(throws: error) { try server.open(plan: "plan.csv") }
        #expect(throws: error) { try server.prepare() }
    }

    @Test func aDatabaseIsPreparedOnceAndTwiceTheSame() throws {
        let journal = try place.begin(rows: 1)
        try journal.bind(1, to: JournalPlace.tag(1))
        try place.server.prepare()
        #expect(try journal.row(1)?.state == .bound)
        let empty = try PostgreSQLServer.shared.get().newDatabase()
        let server = try JournalTables.server(empty)
        #expect(throws: JournalError.notPrepared(journal: server.address.name)) { try server.open(plan: "plan.csv") }
    }

    @Test func anAddressWithAPasswordIsRefusedAndNeverRepeated() throws {
        for uri in [
            "postgresql://me:s3cret@host/db", "postgresql://me@host/db?password=s3cret", "postgres://me:s3cret@/",
        ] {
            #expect(throws: JournalError.passwordInAddress) { try ServerAddress(uri) }
        }
        for uri in [
            "postgresql://me:s3%zzcret@host/db", "postgresql://host/db?nonsense=s3cret", "postgresql://[host/db",
        ] {
            #expect(throws: JournalError.badAddress) { try ServerAddress(uri) }
        }
        let several = try ServerAddress(
            "postgresql://me@a:5432,b:5433/db?target_session_attrs=read-write&sslmode=require")
        #expect(several.name == "postgresql://me@a,b:5432,5433/db")
    }

    @Test func aServerThatIsNotThereIsAway() throws {
        let error = #expect(throws: JournalError.self) {
            try PlanServer(ServerAddress("postgresql://me@/db?host=/tmp&port=1")).open(plan: "plan.csv")
        }
        guard case .away(_, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("/tmp/.s.PGSQL.1"))
    }
}
