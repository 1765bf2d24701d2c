// The database's record of stations: refusals by reader, last contact, and how each station ended; and the upgrade of
// old tables

import Foundation
import PostgreSQLServer
import Synchronization
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
        // The refusal is sent again, like after a broken connection.
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

    @Test(arguments: JournalKind.allCases) func theTagOfARowThatWasReleasedIsNotCountedAsRefused(
        kind: JournalKind
    ) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1)
        try journal.refuse(.moved(from: 1, uid: [0x04, 1], chip: "NTAG213", reader: "one"))
        #expect(try journal.refusal(of: [0x04, 1])?.cause == .known(.rowMoved))
        #expect(try journal.activity().stations.allSatisfy { $0.refusals.isEmpty })
        try journal.refuse(Self.refused(2, by: "one"))
        #expect(try journal.activity().stations.flatMap(\.refusals).map(\.count) == [1])
    }

    @Test func aStationThatLeavesEndsAndOneThatIsKilledIsLost() throws {
        let a = try place.begin(rows: 2)
        var b: PostgreSQLJournal? = try station("desk-2")
        let c = try station("desk-3")
        #expect(try c.claimRow(except: []) != nil && b != nil)
        b = nil
        try place.endSession(ofStation: "desk-3")
        let reader = try place.server.open(plan: "plan.csv")
        // The server takes some time to end a session.
        var states: [StationActivity.Presence] = []
        for _ in 0..<1000 {
            states = try reader.activity().stations.map(\.presence)
            if states.last != .connected { break }
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(states.count == 3 && states[0] == .connected && states[2] == .lost)
        guard case .left(_?) = states[1] else {
            Issue.record("\(states)")
            return
        }
        // A station that comes back is connected again.
        let back = try station("desk-2")
        #expect(try reader.activity().stations[1].presence == .connected)
        withExtendedLifetime((a, back)) {}
    }

    /// Stations that are not listed still count for the plan.
    @Test func moreStationsThanAreListedDoNotChangeWhatIsBeingWritten() throws {
        let a = try place.begin(rows: 5)
        try a.bind(1, to: JournalPlace.tag(1))
        let lost = try station("desk-2")
        // Free the rows that desk-1 has claimed for its next tags.
        try place.sql("UPDATE nfctool.plan_row SET claimant = NULL, claimed_until = NULL")
        for byte in UInt8(2)...4 { try lost.bind(Int(byte), to: JournalPlace.tag(byte)) }
        try place.endSession(ofStation: "desk-2")
        // Make the last contact of desk-2 older than those of a thousand other stations.
        try place.sql("UPDATE nfctool.station SET seen = now() - interval '1 h' WHERE name = 'desk-2'")
        try place.sql(
            """
            INSERT INTO nfctool.station (plan, name, login, joined, seen, last_tag, left_at)
            SELECT plan, 'other-' || n, login, now(), now() + interval '1 s', now(), now()
            FROM nfctool.station, generate_series(1, 999) AS n WHERE name = 'desk-1'
            """)
        let reader = try place.server.open(plan: "plan.csv")
        var activity = try reader.activity()
        // The server takes some time to end a session.
        for _ in 0..<1000 where activity.beingWritten > 1 {
            Thread.sleep(forTimeInterval: 0.02)
            activity = try reader.activity()
        }
        #expect(activity.stations.count == 1000 && !activity.stations.contains { $0.name == "desk-2" })
        #expect(activity.counts.interrupted == 4 && activity.beingWritten == 1)
        #expect(try ProvisionStatus(reader, name: "j").beingWritten == 1)
        withExtendedLifetime((a, lost)) {}
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

    /// A station queries the progress of the plan with every poll for a tag.
    ///
    /// This counts as contact, but not as a tag.
    @Test func aStationWithoutATagIsSeenAndHasNoNewerTag() throws {
        let journal = try #require(try place.begin(rows: 2) as? PostgreSQLJournal)
        let reader = try place.server.open(plan: "plan.csv")
        func age() throws {
            try place.sql(
                "UPDATE nfctool.station SET seen = '2026-01-01', last_tag = '2026-01-01', joined = '2026-01-01'")
        }
        let old = Date(timeIntervalSince1970: 1_767_225_600)
        try age()
        journal.state.withLock { $0.counts = nil }
        _ = try journal.progress()
        #expect(try reader.activity().stations[0].seen == old)
        #expect(try place.sql("SELECT seen > '2026-01-02' FROM nfctool.station") == "t")
        try age()
        _ = try journal.claimRow(except: [])
        #expect(try reader.activity().stations[0].seen == old)
        _ = try journal.standing(of: JournalPlace.uid(1))
        #expect(try #require(try reader.activity().stations[0].seen) > old)
    }

    @Test func whatAnAdministratorChangesIsCountedForTheStationOfTheRow() throws {
        let plan = PlanIdentity(file: "plan.csv", sha256: "AB", recipe: ["--uri {id}"])
        let journal = try place.begin(rows: 2, plan: plan)
        try journal.bind(1, to: JournalPlace.tag(1))
        try journal.advance(1, of: JournalPlace.uid(1), to: .written)
        try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        let administrator = try place.server.open(plan: "plan.csv")
        #expect(try administrator.activity().stations[0].provisioned == 1)
        try administrator.carryOut(RowReset(of: [1], in: administrator))
        #expect(try administrator.activity().stations[0].provisioned == 0)
        #expect(try administrator.activity().counts.pending == 2)
    }

    /// A tag that is verified but not locked yet must also be placed again.
    @Test func aTagThatIsNotLockedYetIsToReturn() throws {
        let journal = try place.begin(rows: 2)
        try journal.bind(1, to: JournalPlace.tag(1))
        try journal.advance(1, of: JournalPlace.uid(1), to: .written)
        try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        // The tag is being locked now.
        #expect(try place.server.open(plan: "plan.csv").activity().stations[0].interrupted == 0)
        try journal.note(1, of: JournalPlace.uid(1), reason: "The tag left the field.")
        #expect(try place.server.open(plan: "plan.csv").activity().stations[0].interrupted == 1)
        try journal.advance(1, of: JournalPlace.uid(1), to: .sealed)
        #expect(try place.server.open(plan: "plan.csv").activity().stations[0].interrupted == 0)
    }

    @Test func aRowIsNotFreedUnaskedWhileItsStationIsConnected() throws {
        var journal: (any ProvisionJournal)? = try place.begin(rows: 2)
        try journal?.bind(1, to: JournalPlace.tag(1))
        let administrator = try place.server.open(plan: "plan.csv")
        let row = try #require(try administrator.row(1))
        #expect(try administrator.stationAtWork(on: row) == "desk-1")
        // A failed row is not being written, and a row without a tag has no station.
        try journal?.fail(1, of: JournalPlace.uid(1), reason: "It is locked.")
        #expect(try administrator.stationAtWork(on: #require(try administrator.row(1))) == nil)
        #expect(try administrator.stationAtWork(on: #require(try administrator.row(2))) == nil)
        journal = nil
        // The server takes some time to end a session.
        for _ in 0..<1000 where try administrator.stationAtWork(on: row) != nil { Thread.sleep(forTimeInterval: 0.02) }
        #expect(try administrator.stationAtWork(on: row) == nil)
    }

    // MARK: Damage

    /// Numbers that no plan can have, alone or in sum, cause an error and no crash.
    @Test(arguments: [
        "UPDATE nfctool.refusal_tally SET count = 9223372036854775807",
        "UPDATE nfctool.refusal_tally SET count = -1",
        "UPDATE nfctool.refusal_tally SET count = 2147483647",
        """
        INSERT INTO nfctool.tally SELECT plan, id, 'sealed', 2, 3000000000 FROM nfctool.station;
        INSERT INTO nfctool.tally SELECT plan, 0, 'sealed', 2, -3000000000 FROM nfctool.station
        """,
    ]) func numbersOfStationsThatCannotBeAreDamage(_ change: String) throws {
        let journal = try place.begin(rows: 1)
        try journal.refuse(Self.refused(1, by: "one"))
        try journal.refuse(Self.refused(2, by: "two"))
        let reader = try place.server.open(plan: "plan.csv")
        #expect(try reader.activity().stations[0].refused == 2)
        try place.sql(change)
        let error = #expect(throws: JournalError.self) { try reader.activity() }
        #expect(error?.description.contains("damaged") == true, "\(error as Any)")
    }

    @Test func aTimeThatCannotBeIsDamage() throws {
        let journal = try place.begin(rows: 1)
        try journal.bind(1, to: JournalPlace.tag(1))
        try journal.advance(1, of: JournalPlace.uid(1), to: .written)
        try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        try journal.advance(1, of: JournalPlace.uid(1), to: .sealed)
        let reader = try place.server.open(plan: "plan.csv")
        #expect(try reader.recentlyProvisioned(minutes: 60).map(\.count) == [1])
        try place.sql("UPDATE nfctool.plan_row SET changed = '290000-01-01'")
        #expect(throws: JournalError.self) { try reader.recentlyProvisioned(minutes: 60) }
    }

    @Test func thatAllIsDoneIsNotTakenFromCountsAlone() throws {
        _ = try place.begin(rows: 1, plan: PlanIdentity(file: "plan.csv", sha256: "AB", recipe: []))
        let reader = try place.server.open(plan: "plan.csv")
        #expect(try !reader.activity().counts.isComplete)
        try place.sql("UPDATE nfctool.tally SET state = 'proven'")
        let error = #expect(throws: JournalError.self) { try reader.activity() }
        #expect(error?.description.contains("its row count") == true, "\(error as Any)")
    }
}
