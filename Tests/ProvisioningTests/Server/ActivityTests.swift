// What the database keeps of stations: refusals by reader, when each was seen, how it ended — and how old tables get it

import Foundation
import PostgreSQLServer
import Testing

@testable import PostgreSQLJournal
@testable import Provisioning

@Suite struct ActivityTests {
    private let place: JournalPlace

    init() throws { place = try JournalPlace(.server) }

    private func station(_ name: String) throws -> PostgreSQLJournal {
        try #require(try place.store(station: name).open() as? PostgreSQLJournal)
    }

    private static func refused(_ byte: UInt8, by reader: String, at time: Double = 1_700_000_000) -> RefusedTag {
        RefusedTag(
            uid: [0x04, byte], chip: "NTAG213", reader: reader, cause: "readOnly", reason: "It is locked.",
            isQuarantined: false, time: Date(timeIntervalSince1970: time))
    }

    @Test func refusalsAreCountedByStationAndReaderAndOnceEach() throws {
        let a = try place.begin(rows: 2)
        let b = try station("desk-2")
        for byte in 1...3 { try a.refuse(Self.refused(UInt8(byte), by: "one")) }
        try a.refuse(Self.refused(1, by: "one", at: 1_700_000_060))
        // Told again, as after a broken connection.
        try a.refuse(Self.refused(1, by: "one", at: 1_700_000_060))
        try a.refuse(Self.refused(4, by: "two"))
        try b.refuse(Self.refused(5, by: "one"))
        let activity = try place.server.open(plan: "plan.csv").activity()
        #expect(activity.stations.map(\.name) == ["desk-1", "desk-2"])
        #expect(
            activity.stations[0].refusals == [
                ReaderRefusals(reader: "one", count: 4, last: Date(timeIntervalSince1970: 1_700_000_060)),
                ReaderRefusals(reader: "two", count: 1, last: Date(timeIntervalSince1970: 1_700_000_000)),
            ])
        #expect(activity.stations[1].refused == 1)
    }

    @Test func aStationThatLeavesEndsAndOneThatIsKilledIsLost() throws {
        let a = try place.begin(rows: 2)
        var b: PostgreSQLJournal? = try station("desk-2")
        let c = try station("desk-3")
        #expect(try c.claimRow(except: []) != nil && b != nil)
        b = nil
        try place.sql(
            """
            SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN nfctool.station s ON s.id = l.objid::bigint
            WHERE l.locktype = 'advisory' AND s.name = 'desk-3'
            """)
        let reader = try place.server.open(plan: "plan.csv")
        // The server ends a session in its own time.
        var states: [StationActivity.Presence] = []
        for _ in 0..<100 {
            states = try reader.activity().stations.map(\.presence)
            if states.last != .connected { break }
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(states.count == 3 && states[0] == .connected && states[2] == .lost)
        guard case .left(_?) = states[1] else {
            Issue.record("\(states)")
            return
        }
        // Who comes back is connected again.
        let back = try station("desk-2")
        #expect(try reader.activity().stations[1].presence == .connected)
        withExtendedLifetime((a, back)) {}
    }

    @Test func hostileNamesAreCutAndReadAsTheyAre() throws {
        let journal = try place.begin(rows: 1)
        let reader = "\"';</script>\0\\" + String(repeating: "r", count: 1 << 20)
        try journal.refuse(Self.refused(1, by: reader))
        try journal.refuse(Self.refused(2, by: reader + "x"))
        let refusals = try place.server.open(plan: "plan.csv").activity().stations[0].refusals
        #expect(refusals.count == 1 && refusals[0].count == 2)
        #expect(refusals[0].reader.hasPrefix("\"';</script>\0\\rrr") && refusals[0].reader.count < 210)
        let id = try place.sql("SELECT id FROM nfctool.plan")
        #expect(throws: PostgreSQLServer.Failure.self) {
            try place.sql("SELECT nfctool.join_plan(\(id), repeat('x', 65))")
        }
    }

    @Test func aPlanThatGoesIsSaid() throws {
        let journal = try place.begin(rows: 1)
        let reader = try place.server.open(plan: "plan.csv")
        #expect(journal.discard())
        #expect(throws: JournalError.noSuchPlan(journal: try place.server.address.name, plan: "plan.csv", known: [])) {
            try reader.activity()
        }
    }

    /// The tables of version 1, in use: init-db brings them to this version, and what they know stays.
    @Test func tablesOfTheFirstVersionAreUpgraded() throws {
        _ = try JournalDatabase.new()
        let database = try PostgreSQLServer.shared.get().newDatabase()
        let server = try JournalDatabase.server(database)
        func sql(_ text: String) throws -> String { try PostgreSQLServer.shared.get().sql(text, in: database) }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Version1.sql")
        _ = try sql(String(contentsOf: file, encoding: .utf8))
        _ = try sql(
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
        #expect(throws: JournalError.otherSchema(journal: server.address.name, found: 1, known: 2)) {
            try server.open(plan: "plan.csv")
        }
        for _ in 0..<2 { try server.prepare() }
        #expect(try sql("SELECT version FROM nfctool.schema_version") == "2")
        let journal = try server.open(plan: "plan.csv")
        let activity = try journal.activity()
        #expect(activity.counts.interrupted == 1 && activity.counts.pending == 2)
        #expect(activity.stations.map(\.refused) == [2] && activity.stations[0].interrupted == 1)
        guard case .left = activity.stations[0].presence else {
            Issue.record("\(activity.stations)")
            return
        }
        // The station takes its tag up again.
        let station = try server.open(plan: "plan.csv", station: "desk-1")
        try station.advance(1, of: [4, 1], to: .written)
        try station.advance(1, of: [4, 1], to: .proven, proof: JournalPlace.proof)
        #expect(try journal.activity().counts.provisioned == 1)
        #expect(try journal.refusal(of: [4, 3])?.isQuarantined == true)
    }
}
