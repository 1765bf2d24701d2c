// A lock that is added to a plan whose first tags are written — Docs/Provisioning.md

import Composing
import Foundation
import Provisioning
import Testing

@Suite struct AddedLockTests {
    private static func plan(lock: Bool, _ values: [String] = ["1", "2", "3"], in place: JournalPlace) throws
        -> CheckedPlan
    {
        let file = place.folder.appending(path: "plan.csv")
        try (["id"] + values).map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        let uri = RecordOption(name: .uri, value: "https://a.example/{id}")
        return CheckedPlan(path: file.path, recipe: try RowRecipe(options: [uri], settings: RowSettings(lock: lock)))
    }

    /// Creates a journal without locks that has three rows.
    ///
    /// By default, the first row is verified.
    private static func begun(_ place: JournalPlace, _ states: [RowState] = [.written, .proven]) throws {
        let journal = try plan(lock: false, in: place).journal(in: place.store()).journal
        try journal.bind(1, to: JournalPlace.tag(1))
        for state in states {
            try journal.advance(1, of: JournalPlace.uid(1), to: state, proof: JournalPlace.proof)
        }
    }

    @Test func aVerifiedRowWaitsForTheLock() throws {
        let place = try JournalPlace()
        try Self.begun(place)
        let plan = try Self.plan(lock: true, in: place)
        let refusal = #expect(throws: PlanChanged.self) { try plan.journal(at: place.file) }
        #expect(refusal?.differences.addsLock == true && refusal?.differences.isExtension == true)
        do {
            let found = try plan.journal(at: place.file, extends: true)
            #expect(found.addsLock && found.corrected.isEmpty)
            #expect(found.journal.plan.recipe.contains("--lock"))
            let waiting = try found.journal.unfinishedRows(limit: 9)
            #expect(waiting.map(\.row.number) == [1] && waiting.map(\.state) == [.proven])
            #expect(try found.journal.progress().isComplete == false)
        }
        // From now on, this is the plan.
        #expect(try !plan.journal(at: place.file).addsLock)
        let without = try Self.plan(lock: false, in: place)
        #expect(throws: PlanChanged.self) { try without.journal(at: place.file, extends: true) }
    }

    @Test func anAddedLockIsTakenBack() throws {
        let place = try JournalPlace()
        try Self.begun(place)
        try Self.plan(lock: true, ["1", "two", "3", "4"], in: place).journal(at: place.file, extends: true).undo()
        let journal = try Self.plan(lock: false, in: place).journal(at: place.file).journal
        #expect(try !journal.plan.recipe.contains("--lock") && journal.unfinishedRows(limit: 9).isEmpty)
    }

    /// The journal would count tags that are only protected as locked.
    @Test func aPlanWithClosedTagsTakesNoLock() throws {
        let place = try JournalPlace()
        try Self.begun(place, [.written, .proven, .sealed])
        let plan = try Self.plan(lock: true, in: place)
        let refusal = #expect(throws: PlanChanged.self) { try plan.journal(at: place.file, extends: true) }
        #expect(refusal?.differences.addsLock == false)
    }

    /// Other stations write tags without locks.
    @Test func aPlanInADatabaseTakesNoLock() throws {
        let place = try JournalPlace(.server)
        try Self.begun(place)
        let plan = try Self.plan(lock: true, in: place)
        let refusal = #expect(throws: PlanChanged.self) { try plan.journal(in: place.store(), extends: true) }
        #expect(refusal?.differences.addsLock == false)
    }
}
