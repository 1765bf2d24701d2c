// When the run of a complete plan ends, because it waits for tags that were changed, and its count of open rows

import Testing

@testable import Provisioning

@Suite struct ProvisionDeskTests {
    private static let plan = PlanIdentity(
        file: "plan.csv", sha256: "AB12", recipe: ["--uri https://example.com/{id}"])

    /// Creates a complete plan whose tags now hold another message.
    private static func completed(_ place: JournalPlace, rows: Int, changed: [Int]) throws -> any ProvisionJournal {
        let journal = try place.begin(rows: rows, plan: plan)
        for number in 1...rows { try prove(number, with: UInt8(number), in: journal) }
        for number in changed {
            try journal.change([(number, .remark(of: JournalPlace.uid(UInt8(number)), "It holds another message."))])
        }
        return journal
    }

    private static func prove(_ row: Int, with tag: UInt8, in journal: any ProvisionJournal) throws {
        let uid = JournalPlace.uid(tag)
        try journal.bind(row, to: JournalPlace.tag(tag))
        try journal.advance(row, of: uid, to: .written)
        try journal.advance(row, of: uid, to: .proven, proof: JournalPlace.proof)
    }

    @Test(arguments: JournalKind.allCases) func aRunWaitsNoLongerForARowThatWasGivenToAnotherTag(
        kind: JournalKind
    ) async throws {
        let place = try JournalPlace(kind)
        let journal = try Self.completed(place, rows: 3, changed: [1, 2])
        let desk = ProvisionDesk(journal, ReaderRoster(patience: nil), limit: nil) { _ in }
        #expect(try await !desk.isOver())
        for (row, tag) in [(1, 4), (2, 5)] {
            // Another station could do the same.
            try journal.change([(row, .reset)])
            #expect(try await !desk.isOver())
            try Self.prove(row, with: UInt8(tag), in: journal)
            #expect(try await desk.isOver() == (row == 2))
        }
    }

    @Test(arguments: JournalKind.allCases) func aRunThatProvisionsAResetRowItselfWaitsNoLongerForIt(
        kind: JournalKind
    ) async throws {
        let place = try JournalPlace(kind)
        let journal = try Self.completed(place, rows: 2, changed: [2])
        let desk = ProvisionDesk(journal, ReaderRoster(patience: nil), limit: nil) { _ in }
        #expect(try await !desk.isOver())
        // The desk does not notice that the row was pending in the meantime.
        try journal.change([(2, .reset)])
        let (row, uid) = (JournalPlace.row(2), JournalPlace.uid(3))
        try await desk.bind(row, to: JournalPlace.tag(3))
        try await desk.written(row, of: uid)
        try await desk.proven(row, of: uid, JournalPlace.proof, wantsSeal: false)
        #expect(try await desk.isOver())
    }

    @Test(arguments: JournalKind.allCases) func allOpenRowsOfTheStationAreCountedThoughOnlyTheFirstAreListed(
        kind: JournalKind
    ) async throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 200, plan: Self.plan)
        for number in 1...25 { try journal.bind(number, to: JournalPlace.tag(UInt8(number))) }
        if kind == .server {
            let other = try #require(try place.store(station: "desk-2").open())
            let number = try #require(try other.pendingRows(limit: 1).first?.number)
            try other.bind(number, to: JournalPlace.tag(99))
        }
        let desk = ProvisionDesk(journal, ReaderRoster(patience: nil), limit: nil) { _ in }
        let summary = try await desk.summary()
        #expect(summary.open.map(\.row.number) == Array(1...20))
        #expect(summary.openHere == 25)
    }

    /// In the journal, a row that is not locked yet also has a reason.
    @Test(arguments: JournalKind.allCases) func changedRowsAreFoundBehindManyRowsThatAreNotLockedYet(
        kind: JournalKind
    ) throws {
        let place = try JournalPlace(kind)
        let plan = PlanIdentity(file: "plan.csv", sha256: "AB12", recipe: ["--uri https://example.com/{id}", "--lock"])
        let journal = try place.begin(rows: 30, plan: plan)
        for number in 1...30 {
            try Self.prove(number, with: UInt8(number), in: journal)
            let uid = JournalPlace.uid(UInt8(number))
            if number == 30 { try journal.advance(number, of: uid, to: .sealed) }
            try journal.change([(number, number == 30 ? .remark(of: uid, "It is empty.") : .note(of: uid, "It left."))])
        }
        #expect(try journal.changedRows(after: 0, limit: 20).map(\.row.number) == [30])
        #expect(try ProvisionStatus(journal, name: "plan").changed.map(\.row.number) == [30])
    }
}
