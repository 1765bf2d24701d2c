// Stations that work on one plan in a database: rows are claimed, bound once, stored once, and continued by name

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
        #expect(try server.onlyPlan() == "plan.csv")
        _ = try server.store(plan: "tags.csv", station: "a").create { _ in
            PlanIdentity(file: "tags.csv", sha256: digest, recipe: [])
        }
        #expect(
            throws: JournalError.severalPlans(journal: server.address.name, plan: nil, known: ["tags.csv", "plan.csv"])
        ) {
            try server.onlyPlan()
        }
        let known = ["plan.csv of postgres (SHA-256 ABABABAB)", "tags.csv of postgres (SHA-256 ABABABAB)"]
        #expect(throws: JournalError.severalPlans(journal: server.address.name, plan: "abababab", known: known)) {
            try server.open(plan: "abababab")
        }
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
        // A station cannot bind a row that another station has claimed, and a tag that has a row gets no second one.
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
        // Let the claim expire.
        try place.sql("UPDATE nfctool.plan_row SET claimed_until = now() - interval '1 s' WHERE number = \(row.number)")
        let c = try station("desk-4")
        #expect(try c.claimRow(except: [])?.number == row.number)
        #expect(try c.claimRow(except: [row.number]) == nil)
        #expect(throws: JournalError.claimLost(row: row.number)) { try b.bind(row.number, to: JournalPlace.tag(1)) }
        try b.bind(other.number, to: JournalPlace.tag(1))
        try c.bind(row.number, to: JournalPlace.tag(2))
        #expect(try b.counts()[.bound] == 2)
    }

    @Test func aStationMayBindARowThatNoneHasClaimed() throws {
        let a = try #require(try place.begin(rows: 8) as? PostgreSQLJournal)
        let b = try station("desk-2")
        let claimed = try #require(try a.claimRow(except: []))
        let ahead = try b.pendingRows(limit: 10).map(\.number)
        #expect(!ahead.contains(claimed.number) && ahead.last == 8)
        #expect(try a.pendingRows(limit: 10).map(\.number) == Array(1...8))
        try b.bind(8, to: JournalPlace.tag(8))
        #expect(throws: JournalError.notPending(row: 8, state: .bound)) { try a.bind(8, to: JournalPlace.tag(9)) }
        // Together with the row that it bound, desk-2 claimed some of the other rows.
        let rest = try a.pendingRows(limit: 10) + b.pendingRows(limit: 10)
        #expect(Set(rest.map(\.number)) == Set(1...7))
    }

    @Test func rowsWhoseClaimsHaveEndedAreAheadOfEachStation() throws {
        let a = try #require(try place.begin(rows: 2) as? PostgreSQLJournal)
        let b = try station("desk-2")
        #expect(try a.claimRow(except: [])?.number == 1 && a.claimRow(except: [1])?.number == 2)
        #expect(try a.pendingRows(limit: 10).map(\.number) == [1, 2] && b.pendingRows(limit: 10).isEmpty)
        // Let the claim expire.
        try place.sql("UPDATE nfctool.plan_row SET claimed_until = now() - interval '1 s' WHERE number = 2")
        #expect(try b.pendingRows(limit: 10) == [JournalPlace.row(2)])
        #expect(try a.pendingRows(limit: 10).map(\.number) == [1, 2] && a.pendingRows(limit: 1).map(\.number) == [1])
        try b.bind(2, to: JournalPlace.tag(2))
        #expect(throws: JournalError.notPending(row: 2, state: .bound)) { try a.bind(2, to: JournalPlace.tag(3)) }
        #expect(try a.pendingRows(limit: 10).map(\.number) == [1])
    }

    /// Without this, a tag at one desk would wait for two minutes for a row that an idle desk has claimed.
    @Test func aTagThatWaitsGetsARowThatAnIdleStationHolds() throws {
        let a = try #require(try place.begin(rows: 2) as? PostgreSQLJournal)
        let b = try station("desk-2")
        #expect(try a.claimRow(except: [])?.number == 1 && a.claimRow(except: [1])?.number == 2)
        #expect(try b.standing(of: JournalPlace.uid(9)) == .unknown)
        // The rows were claimed a moment ago, perhaps for a current tag.
        #expect(try b.claimRow(except: []) == nil)
        try place.sql("UPDATE nfctool.plan_row SET claimed_until = claimed_until - interval '6 s'")
        let c = try station("desk-3")
        #expect(try c.standing(of: JournalPlace.uid(9)) == .unknown)
        #expect(try c.claimRow(except: [])?.number == 2)
        try c.bind(2, to: JournalPlace.tag(9))
        #expect(throws: JournalError.notPending(row: 2, state: .bound)) { try a.bind(2, to: JournalPlace.tag(8)) }
        try a.bind(1, to: JournalPlace.tag(8))
    }

    /// A tag takes four steps: it is looked up, bound, verified and locked.
    @Test func aTagCostsFourRoundTrips() throws {
        let journal = try #require(try place.begin(rows: 100) as? PostgreSQLJournal)
        let tags = 20
        let before = journal.roundTrips
        for index in 0..<tags {
            let tag = JournalPlace.tag(UInt8(index + 1))
            #expect(try journal.standing(of: tag.uid) == .unknown)
            let row = try #require(try journal.claimRow(except: []))
            try journal.bind(row.number, to: tag)
            try journal.advance(row.number, of: tag.uid, to: .written)
            try journal.advance(row.number, of: tag.uid, to: .proven, proof: JournalPlace.proof)
            try journal.advance(row.number, of: tag.uid, to: .sealed)
        }
        #expect(journal.roundTrips - before <= 4 * tags)
        #expect(try journal.counts()[.sealed] == tags)
    }

    @Test func progressCountsWhatAllStationsDid() throws {
        let a = try #require(try place.begin(rows: 4) as? PostgreSQLJournal)
        let b = try station("desk-2")
        for (byte, journal) in [(UInt8(1), a), (2, b)] {
            let row = try #require(try journal.claimRow(except: []))
            let uid = JournalPlace.uid(byte)
            try journal.bind(row.number, to: JournalPlace.tag(byte))
            try journal.advance(row.number, of: uid, to: .written)
            try journal.advance(row.number, of: uid, to: .proven, proof: JournalPlace.proof)
            if byte == 2 { try journal.advance(row.number, of: uid, to: .sealed) }
        }
        // The plan requires locks, so a row that is only verified is not done.
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
        try a.advance(1, of: JournalPlace.uid(1), to: .written)
        #expect(throws: JournalError.rowMoved(row: 1)) {
            try a.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
        }
        #expect(try a.row(1)?.state == .pending)
        #expect(try a.counts()[.pending] == 2)
    }

    /// Reader A writes its tag slowly.
    ///
    /// Meanwhile, the row is released, and reader B of the same station gives it to another tag.
    @Test(arguments: [RowState.written, .bound]) func aRowThatAnotherReaderGotMeanwhileIsNotAdvancedByTheFirstTag(
        state: RowState
    ) throws {
        let journal = try #require(try place.begin(rows: 1) as? PostgreSQLJournal)
        let (x, y) = (JournalPlace.tag(1), JournalPlace.tag(2))
        try journal.bind(1, to: x)
        if state == .written { try journal.advance(1, of: x.uid, to: .written) }
        try place.server.open(plan: "plan.csv").release(1)
        // Reader B gives the row to another tag.
        try journal.bind(1, to: y)
        // Reader A continues.
        for step in [RowState.written, .proven, .failed] {
            #expect(throws: JournalError.rowMoved(row: 1)) {
                try journal.advance(1, of: x.uid, to: step, proof: JournalPlace.proof)
            }
        }
        #expect(throws: JournalError.rowMoved(row: 1)) { try journal.free(1, of: x.uid) }
        let row = try #require(try journal.row(1))
        #expect(row.state == .bound && row.tag == y && row.proof == nil)
        try journal.advance(1, of: y.uid, to: .written)
        try journal.advance(1, of: y.uid, to: .proven, proof: JournalPlace.proof)
        #expect(try journal.row(1)?.state == .proven)
        try journal.settle()
    }

    @Test func aStationPutsNoProofOnTheRowOfAnother() throws {
        let a = try #require(try place.begin(rows: 2) as? PostgreSQLJournal)
        let b = try station("desk-2")
        try a.bind(1, to: JournalPlace.tag(1))
        for step in [RowState.written, .failed] {
            #expect(throws: JournalError.rowMoved(row: 1)) { try b.advance(1, of: JournalPlace.uid(1), to: step) }
        }
        #expect(throws: JournalError.rowMoved(row: 1)) { try b.free(1, of: JournalPlace.uid(1)) }
        #expect(try a.row(1)?.state == .bound)
        // The user must release the row explicitly.
        try b.release(1)
        #expect(try a.row(1)?.state == .pending)
    }

    /// Steps that come too late are also reported at the end, if no other step of the row reports this.
    @Test func aStepThatCameTooLateIsToldAtTheEnd() throws {
        let a = try #require(try place.begin(rows: 2) as? PostgreSQLJournal)
        try a.bind(1, to: JournalPlace.tag(1))
        try a.advance(1, of: JournalPlace.uid(1), to: .written)
        try place.server.open(plan: "plan.csv").release(1)
        #expect(try a.row(1)?.state == .pending)
        #expect(throws: JournalError.rowMoved(row: 1)) { try a.settle() }
        try a.settle()
    }

    @Test func manyRowsAreResetInAFewRoundTrips() throws {
        do { _ = try place.begin(rows: 1200) }
        try place.sql(
            """
            UPDATE nfctool.plan_row SET state = 'failed', uid = decode(lpad(to_hex(number), 8, '0'), 'hex'), chip = '',
                reader = '', bound = now() WHERE number <> 700;
            DELETE FROM nfctool.tally;
            INSERT INTO nfctool.tally SELECT plan, 0, state, seal, count(*) FROM nfctool.plan_row GROUP BY plan, state, seal
            """)
        let journal = try place.server.open(plan: "plan.csv")
        let reset = try RowReset(of: nil, in: journal)
        // If one of the rows is being written, all rows stay unchanged, including those of an earlier batch.
        try place.sql("UPDATE nfctool.plan_row SET state = 'bound' WHERE number = 1100")
        #expect(throws: JournalError.self) { try journal.carryOut(reset) }
        #expect(try place.sql("SELECT count(*) FROM nfctool.plan_row WHERE state = 'pending'") == "1")
        try place.sql("UPDATE nfctool.plan_row SET state = 'failed' WHERE number = 1100")
        let before = journal.roundTrips
        try journal.carryOut(reset)
        #expect(journal.roundTrips - before < 12)
        #expect(try journal.counts()[.pending] == 1200)
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
        try extended.free(3, of: JournalPlace.uid(3))
        // A setting that another user has added in the meantime is kept.
        try place.sql("UPDATE nfctool.plan SET sha256 = 'FF'")
        #expect(throws: JournalError.self) { try extended.shorten(to: 2, as: journal.plan) }
        try place.sql("UPDATE nfctool.plan SET sha256 = 'EE'")
        try extended.shorten(to: 2, as: journal.plan)
        #expect(try extended.counts()[.pending] == 2)
        #expect(extended.discard())
    }

    // MARK: Servers with unusual settings

    @Test func aServerThatIsSerializableByDefaultServesStations() throws {
        try place.sql(
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database()); END $$"
        )
        let a = try #require(try place.begin(rows: 40) as? PostgreSQLJournal)
        let b = try station("desk-2")
        for byte in UInt8(1)...10 {
            for (journal, tag) in [(a, JournalPlace.tag(byte)), (b, JournalPlace.tag(byte + 100))] {
                let row = try #require(try journal.claimRow(except: []))
                try journal.bind(row.number, to: tag)
                try journal.advance(row.number, of: tag.uid, to: .written)
                try journal.advance(row.number, of: tag.uid, to: .proven, proof: JournalPlace.proof)
            }
        }
        #expect(try place.sql("SHOW default_transaction_isolation") == "serializable")
        #expect(try a.counts()[.proven] == 20)
    }

    @Test(arguments: ["40001", "40P01"]) func aSessionThatGaveWayTriesAgain(code: String) throws {
        let journal = try #require(try place.begin(rows: 1) as? PostgreSQLJournal)
        // The first three attempts fail because of another session.
        try place.sql(
            """
            CREATE SEQUENCE public.attempts;
            GRANT USAGE ON SEQUENCE public.attempts TO PUBLIC;
            CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('public.attempts') < 4 THEN RAISE EXCEPTION 'in the way' USING ERRCODE = '\(code)'; END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER fail AFTER UPDATE OF state ON nfctool.plan_row FOR EACH ROW EXECUTE FUNCTION public.fail();
            """)
        try journal.bind(1, to: JournalPlace.tag(1))
        #expect(try journal.row(1)?.state == .bound)
        let error = JournalError(sqlState: code, reason: "", journal: "")
        #expect(error.isContention && error.isPassing)
    }
}
