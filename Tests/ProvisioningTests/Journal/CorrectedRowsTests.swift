// Rows without a tag are corrected with the plan, and rows on tags are not — Docs/Provisioning.md

import Composing
import Foundation
import Provisioning
import Testing

@Suite struct CorrectedRowsTests {
    private static func plan(_ values: [String], in place: JournalPlace) throws -> CheckedPlan {
        let file = place.folder.appending(path: "plan.csv")
        try (["id"] + values).map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        let uri = RecordOption(name: .uri, value: "https://a.example/{id}/{random:16}")
        return CheckedPlan(path: file.path, recipe: try RowRecipe(options: [uri], settings: RowSettings()))
    }

    /// The values of all rows, with their random digits.
    private static func rows(_ journal: any ProvisionJournal) throws -> [[String]] {
        var rows: [[String]] = []
        try journal.forEachRow(in: Set(RowState.allCases)) { rows.append($0.row.fields.map(\.value)) }
        return rows
    }

    /// Creates a journal with three rows, of which the second has a tag, and returns the values of the rows.
    private static func begun(_ place: JournalPlace) throws -> [[String]] {
        let journal = try plan(["1", "2", "3"], in: place).journal(in: place.store()).journal
        try journal.bind(2, to: JournalPlace.tag(2))
        return try rows(journal)
    }

    @Test func aPendingRowIsCorrectedAndKeepsItsDigits() throws {
        let place = try JournalPlace()
        let before = try Self.begun(place)
        let plan = try Self.plan(["one", "2", "three", "4"], in: place)
        let refusal = #expect(throws: PlanChanged.self) { try plan.journal(at: place.file) }
        #expect(refusal?.differences.corrected == [1, 3] && refusal?.differences.isExtension == true)
        do {
            let found = try plan.journal(at: place.file, extends: true)
            #expect(found.corrected == [1, 3])
            let rows = try Self.rows(found.journal)
            #expect(rows.map { $0[0] } == ["one", "2", "three", "4"])
            #expect(rows.prefix(3).map { $0[1] } == before.map { $0[1] })
            #expect(try found.journal.counts()[.pending] == 3)
        }
        // From now on, this is the plan.
        #expect(try plan.journal(at: place.file).corrected == [])
    }

    @Test func aCorrectionIsTakenBack() throws {
        let place = try JournalPlace()
        let before = try Self.begun(place)
        let plan = try Self.plan(["one", "2", "3", "4"], in: place)
        try plan.journal(at: place.file, extends: true).undo()
        let journal = try EmbeddedJournal.openForReading(place.file)
        #expect(try Self.rows(journal) == before)
        #expect(throws: PlanChanged.self) { try plan.journal(at: place.file) }
    }

    @Test(arguments: [["1", "two", "3"], ["1", "3"], ["1", "2", "new", "3"], ["one", "two", "3"]])
    func aRowOnATagDoesNotChangeAndNoRowMoves(values: [String]) throws {
        let place = try JournalPlace()
        _ = try Self.begun(place)
        let plan = try Self.plan(values, in: place)
        #expect(throws: PlanChanged.self) { try plan.journal(at: place.file, extends: true) }
    }

    @Test(
        arguments: [
            (["1", "two", "three"], [3], [2], false), (["1", "3"], [], [2], true),
            (["1", "2", "new", "3"], [], [], true),
            (["1", "two", "3", "4"], [], [2], false), (["1", "2"], [], [], true),
        ] as [([String], Set<Int>, Set<Int>, Bool)])
    func rowsInTheWayAreToldFromThoseThatMayChange(
        values: [String], corrected: Set<Int>, onTags: Set<Int>, movesRows: Bool
    ) throws {
        let place = try JournalPlace()
        _ = try Self.begun(place)
        let plan = try Self.plan(values, in: place)
        let refusal = #expect(throws: PlanChanged.self) { try plan.journal(at: place.file, extends: true) }
        let differences = try #require(refusal?.differences)
        #expect(differences.corrected == corrected && differences.onTags == onTags)
        #expect(differences.movesRows == movesRows && differences.acceptsCorrections)
        #expect(differences.lines.count { $0.hasSuffix("(a tag has this row)") } == onTags.count)
    }

    /// Another station may be about to write the row.
    @Test func aPlanInADatabaseIsNotCorrected() throws {
        let place = try JournalPlace(.server)
        _ = try Self.begun(place)
        let plan = try Self.plan(["one", "2", "3"], in: place)
        let refusal = #expect(throws: PlanChanged.self) { try plan.journal(in: place.store(), extends: true) }
        #expect(refusal?.differences.corrected == [] && refusal?.differences.isExtension == false)
        #expect(refusal?.differences.acceptsCorrections == false)
    }
}
