// The database stops answering and answers again: no data is lost or duplicated, and no tag is touched without a row

import Foundation
import PostgreSQLServer
import Synchronization
import Testing

@testable import PostgreSQLJournal
@testable import Provisioning

/// The tests run one after the other, because they stop their private server.
@Suite(.serialized) struct AwayTests {
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func wait(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private static let server = Result { try PostgreSQLServer() }
    private let server: PostgreSQLServer
    private let plans: PlanServer
    private let database: String
    private let clock = Clock()

    init() throws {
        server = try Self.server.get()
        database = try server.newDatabase()
        plans = PlanServer(try ServerAddress(server.uri(database)))
        try plans.prepare()
    }

    private func begin(rows: Int) throws -> PostgreSQLJournal {
        let name = "plan.csv"
        do {
            _ = try plans.store(plan: name, station: "loader").create { insert in
                for number in 1...rows { try insert(JournalPlace.row(number)) }
                return JournalPlace.plan
            }
        }
        return try station("desk-1")
    }

    private func station(_ name: String) throws -> PostgreSQLJournal {
        let connection = try plans.connect()
        let id = try #require(try plans.plan("plan.csv", over: connection))
        return try PostgreSQLJournal(plans, connection, plan: id, station: name) { [clock] in clock.now }
    }

    private static func isAway(_ error: JournalError?) -> Bool { if case .away? = error { true } else { false } }

    @Test func stepsOfTheTagInHandAreKeptAndStoredOnce() throws {
        let journal = try begin(rows: 20)
        try journal.bind(1, to: JournalPlace.tag(1))
        try server.stopAtOnce()
        try journal.advance(1, of: JournalPlace.uid(1), to: .written)
        try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        try journal.advance(1, of: JournalPlace.uid(1), to: .sealed)
        guard case .away(_, keptRows: 1, keptTags: 0) = journal.reach else {
            Issue.record("\(journal.reach)")
            return
        }
        #expect(Self.isAway(#expect(throws: JournalError.self) { try journal.claimRow(except: []) }))
        #expect(Self.isAway(#expect(throws: JournalError.self) { try journal.bind(2, to: JournalPlace.tag(2)) }))
        try journal.refuse(JournalPlace.refused(7, quarantined: true))
        #expect(try journal.progress().locked == 1)
        guard case .away(let reason, keptRows: 1, keptTags: 1) = journal.reach else {
            Issue.record("\(journal.reach)")
            return
        }
        // Row 2 was never sent.
        let lost = #expect(throws: JournalError.self) { try journal.settle() }
        guard case .stepsKept(_, rows: [1], tags: [JournalPlace.uid(7)], _)? = lost else {
            Issue.record("\(String(describing: lost))")
            return
        }
        #expect(
            lost?.description.contains("Cannot reach the database") == true && !reason.isEmpty
                && lost?.description.contains("04A107") == true)
        // Each attempt that fails makes the next pause longer.
        #expect(try journal.reachAgain() == nil)
        try server.start()
        #expect(try journal.reachAgain() == nil)
        clock.wait(.seconds(20))
        let back = try #require(try journal.reachAgain())
        #expect(back.after == .seconds(20) && back.moved.isEmpty && back.stored.contains(1))
        #expect(journal.reach == .near)
        #expect(try journal.row(1)?.state == .sealed)
        #expect(try journal.row(2)?.state == .pending)
        #expect(try journal.refusal(of: JournalPlace.refused(7, quarantined: true).uid)?.isQuarantined == true)
        #expect(try journal.counts() == [.pending: 19, .bound: 0, .written: 0, .proven: 0, .sealed: 1, .failed: 0])
        try journal.settle()
    }

    /// The server's process ends in the middle of a statement, so the result of the statement is not known.
    @Test(arguments: ["bind", "change"]) func whatMayHaveBeenDoneIsDoneOnce(function: String) throws {
        let journal = try begin(rows: 3)
        if function == "change" { try journal.bind(1, to: JournalPlace.tag(1)) }
        try server.sql(
            """
            CREATE FUNCTION public.cut() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
                PERFORM pg_terminate_backend(pg_backend_pid());
                PERFORM pg_sleep(5);
                RETURN NULL;
            END $$;
            CREATE TRIGGER cut AFTER UPDATE OF state ON nfctool.plan_row
                FOR EACH ROW EXECUTE FUNCTION public.cut();
            """, in: database)
        if function == "bind" {
            #expect(Self.isAway(#expect(throws: JournalError.self) { try journal.bind(1, to: JournalPlace.tag(1)) }))
        } else {
            try journal.advance(1, of: JournalPlace.uid(1), to: .written)
            try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        }
        guard case .away = journal.reach else {
            Issue.record("\(journal.reach)")
            return
        }
        try server.sql("DROP FUNCTION public.cut CASCADE", in: database)
        clock.wait(.seconds(1))
        let back = try #require(try journal.reachAgain())
        #expect(back.moved.isEmpty && back.stored == [1])
        #expect(try journal.row(1)?.state == (function == "bind" ? .pending : .proven))
        #expect(try journal.counts()[.pending] == (function == "bind" ? 3 : 2))
    }

    @Test func aRowThatWasBoundWithoutAnAnswerGoesBackFromItsUntouchedTag() throws {
        let journal = try begin(rows: 2)
        try journal.bind(1, to: JournalPlace.tag(1))
        // Simulate a lost answer.
        journal.state.withLock { state in
            state.known = [:]
            state.kept = [StoredStep(unbinding: 1, from: JournalPlace.tag(1).uid)]
        }
        #expect(try journal.row(1)?.state == .pending)
        #expect(try journal.counts()[.pending] == 2)
        try journal.bind(2, to: JournalPlace.tag(1))
    }

    /// No reader has the tag any more, so only the journal can name it.
    @Test func aTagWhoseRowWasReleasedMeanwhileIsRecordedAsRefused() throws {
        let journal = try begin(rows: 2)
        try journal.bind(1, to: JournalPlace.tag(1))
        try server.stopAtOnce()
        try journal.advance(1, of: JournalPlace.uid(1), to: .written)
        try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        try server.start()
        try plans.open(plan: "plan.csv").release(1)
        clock.wait(.seconds(20))
        let back = try #require(try journal.reachAgain())
        #expect(back.moved == [1])
        let refusal = try #require(try journal.refusal(of: JournalPlace.uid(1)))
        #expect(refusal.cause == .known(.rowMoved) && !refusal.isQuarantined)
    }

    @Test func stepsThatWereStoredBeforeAreNotStoredAgain() throws {
        let journal = try begin(rows: 2)
        try journal.bind(1, to: JournalPlace.tag(1))
        let before = try #require(journal.state.withLock { $0.known[1] })
        try journal.advance(1, of: JournalPlace.uid(1), to: .written)
        let steps = journal.state.withLock { $0.kept }
        try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        // The answer was lost, so the steps are sent again after the row has changed.
        journal.state.withLock { state in
            state.kept = steps
            state.known[1] = before
        }
        #expect(try journal.row(1)?.state == .proven)
        #expect(try journal.counts()[.proven] == 1)
    }

    @Test func aNameThatAnotherProcessTookMeanwhileEndsTheStation() throws {
        let journal = try begin(rows: 2)
        try server.stopAtOnce()
        #expect(Self.isAway(#expect(throws: JournalError.self) { try journal.claimRow(except: []) }))
        try server.start()
        let other = try station("desk-1")
        #expect(throws: JournalError.stationTaken(journal: plans.address.name, station: "desk-1")) {
            try journal.reachAgain()
        }
        withExtendedLifetime(other) {}
    }

    /// If only a refused tag is kept, it is not lost silently, and it is stored when the database is available again.
    @Test(arguments: [false, true]) func aRefusalThatIsNotStoredIsToldAtTheEnd(quarantined: Bool) throws {
        let journal = try begin(rows: 2)
        try server.stopAtOnce()
        let tag = JournalPlace.refused(7, quarantined: quarantined)
        try journal.refuse(tag)
        let lost = #expect(throws: JournalError.self) { try journal.settle() }
        guard case .stepsKept(_, rows: [], tags: [tag.uid], _)? = lost else {
            Issue.record("\(String(describing: lost))")
            return
        }
        try server.start()
        clock.wait(.seconds(20))
        try journal.settle()
        #expect(try journal.refusal(of: tag.uid) == tag)
        try journal.settle()
    }

    @Test func theEndTellsThatTheDatabaseIsAwayWhereNothingIsKept() throws {
        let journal = try begin(rows: 2)
        try server.stopAtOnce()
        #expect(Self.isAway(#expect(throws: JournalError.self) { try journal.claimRow(except: []) }))
        #expect(Self.isAway(#expect(throws: JournalError.self) { try journal.settle() }))
        try server.start()
    }

    /// Whatever prevents the steps from being stored, the rows are named.
    @Test func rowsAreNamedAlsoWhenTheNameWasTakenMeanwhile() throws {
        let journal = try begin(rows: 2)
        try journal.bind(1, to: JournalPlace.tag(1))
        try server.stopAtOnce()
        try journal.advance(1, of: JournalPlace.uid(1), to: .written)
        try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        try server.start()
        let other = try station("desk-1")
        let lost = #expect(throws: JournalError.self) { try journal.settle() }
        guard case .stepsKept(_, rows: [1], tags: [], let reason)? = lost else {
            Issue.record("\(String(describing: lost))")
            return
        }
        #expect(reason.contains("desk-1"))
        withExtendedLifetime(other) {}
    }

    // MARK: Answers that are lost

    /// The server carries out the request, but the answer is lost on the way.
    @Test func aBindWhoseAnswerIsLostIsTakenBack() throws {
        let journal = try begin(rows: 2)
        let relay = try Relay(to: server)
        let station = try journal.overRelay(relay, "desk-2") { [clock] in clock.now }
        relay.loseNextAnswer()
        #expect(Self.isAway(#expect(throws: JournalError.self) { try station.bind(1, to: JournalPlace.tag(1)) }))
        #expect(try journal.row(1)?.tag == JournalPlace.tag(1))
        clock.wait(.seconds(1))
        let back = try #require(try station.reachAgain())
        #expect(back.stored == [1] && back.moved.isEmpty)
        #expect(try journal.row(1)?.state == .pending)
        #expect(try journal.counts()[.pending] == 2)
        try station.bind(2, to: JournalPlace.tag(1))
    }

    @Test func aStepWhoseAnswerIsLostIsStoredOnce() throws {
        let journal = try begin(rows: 2)
        let relay = try Relay(to: server)
        let station = try journal.overRelay(relay, "desk-2") { [clock] in clock.now }
        let uid = JournalPlace.uid(1)
        try station.bind(1, to: JournalPlace.tag(1))
        try station.advance(1, of: uid, to: .written)
        relay.loseNextAnswer()
        try station.advance(1, of: uid, to: .proven, proof: JournalPlace.proof)
        #expect(try journal.row(1)?.state == .proven)
        #expect(station.reach != .near)
        // Work on the tag continues in the meantime.
        try station.advance(1, of: uid, to: .sealed)
        clock.wait(.seconds(1))
        let back = try #require(try station.reachAgain())
        #expect(back.stored == [1] && back.moved.isEmpty)
        let row = try #require(try station.row(1))
        #expect(row.state == .sealed && row.proof == JournalPlace.proof)
        #expect(try server.sql("SELECT version FROM nfctool.plan_row WHERE number = 1", in: database) == "4")
        #expect(try journal.counts() == [.pending: 1, .bound: 0, .written: 0, .proven: 0, .sealed: 1, .failed: 0])
    }

    @Test func aRefusalWhoseAnswerIsLostIsStoredOnce() throws {
        let journal = try begin(rows: 1)
        let relay = try Relay(to: server)
        let station = try journal.overRelay(relay, "desk-2") { [clock] in clock.now }
        relay.loseNextAnswer()
        let tag = JournalPlace.refused(7, quarantined: true)
        try station.refuse(tag)
        clock.wait(.seconds(1))
        _ = try #require(try station.reachAgain())
        #expect(try journal.refusal(of: tag.uid) == tag)
        #expect(try server.sql("SELECT count(*) FROM nfctool.refused_tag", in: database) == "1")
    }

    @Test func aStationTakesItsRowsUpAgainByName() throws {
        let journal = try begin(rows: 3)
        try journal.bind(2, to: JournalPlace.tag(2))
        try server.stopAtOnce()
        try server.start()
        let again = try #require(try? station("desk-1"))
        #expect(try again.unfinishedRows(limit: 9).map(\.row.number) == [2])
        try again.advance(2, of: JournalPlace.uid(2), to: .written)
        try again.advance(2, of: JournalPlace.uid(2), to: .proven, proof: JournalPlace.proof)
        #expect(try again.row(2)?.state == .proven)
        withExtendedLifetime(journal) {}
    }

    @Test func pausesDoubleUpToALimit() {
        let start = ContinuousClock.now
        var absence = Absence(since: start)
        #expect(absence.next == start)
        var pauses: [Duration] = []
        for _ in 0..<8 {
            absence.failed(at: start)
            pauses.append(absence.next - start)
        }
        #expect(pauses.map { $0 / .milliseconds(1) } == [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
    }
}

extension PostgreSQLJournal {
    /// Returns another station for the same plan, over a relay.
    fileprivate func overRelay(
        _ relay: Relay, _ name: String, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) throws -> PostgreSQLJournal {
        let address = try ServerAddress(server.address.uri.replacing(relay.server.folder, with: relay.host))
        let plans = PlanServer(address)
        return try PostgreSQLJournal(plans, plans.connect(), plan: planID, station: name, now: now)
    }
}
