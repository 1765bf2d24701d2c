// Cells that go onto no tag may change while a plan is under way — Docs/Provisioning.md

import Composing
import Foundation
import Provisioning
import Testing

@Suite struct AmendedRowsTests {
    private static func plan(
        _ lines: [String], in place: JournalPlace, uri: String = "https://a.example/{id}/{random:16}"
    ) throws -> CheckedPlan {
        let file = place.folder.appending(path: "plan.csv")
        try lines.map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        let option = RecordOption(name: .uri, value: uri)
        return CheckedPlan(path: file.path, recipe: try RowRecipe(options: [option], settings: RowSettings()))
    }

    /// The values of all rows, with their random digits.
    private static func rows(_ journal: any ProvisionJournal) throws -> [[String]] {
        var rows: [[String]] = []
        try journal.forEachRow(in: Set(RowState.allCases)) { rows.append($0.row.fields.map(\.value)) }
        return rows
    }

    private static let lines = ["id,note", "1,a", "2,b", "3,c"]

    /// Creates a journal of three rows, of which the second has a tag; returns the values of the rows.
    private static func begun(_ place: JournalPlace) throws -> [[String]] {
        let journal = try plan(lines, in: place).journal(in: place.store()).journal
        try journal.bind(2, to: JournalPlace.tag(2))
        return try rows(journal)
    }

    @Test func aCellThatGoesOntoNoTagMayChangeAndIsReported() throws {
        let place = try JournalPlace()
        let before = try Self.begun(place)
        let plan = try Self.plan(["id,note", "1,a", "2,B", "3,C"], in: place)
        do {
            let found = try plan.journal(at: place.file)
            #expect(found.amended == [2, 3] && found.corrected == [] && found.check == nil)
            let rows = try Self.rows(found.journal)
            #expect(rows.map { $0[1] } == ["a", "B", "C"])
            #expect(rows.map(\.last) == before.map(\.last))
            #expect(try found.journal.counts()[.pending] == 2)
        }
        // From now on, this is the plan.
        #expect(try plan.journal(at: place.file).amended == [])
    }

    @Test func aColumnThatNoTagNeedsMayBeAddedOrRemoved() throws {
        for lines in [["id,note,box", "1,a,x", "2,b,y", "3,c,z"], ["id", "1", "2", "3"]] {
            let place = try JournalPlace()
            _ = try Self.begun(place)
            let found = try Self.plan(lines, in: place).journal(at: place.file)
            #expect(found.amended == [1, 2, 3])
            // The last field holds the random digits.
            let cells = try Self.rows(found.journal).map { $0.dropLast().joined(separator: ",") }
            #expect(cells == Array(lines.dropFirst()))
        }
    }

    @Test func aCellThatGoesOntoATagStillStopsThePlan() throws {
        let place = try JournalPlace()
        _ = try Self.begun(place)
        let plan = try Self.plan(["id,note", "1,A", "two,b", "3,c"], in: place)
        let refusal = #expect(throws: PlanChanged.self) { try plan.journal(at: place.file, extends: true) }
        #expect(refusal?.differences.onTags == [2] && refusal?.differences.amended == [1])
        #expect(refusal?.differences.rowCount == 1 && refusal?.differences.lines.count == 1)
        let settings = try Self.plan(["id,note,lock", "1,a,", "2,b,yes", "3,c,"], in: place)
        #expect(throws: PlanChanged.self) { try settings.journal(at: place.file, extends: true) }
    }

    @Test func anotherOrderOfColumnsIsReported() throws {
        let place = try JournalPlace()
        _ = try Self.begun(place)
        let unused = try Self.plan(["note,id", "a,1", "b,2", "c,3"], in: place)
        #expect(try unused.journal(at: place.file).amended == [1, 2, 3])
        let uri = "https://a.example/{id}/{note}"
        let other = try JournalPlace()
        do {
            let journal = try Self.plan(Self.lines, in: other, uri: uri).journal(at: other.file).journal
            try journal.bind(2, to: JournalPlace.tag(2))
        }
        let used = try Self.plan(["note,id", "a,1", "b,2", "c,3"], in: other, uri: uri)
        let refusal = #expect(throws: PlanChanged.self) { try used.journal(at: other.file) }
        let order = "the columns are in another order"
        #expect(
            refusal?.differences.lines
                == ["line 2: \(order)", "line 3: \(order) (a tag has this row)", "line 4: \(order)"])
    }

    @Test func newRowsAndChangedCellsAreTakenOverTogether() throws {
        let place = try JournalPlace()
        let before = try Self.begun(place)
        let plan = try Self.plan(["id,note", "one,a", "2,B", "3,c", "4,d"], in: place)
        #expect(throws: PlanChanged.self) { try plan.journal(at: place.file) }
        do {
            let found = try plan.journal(at: place.file, extends: true)
            #expect(found.amended == [2] && found.corrected == [1] && found.check != nil)
            #expect(try Self.rows(found.journal).map { $0[1] } == ["a", "B", "c", "d"])
            found.undo()
        }
        #expect(try Self.rows(EmbeddedJournal.openForReading(place.file)) == before)
    }

    /// The message depends only on the tag, so the other cells alone say which row a tag has.
    @Test(arguments: [["2,b", "1,a", "3,c"], ["1,a", "4,d", "2,b", "3,c"], ["2,b", "3,c"]])
    func rowsDoNotMoveEvenIfTheirCellsGoOntoNoTag(rows: [String]) throws {
        let place = try JournalPlace()
        let uri = "https://a.example/?t={uid}"
        do {
            let journal = try Self.plan(Self.lines, in: place, uri: uri).journal(at: place.file).journal
            try journal.bind(2, to: JournalPlace.tag(2))
        }
        let plan = try Self.plan(["id,note"] + rows, in: place, uri: uri)
        #expect(throws: PlanChanged.self) { try plan.journal(at: place.file, extends: true) }
    }

    @Test func aDatabaseKeepsTheEarlierCells() throws {
        let place = try JournalPlace(.server)
        let before = try Self.begun(place)
        let found = try Self.plan(["id,note", "1,a", "2,B", "3,c"], in: place).journal(in: place.store())
        #expect(found.amended == [2])
        #expect(try Self.rows(found.journal) == before)
    }
}
