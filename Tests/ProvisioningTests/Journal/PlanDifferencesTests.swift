// The differences between a journal's plan and a changed one are reported row by row

import Foundation
import Provisioning
import Testing

@Suite struct PlanDifferencesTests {
    private func row(_ number: Int, _ value: String) -> PlanRow {
        PlanRow(number: number, line: number + 1, fields: [PlanField(name: "id", value: value)])
    }

    /// Compares a plan with the values `old` with a plan with the values `new`.
    private func differences(
        _ old: [String], _ new: [String], recipe: [String] = JournalPlace.plan.recipe, sha256: String = "NEW"
    ) throws -> PlanDifferences {
        let place = try JournalPlace()
        let journal = try EmbeddedJournal.create(at: place.file) { insert in
            for (index, value) in old.enumerated() { try insert(row(index + 1, value)) }
            return JournalPlace.plan
        }
        return try journal.differences { compare in
            for (index, value) in new.enumerated() { try compare(row(index + 1, value)) }
            return PlanIdentity(file: "other.csv", sha256: sha256, recipe: recipe)
        }
    }

    private func values(_ count: Int) -> [String] { (1...count).map(String.init) }

    @Test func theSamePlanUnderAnotherNameDiffersInNothing() throws {
        let same = try differences(values(100), values(100), sha256: JournalPlace.plan.sha256)
        #expect(same.isEmpty && same.rows.isEmpty && same.rowCount == 0)
    }

    @Test func aFileWithEqualRowsIsStillAnotherFile() throws {
        let same = try differences(values(100), values(100))
        #expect(same.isOtherFile && !same.isEmpty && same.rows.isEmpty)
    }

    @Test func aChangedValueIsToldWithItsLineAndColumn() throws {
        var new = values(100)
        new[49] = "fifty"
        let differences = try differences(values(100), new)
        #expect(
            differences.rows == [
                .changed(
                    from: row(50, "50"), to: row(50, "fifty"), columns: [.init(name: "id", old: "50", new: "fifty")])
            ])
        #expect(differences.rowCount == 1)
    }

    @Test func aRowThatWasPutInOrTakenOutIsOneDifference() throws {
        let added = try differences(values(100), ["0"] + values(100))
        #expect(added.rows == [.added(row(1, "0"))])
        let appended = try differences(values(100), values(101))
        #expect(appended.rows == [.added(row(101, "101"))])
        let removed = try differences(values(100), values(100).filter { $0 != "40" && $0 != "41" })
        #expect(removed.rows == [.removed(row(40, "40")), .removed(row(41, "41"))])
        let shortened = try differences(values(600), values(599))
        #expect(shortened.rows == [.removed(row(600, "600"))])
        #expect(shortened.rowCount == 1)
    }

    @Test func whollyOtherPlansAreCountedAndTheirFirstRowsTold() throws {
        let other = try differences(values(1000), (1...1100).map { "x\($0)" })
        #expect(other.rows.count == PlanDifferences.limit)
        #expect(other.rowCount == 1100)
        let none = try differences(values(1000), [])
        #expect(none.rowCount == 1000)
        let all = try differences([], values(70))
        #expect(all.rowCount == 70)
        #expect(try differences([], []).rowCount == 0)
    }

    @Test func columnsThatCameOrWentAreTold() throws {
        let place = try JournalPlace()
        let journal = try place.create(rows: 1)
        let new = PlanRow(
            number: 1, line: 2, fields: [PlanField(name: "id", value: "1"), PlanField(name: "x", value: "y")])
        let differences = try journal.differences { compare in
            try compare(new)
            return JournalPlace.plan
        }
        #expect(
            differences.rows == [
                .changed(
                    from: JournalPlace.row(1), to: new,
                    columns: [
                        .init(name: "x", old: nil, new: "y"),
                        .init(name: "note", old: JournalPlace.row(1)["note"], new: nil),
                    ])
            ])
    }

    @Test func linesOfTheRecipeAreTold() throws {
        let other = try differences(
            ["1"], ["1"], recipe: ["--uri https://example.com/{id}", "--protect"], sha256: JournalPlace.plan.sha256)
        #expect(other.recipe == [.removed("--lock"), .added("--protect")])
        #expect(!other.isOtherFile && !other.isEmpty)
    }

    @Test func whatThePlanThrowsGoesThrough() throws {
        struct BadPlan: Error {}
        let place = try JournalPlace()
        let journal = try place.create(rows: 3)
        #expect(throws: BadPlan.self) { try journal.differences { _ in throw BadPlan() } }
    }
}
