// Damaged tables of a plan in a database cause an error. The plan never looks complete

import Synchronization
import Testing

@testable import PostgreSQLJournal
@testable import Provisioning

@Suite struct DamagedTablesTests {
    private let place: JournalPlace

    init() throws { place = try JournalPlace(.server) }

    @Test func aDamagedTallyIsFoundWhenAStationJoins() throws {
        do { _ = try place.begin(rows: 3) }
        try place.sql("UPDATE nfctool.tally SET state = 'proven'")
        let error = #expect(throws: JournalError.self) { try place.store(station: "desk-2").open() }
        #expect(error?.description.contains("its row count is not valid") == true, "\(error as Any)")
    }

    @Test(arguments: [
        ("left_at = NULL, seen = now()", false), ("left_at = NULL, seen = now() - interval '11 min'", true),
        ("left_at = now(), seen = now()", true),
    ]) func onlyAStationThatComesBackSoonDoesNotCountTheRowsAgain(last: String, isCounted: Bool) throws {
        do { _ = try place.begin(rows: 3) }
        try place.sql("UPDATE nfctool.tally SET state = 'proven'; UPDATE nfctool.station SET \(last)")
        let opened = Result { try place.store(station: "desk-1").open() }
        if case .failure(let error) = opened {
            #expect(isCounted && "\(error)".contains("its row count is not valid"))
        } else {
            #expect(!isCounted)
        }
    }

    @Test func aDamagedTallyNeverSaysThatAllIsDone() throws {
        let journal = try #require(try place.begin(rows: 1, plan: Self.unlocked) as? PostgreSQLJournal)
        #expect(try !journal.progress().isComplete)
        try place.sql("UPDATE nfctool.tally SET state = 'proven'")
        let looking = try place.server.open(plan: "plan.csv")
        for other in [journal, looking] {
            other.state.withLock { $0.counts = nil }
            let error = #expect(throws: JournalError.self) { try other.progress() }
            #expect(error?.description.contains("its row count") == true)
        }
    }

    private static let unlocked = PlanIdentity(file: "plan.csv", sha256: "AB12", recipe: ["--uri {id}"])

    @Test func aPlanWhoseCountsAreRightIsComplete() throws {
        let journal = try #require(try place.begin(rows: 1, plan: Self.unlocked) as? PostgreSQLJournal)
        try journal.bind(1, to: JournalPlace.tag(1))
        try journal.advance(1, of: JournalPlace.uid(1), to: .written)
        try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        #expect(try journal.progress().isComplete)
        #expect(try place.server.open(plan: "plan.csv").progress().isComplete)
    }

    /// Numbers that no plan can have cause an error and no crash.
    @Test(arguments: ["-1", "2147483648", "9223372036854775807"]) func countsThatCannotBeAreDamage(count: String) throws
    {
        let journal = try #require(try place.begin(rows: 1) as? PostgreSQLJournal)
        let looking = try place.server.open(plan: "plan.csv")
        try place.sql(
            """
            UPDATE nfctool.tally SET count = \(count);
            INSERT INTO nfctool.tally SELECT plan, 7, state, seal, count FROM nfctool.tally
            """)
        for other in [journal, looking] {
            other.state.withLock { $0.counts = nil }
            #expect(throws: JournalError.self) { try other.progress() }
            #expect(throws: JournalError.self) { try other.counts() }
        }
    }

    @Test func aRowWithTheLastVersionIsDamage() throws {
        let journal = try place.begin(rows: 1)
        try place.sql("UPDATE nfctool.plan_row SET version = 9223372036854775806")
        try journal.bind(1, to: JournalPlace.tag(1))
        #expect(throws: JournalError.self) { try journal.advance(1, of: JournalPlace.uid(1), to: .written) }
    }

    /// If times are more precise than those that clients request, refused tags are still listed once, or the journal is
    /// reported as damaged.
    @Test func refusedTagsAreListedOnceWhateverTheirTimes() throws {
        let journal = try place.begin(rows: 1)
        try place.sql(
            """
            SELECT nfctool.refuse(1, NULL, json_build_object('uid', lpad(to_hex(n), 8, '0'), 'chip', '', 'reader', '',
                'cause', '', 'reason', '', 'quarantined', false, 'time', '2026-01-01T00:00:00.000001Z'))
            FROM generate_series(1, 600) AS n
            """)
        var uids: Set<[UInt8]> = []
        try journal.forEachRefusedTag { uids.insert($0.uid) }
        #expect(uids.count == 600)
        try place.sql("UPDATE nfctool.refused_tag SET time = time + interval '1 microsecond'")
        #expect(throws: JournalError.self) { try journal.forEachRefusedTag { _ in } }
    }
}
