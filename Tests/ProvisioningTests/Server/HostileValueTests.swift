// Malicious values in the plan and in the database are refused or stored exactly, and give no access to other plans

import Foundation
import PostgreSQLJournal
import PostgreSQLServer
import Provisioning
import Testing

@Suite struct HostileValueTests {
    private let place: JournalPlace
    private let suffix = String(UUID().uuidString.prefix(8)).lowercased()
    private static let secret = "C0FFEE99"

    init() throws { place = try JournalPlace(.server) }

    /// Attempts to read the fields of a plan that belongs to another login, for which OTHER stands.
    private static let routes = [
        "SELECT fields FROM nfctool.plan_row", "COPY nfctool.plan_row TO STDOUT",
        "COPY nfctool.plan_row TO '/tmp/rows'",
        "SET row_security = off; SELECT fields FROM nfctool.plan_row",
        "SET ROLE OTHER; SELECT fields FROM nfctool.plan_row",
        "SET SESSION AUTHORIZATION OTHER; SELECT fields FROM nfctool.plan_row",
        "SELECT most_common_vals, histogram_bounds FROM pg_catalog.pg_stats WHERE tablename = 'plan_row'",
        "SELECT * FROM pg_catalog.pg_statistic", "SELECT fields FROM nfctool.loading",
        "SELECT pg_read_binary_file(pg_relation_filepath('nfctool.plan_row'))",
        // The station's own function has such a low cost that the server may call it before it checks the policy.
        """
        CREATE FUNCTION pg_temp.look(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
            $$ BEGIN RAISE NOTICE 'seen: %', $1; RETURN true; END $$;
        SELECT count(*) FROM nfctool.plan_row WHERE pg_temp.look(fields)
        """,
        "SELECT count(*) FROM nfctool.plan_row WHERE 1 / (length(fields) - length(fields)) > 0 OR fields::xml IS NOT NULL",
        "CREATE VIEW pg_temp.rows AS SELECT * FROM nfctool.plan_row; SELECT fields FROM pg_temp.rows",
        "SELECT (r).fields FROM (SELECT r FROM nfctool.plan_row r) AS q", "TABLE nfctool.plan_row",
        "SELECT query FROM pg_catalog.pg_stat_activity",
        "PREPARE q AS SELECT fields FROM nfctool.plan_row; SET row_security = off; EXECUTE q",
    ]

    @Test(arguments: routes) func aStationReadsNoPasswordOfAnotherPlan(route: String) throws {
        for login in ["shop", "plant"] {
            try place.sql("CREATE ROLE \(login)_\(suffix) LOGIN IN ROLE nfctool_station")
        }
        for (login, password) in [("shop", "11223344"), ("plant", Self.secret)] {
            _ = try place.server(user: "\(login)_\(suffix)").store(plan: "\(login).csv", station: "desk").create {
                insert in
                for number in 1...20 {
                    try insert(
                        PlanRow(
                            number: number, line: number + 1, fields: [PlanField(name: "password", value: password)]))
                }
                return PlanIdentity(file: "\(login).csv", sha256: "AB", recipe: [])
            }
        }
        // This creates statistics of the values.
        try place.sql("ANALYZE nfctool.plan_row")
        let seen: String
        do {
            seen = try place.sql(
                route.replacing("OTHER", with: "plant_\(suffix)"), user: "shop_\(suffix)")
        } catch let failure as PostgreSQLServer.Failure {
            seen = failure.description
        }
        #expect(!seen.contains(Self.secret), "\(route)")
    }

    /// Whatever the field contains, it causes an error that names the journal, and no crash.
    @Test(arguments: [
        "", "{", "[1]", "[\"id\"]", "[\"id\",null]", "{\"id\":\"1\"}", "[\"id\",\"\\ud800\"]", "[[\"id\",\"1\"]]",
        "null",
    ]) func fieldsThatNobodyOfUsWroteAreDamage(fields: String) throws {
        let journal = try place.begin(rows: 2)
        try place.sql("UPDATE nfctool.plan_row SET fields = '\(fields)'")
        for look in [{ _ = try journal.row(1) }, { _ = try journal.claimRow(except: []) }] {
            let error = #expect(throws: JournalError.self) { try look() }
            #expect(error?.description.contains("damaged") == true, "\(error as Any)")
        }
    }

    /// The server accepts only UTF-8 without NUL.
    ///
    /// It refuses other bytes before it adds any row.
    @Test(arguments: ["\\xC3\\x28", "\\xFF", "\\xED\\xA0\\x80", "\\x00", "\\xF4\\x90\\x80\\x80"])
    func bytesThatAreNotUTF8ReachNoTable(bytes: String) throws {
        let journal = try place.begin(rows: 1)
        #expect(throws: PostgreSQLServer.Failure.self) {
            try place.sql("UPDATE nfctool.plan_row SET fields = E'[\"id\",\"\(bytes)\"]'")
        }
        #expect(try journal.row(1)?.row == JournalPlace.row(1))
    }

    /// Quotes, SQL and JSON characters, control characters, NUL and a megabyte of text are stored exactly, in the plan
    /// and for tags.
    @Test(arguments: [
        "'; DROP SCHEMA nfctool CASCADE; --", "$1 $$ \\x41 \\0 \\\\", "\0", "\t\r\n\\N\\.", "{\"a\":[null]}",
        "\u{FFFD}\u{1F600}\u{7F}\u{85}",
    ]) func hostileTextsAreStoredExactly(text: String) throws {
        let row = PlanRow(number: 1, line: 2, fields: [PlanField(name: text, value: text)])
        let journal = try place.store().create { insert in
            try insert(row)
            return PlanIdentity(file: text, sha256: "AB", recipe: [text])
        }
        #expect(journal.plan.recipe == [text] && journal.plan.file == text)
        #expect(try journal.claimRow(except: []) == row)
        let tag = BoundTag(uid: [4, 1], chip: text, reader: text, bound: Date(timeIntervalSince1970: 1))
        try journal.bind(1, to: tag)
        try journal.advance(1, of: tag.uid, to: .written)
        let proof = RowProof(messageLength: 1, sha256: "CD", signature: text, seconds: 0.1)
        try journal.advance(1, of: tag.uid, to: .proven, proof: proof)
        try journal.fail(1, of: tag.uid, reason: text)
        let stored = try #require(try journal.row(1))
        #expect(stored.row == row && stored.tag == tag && stored.proof == proof && stored.reason == text)
        let refused = RefusedTag(
            uid: [9], chip: text, reader: text, cause: text, reason: text, isQuarantined: true,
            time: Date(timeIntervalSince1970: 2))
        try journal.refuse(refused)
        #expect(try journal.refusal(of: [9]) == refused)
        #expect(try place.sql("SELECT count(*) FROM nfctool.plan_row") == "1")
    }

    @Test func aMegabyteOfATagsTextsIsStoredExactly() throws {
        let text = String(repeating: "ü'\\\0$\"", count: 1 << 17)
        let journal = try place.begin(rows: 1)
        let tag = BoundTag(uid: [4, 1], chip: text, reader: text, bound: Date(timeIntervalSince1970: 1))
        try journal.bind(1, to: tag)
        try journal.fail(1, of: tag.uid, reason: text)
        let row = try #require(try journal.row(1))
        #expect(row.tag == tag && row.reason == text)
        let refused = RefusedTag(
            uid: [9], chip: text, reader: text, cause: text, reason: text, isQuarantined: true,
            time: Date(timeIntervalSince1970: 2))
        try journal.refuse(refused)
        #expect(try journal.refusal(of: [9]) == refused)
    }

    @Test func aCellOfAMegabyteIsStoredExactly() throws {
        let row = PlanRow(
            number: 1, line: 2, fields: [PlanField(name: "id", value: String(repeating: "x'\\\0", count: 1 << 18))])
        let journal = try place.store().create { insert in
            try insert(row)
            return JournalPlace.plan
        }
        #expect(try journal.claimRow(except: []) == row)
        #expect(try journal.row(1)?.row == row)
    }

    @Test func aNameWithANULIsRefused() throws {
        #expect(throws: JournalError.unstorable(journal: try place.server.address.name)) {
            try place.server.open(plan: "a\0b")
        }
    }
}
