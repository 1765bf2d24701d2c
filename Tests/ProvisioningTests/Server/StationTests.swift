// Stations of one plan in a database: rows are claimed, bound once, stored once, and taken up again by name

import Foundation
import PostgreSQLServer
import Synchronization
import Testing

@testable import PostgreSQLJournal
@testable import Provisioning

@Suite struct StationTests {
    private let place: JournalPlace

    init() throws { place = try JournalPlace(.server) }

    private func station(_ name: String) throws -> PostgreSQLJournal {
        try #require(try place.store(station: name).open() as? PostgreSQLJournal)
    }

    @Test func aStationJoinsByNameAndByDigestWithoutTheFile() throws {
        let digest = String(repeating: "AB", count: 32)
        _ = try place.begin(rows: 2, plan: PlanIdentity(file: "lists/plan.csv", sha256: digest, recipe: ["--uri {id}"]))
        let server = try place.server
        #expect(try server.open(plan: "plan.csv", station: "a").plan.recipe == ["--uri {id}"])
        #expect(try server.open(plan: digest.lowercased()).plan.sha256 == digest)
        #expect(try server.open(plan: "abababab").row(2)?.row == JournalPlace.row(2))
        #expect(throws: JournalError.noSuchPlan(journal: server.address.name, plan: "tags.csv", known: ["plan.csv"])) {
            try server.open(plan: "tags.csv")
        }
        #expect(throws: JournalError.exists(path: try place.store().name)) { try place.begin(rows: 1) }
    }

    @Test func twoStationsAreGivenDifferentRowsAndASecondOneOfANameNone() throws {
        let a = try #require(try place.begin(rows: 40) as? PostgreSQLJournal)
        let b = try station("desk-2")
        let server = try place.server
        #expect(throws: JournalError.stationTaken(journal: server.address.name, station: "desk-2")) {
            try station("desk-2")
        }
        var given: [Int] = []
        for journal in [a, b, a, b] {
            let row = try #require(try journal.claimRow(except: Set(given)))
            given.append(row.number)
        }
        #expect(Set(given).count == 4)
        try a.bind(given[0], to: JournalPlace.tag(1))
        // Another station's claim is not taken, and its tag gets no second row.
        #expect(throws: JournalError.claimLost(row: given[2])) { try b.bind(given[2], to: JournalPlace.tag(2)) }
        #expect(throws: JournalError.tagHasRow(uid: JournalPlace.tag(1).uid, row: given[0])) {
            try b.bind(given[1], to: JournalPlace.tag(1))
        }
        let known = try b.standing(of: JournalPlace.tag(1).uid)
        guard case .row(let row) = known else {
            Issue.record("\(known)")
            return
        }
        #expect(row.station == "desk-1" && !b.isOurs(row) && a.isOurs(row))
    }

    @Test func claimsThatAreNotBoundReturnWithTheSessionAndWithTheLease() throws {
        let a = try #require(try place.begin(rows: 2) as? PostgreSQLJournal)
        var left: PostgreSQLJournal? = try station("desk-2")
        #expect(try left?.claimRow(except: []) != nil)
        #expect(try left?.claimRow(except: [1]) != nil)
        #expect(try a.claimRow(except: []) == nil)
        left = nil
        let b = try station("desk-3")
        let row = try #require(try b.claimRow(except: []))
        let other = try #require(try b.claimRow(except: [row.number]))
        // Time goes by in the database.
        try place.sql("UPDATE nfctool.plan_row SET claimed_until = now() - interval '1 s' WHERE number = \(row.number)")
        let c = try station("desk-4")
        #expect(try c.claimRow(except: [])?.number == row.number)
        #expect(try c.claimRow(except: [row.number]) == nil)
        #expect(throws: JournalError.claimLost(row: row.number)) { try b.bind(row.number, to: JournalPlace.tag(1)) }
        try b.bind(other.number, to: JournalPlace.tag(1))
        try c.bind(row.number, to: JournalPlace.tag(2))
        #expect(try b.counts()[.bound] == 2)
    }

    /// The whole way of a tag: looked up, bound, proven, sealed.
    @Test func aTagCostsFourRoundTrips() throws {
        let journal = try #require(try place.begin(rows: 100) as? PostgreSQLJournal)
        let tags = 20
        let before = journal.roundTrips
        for index in 0..<tags {
            let tag = JournalPlace.tag(UInt8(index + 1))
            #expect(try journal.standing(of: tag.uid) == .unknown)
            let row = try #require(try journal.claimRow(except: []))
            try journal.bind(row.number, to: tag)
            try journal.advance(row.number, to: .written)
            try journal.advance(row.number, to: .proven, proof: JournalPlace.proof)
            try journal.advance(row.number, to: .sealed)
        }
        #expect(journal.roundTrips - before <= 4 * tags)
        #expect(try journal.counts()[.sealed] == tags)
    }

    @Test func progressCountsWhatAllStationsDid() throws {
        let a = try #require(try place.begin(rows: 4) as? PostgreSQLJournal)
        let b = try station("desk-2")
        for (byte, journal) in [(UInt8(1), a), (2, b)] {
            let row = try #require(try journal.claimRow(except: []))
            try journal.bind(row.number, to: JournalPlace.tag(byte))
            try journal.advance(row.number, to: .written)
            try journal.advance(row.number, to: .proven, proof: JournalPlace.proof)
            if byte == 2 { try journal.advance(row.number, to: .sealed) }
        }
        // The plan locks: a row that is only proven is not done.
        let progress = try place.server.open(plan: "plan.csv").progress()
        #expect(
            progress.waitingForSeal == 1 && progress.locked == 1 && progress.provisioned == 1 && progress.pending == 2)
        #expect(try a.unfinishedRows(limit: 5).map(\.row.number) == [1])
        #expect(try b.unfinishedRows(limit: 5).isEmpty)
    }

    @Test func aRowThatWasGivenBackMeanwhileIsNotStoredForItsOldTag() throws {
        let a = try #require(try place.begin(rows: 2) as? PostgreSQLJournal)
        try a.bind(1, to: JournalPlace.tag(1))
        try place.server.open(plan: "plan.csv").release(1)
        try a.advance(1, to: .written)
        #expect(throws: JournalError.rowMoved(row: 1)) { try a.advance(1, to: .proven, proof: JournalPlace.proof) }
        #expect(try a.row(1)?.state == .pending)
        #expect(try a.counts()[.pending] == 2)
    }

    @Test func aPlanGrowsAndShrinks() throws {
        let journal = try place.begin(rows: 2)
        let longer = PlanIdentity(file: "plan.csv", sha256: "EE", recipe: JournalPlace.plan.recipe)
        let extended = try journal.extended(after: 2) { insert in
            try insert(JournalPlace.row(3))
            return longer
        }
        #expect(extended.plan.sha256 == "EE")
        #expect(try extended.counts()[.pending] == 3)
        try extended.bind(3, to: JournalPlace.tag(3))
        #expect(throws: JournalError.notPending(row: 3, state: .bound)) {
            try extended.shorten(to: 2, as: journal.plan)
        }
        try extended.free(3)
        try extended.shorten(to: 2, as: journal.plan)
        #expect(try extended.counts()[.pending] == 2)
        #expect(extended.discard())
    }

    /// Quotes, signs of SQL and JSON, control characters, NUL, a megabyte: stored exactly, in the plan and of tags.
    @Test(arguments: [
        "'; DROP SCHEMA nfctool CASCADE; --", "$1 $$ \\x41 \\0 \\\\", "\0", "\t\r\n\\N\\.", "{\"a\":[null]}",
        "\u{FFFD}\u{1F600}\u{7F}\u{85}",
    ]) func hostileTextsAreStoredExactly(text: String) throws {
        let row = PlanRow(number: 1, line: 2, fields: [PlanField(name: text, value: text)])
        let journal = try place.store().create { insert in
            try insert(row)
            return PlanIdentity(file: "plan.csv", sha256: "AB", recipe: [text])
        }
        #expect(journal.plan.recipe == [text])
        #expect(try journal.claimRow(except: []) == row)
        let tag = BoundTag(uid: [4, 1], chip: text, reader: text, bound: Date(timeIntervalSince1970: 1))
        try journal.bind(1, to: tag)
        try journal.advance(1, to: .written)
        let proof = RowProof(messageLength: 1, sha256: "CD", signature: text, seconds: 0.1)
        try journal.advance(1, to: .proven, proof: proof)
        try journal.fail(1, reason: text)
        let stored = try #require(try journal.row(1))
        #expect(stored.row == row && stored.tag == tag && stored.proof == proof && stored.reason == text)
        let refused = RefusedTag(
            uid: [9], chip: text, reader: text, cause: text, reason: text, isQuarantined: true,
            time: Date(timeIntervalSince1970: 2))
        try journal.refuse(refused)
        #expect(try journal.refusal(of: [9]) == refused)
        #expect(try place.sql("SELECT count(*) FROM nfctool.plan_row") == "1")
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
