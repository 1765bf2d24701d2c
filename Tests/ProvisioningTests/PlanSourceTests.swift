// Plans without a file, random digits in rows, and plans that grow

import Composing
import DurableFiles
import Foundation
import GRDB
import NDEF
import PostgreSQLJournal
import ReaderInterface
import TagTypes
import Testing

@testable import Provisioning

@Suite struct PlanSourceTests {
    private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "PlanSourceTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private static func recipe(_ template: String) throws -> RowRecipe {
        try RowRecipe(options: [RecordOption(name: .uri, value: template)], settings: RowSettings())
    }

    private static func uris(_ plan: CheckedPlan) throws -> [String] {
        var uris: [String] = []
        _ = try plan.check { row in
            if case .uri(let uri)? = row.message.message.records.first?.content { uris.append(uri.uri) }
        }
        return uris
    }

    // MARK: Ranges

    @Test func aRangeHasARowForEachNumber() throws {
        let plan = try CheckedPlan(
            .range(PlanRange("8-12", step: 2)), recipe: Self.recipe("https://a.example/{n:03}/{n}"))
        #expect(
            try Self.uris(plan) == ["https://a.example/008/8", "https://a.example/010/10", "https://a.example/012/12"])
        let (identity, check) = try plan.check { _ in }
        #expect(identity.file == "--range 8-12 --step 2" && check.unusedColumns.isEmpty)
        #expect(identity.isRange && !PlanIdentity(file: "--range x.csv", sha256: "AB12", recipe: []).isRange)
        #expect(plan.source.journalStem == "range-8-12-step-2")
        #expect(try PlanSource.range(PlanRange("1-1000")).journalStem == "range-1-1000")
        let other = try CheckedPlan(.range(PlanRange("8-12")), recipe: Self.recipe("https://a.example/{n}"))
        #expect(try other.check { _ in }.plan.sha256 != identity.sha256)
    }

    @Test(arguments: [
        ("", 1), ("1", 1), ("1-", 1), ("-1-2", 1), ("1-2-3", 1), ("+1-2", 1), ("2-1", 1), ("01-20", 1), ("1-020", 1),
        ("1-2", 0), ("1-2", -1), ("0-10000000", 1), ("1-99999999999999999999", 1), ("٣-٤", 1),
    ])
    func whatIsNoRangeIsRefused(text: String, step: Int) {
        let error = #expect(throws: PlanError.self) { try PlanRange(text, step: step) }
        #expect(error?.description.hasPrefix("--range \(text): ") == true)
        #expect(error?.kind == .usage)
    }

    @Test(arguments: [("0-0", 1, 1), ("0-9999999", 1, 10_000_000), ("5-9", 9_000_000_000, 1)])
    func theSmallestAndTheLargestRangeHaveTheirRows(text: String, step: Int, count: Int) throws {
        let range = try PlanRange(text, step: step)
        #expect((range.last - range.first) / range.step + 1 == count)
    }

    // MARK: Random digits

    @Test func randomDigitsAreKeptInTheJournalBeforeAnyTag() throws {
        try Self.withFolder { folder in
            let plan = try CheckedPlan(
                .range(PlanRange("1-50")),
                recipe: Self.recipe("https://a.example/{n}/{random:16}/{random:32}?{random:16}"))
            let file = folder.appending(path: "journal")
            var tokens: [[String]] = []
            do {
                let journal = try plan.journal(at: file).journal
                try journal.forEachRow(in: [.pending]) { row in
                    #expect(row.row.fields.map(\.name) == ["n", "random:16", "random:32"])
                    tokens.append(row.row.fields.map(\.value))
                    let order = try plan.recipe.order(for: row.row).message(uid: [4, 1, 2, 3, 4, 5, 6])
                    let (short, long) = (row.row.fields[1].value, row.row.fields[2].value)
                    let uri = "https://a.example/\(row.row.number)/\(short)/\(long)?\(short)"
                    #expect(order.message.records.map(\.content) == [.uri(URIRecord(uri: uri))])
                }
            }
            #expect(tokens.count == 50 && Set(tokens.map { $0[1] }).count == 50)
            let digits = Set(tokens.flatMap { $0[1] + $0[2] })
            #expect(digits == Set("0123456789abcdef") && tokens.allSatisfy { $0[1].count == 16 && $0[2].count == 32 })
            // The same command results in the same digits again.
            var again: [[String]] = []
            try plan.journal(at: file).journal.forEachRow(in: [.pending]) { again.append($0.row.fields.map(\.value)) }
            #expect(again == tokens)
        }
    }

    @Test(arguments: ["random:", "random:15", "random:65", "random:032", "random:x", "random:-32"])
    func otherNumbersOfRandomDigitsAreRefused(placeholder: String) {
        let error = #expect(throws: PlanError.self) { try Self.recipe("https://a.example/{\(placeholder)}") }
        #expect(error?.description.contains("{random:16} to {random:64}") == true)
    }

    @Test func aCheckShowsZerosAndFindsNoDoubles() throws {
        let plan = try CheckedPlan(.range(PlanRange("1-3")), recipe: Self.recipe("https://a.example/{random:16}"))
        var duplicates = DuplicateRows()
        let (_, check) = try plan.check { duplicates.add($0) }
        #expect(check.hasTokens && duplicates.groups.isEmpty)
        #expect(try Self.uris(plan)[0] == "https://a.example/0000000000000000")
    }

    @Test func aColumnCannotTakeTheNameOfRandomDigits() throws {
        #expect(CSVReaderTests.entries(Array("id,random:32\n".utf8))[0].contains("cannot be named random:32"))
    }

    // MARK: Plans that grow

    private static func plan(_ lines: [String], in folder: URL, _ template: String) throws -> CheckedPlan {
        let file = folder.appending(path: "tags.csv")
        try lines.map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        return CheckedPlan(path: file.path, recipe: try recipe(template))
    }

    private static func begun(_ plan: CheckedPlan, at file: URL) throws {
        let journal = try plan.journal(at: file).journal
        try journal.bind(1, to: JournalPlace.tag(1))
    }

    private static func rows(_ journal: any ProvisionJournal) throws -> [[String]] {
        var rows: [[String]] = []
        try journal.forEachRow(in: Set(RowState.allCases)) { rows.append($0.row.fields.map(\.value)) }
        return rows
    }

    @Test func newRowsAtTheEndComeIntoTheJournal() throws {
        try Self.withFolder { folder in
            let (file, template) = (folder.appending(path: "journal"), "https://a.example/{id}/{random:16}")
            try Self.begun(Self.plan(["id", "1", "2"], in: folder, template), at: file)
            let longer = try Self.plan(["id", "1", "2", "3", "1"], in: folder, template)
            let refusal = #expect(throws: PlanChanged.self) { try longer.journal(at: file) }
            #expect(refusal?.differences.isExtension == true)
            let before = try Self.rows(EmbeddedJournal.openForReading(file))
            do {
                let found = try longer.journal(at: file, extends: true)
                #expect(
                    found.duplicates?.groups.map(\.text) == [
                        "Row 4 (line 5) has the same values as row 1 (line 2)."
                    ])
                let rows = try Self.rows(found.journal)
                #expect(Array(rows.prefix(2)) == before && rows.map { $0[0] } == ["1", "2", "3", "1"])
                #expect(Set(rows.map { $0[1] }).count == 4)
                #expect(try found.journal.counts()[.pending] == 3)
                #expect(try found.journal.plan.sha256 == PlanFile(path: longer.source.name).digest().hex)
            }
            // From now on, this is the plan.
            #expect(try longer.journal(at: file).check == nil)
            #expect(try longer.journal(at: file, extends: true).check == nil)
        }
    }

    // MARK: Plans that change before any tag has a row

    /// Creates a folder for plans, and the place for their journal.
    private static func withPlace(
        _ kind: JournalKind, _ body: (URL, JournalPlace, _ rows: () throws -> [[String]]) throws -> Void
    ) throws {
        let place = try JournalPlace(kind)
        try body(place.folder, place) {
            let journal: any ProvisionJournal =
                kind == .server
                ? try place.server.open(plan: "plan.csv") : try EmbeddedJournal.openForReading(place.file)
            return try rows(journal)
        }
    }

    @Test(arguments: JournalKind.allCases) func aPlanThatChangesKeepsRefusedTagsAndTheDigitsOfEqualRows(
        kind: JournalKind
    ) throws {
        try Self.withPlace(kind) { folder, place, rows in
            let template = "https://a.example/{id}/{random:16}"
            try Self.plan(["id", "1", "2", "2", "3"], in: folder, template).journal(in: place.store()).journal
                .refuse(JournalPlace.refused(9, quarantined: true))
            let before = try rows()
            var asked: [Int] = []
            let changed = try Self.plan(["id", "0", "2", "1", "2"], in: folder, template)
            let found = try changed.journal(in: place.store()) { asked.append($0) }
            let after = try rows()
            #expect(after.map { $0[0] } == ["0", "2", "1", "2"] && Set(after.map { $0[1] }).count == 4)
            #expect(Array(after[1...]) == [before[1], before[0], before[2]])
            #expect(asked == [1] && found.keptDigits == 3 && found.check != nil)
            found.undo()
            #expect(try found.journal.refusal(of: JournalPlace.tag(9).uid)?.isQuarantined == true)
            #expect(try found.journal.counts()[.pending] == 4 && found.journal.progress().rows == 4)
            #expect(try rows() == after)
            try found.journal.bind(1, to: JournalPlace.tag(1))
        }
    }

    @Test(arguments: JournalKind.allCases) func aPlanThatIsNotAgreedToOrBadLeavesTheJournalAsItWas(
        kind: JournalKind
    ) throws {
        struct No: Error {}
        try Self.withPlace(kind) { folder, place, rows in
            let template = "https://a.example/{id}/{random:16}"
            _ = try Self.plan(["id", "1", "2"], in: folder, template).journal(in: place.store())
            let before = try rows()
            let other = try Self.plan(["id", "1", "3"], in: folder, template)
            #expect(throws: No.self) { try other.journal(in: place.store()) { _ in throw No() } }
            let bad = try Self.plan(["id", "1", "2,x"], in: folder, template)
            #expect(throws: BadRows.self) { try bad.journal(in: place.store()) }
            #expect(try rows() == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasSuffix(".new") })
            if kind == .server { #expect(try place.sql("SELECT count(*) FROM nfctool.loading") == "0") }
        }
    }

    /// Stations may be working on the first list with this name, so the user is always asked before it is replaced.
    @Test func aPlanInADatabaseIsReplacedOnlyOnceThatIsAgreedTo() throws {
        struct No: Error {}
        try Self.withPlace(.server) { folder, place, rows in
            let template = "https://a.example/{id}"
            _ = try Self.plan(["id", "1", "2"], in: folder, template).journal(in: place.store())
            let other = try Self.plan(["id", "7"], in: folder, template)
            #expect(throws: No.self) { try other.journal(in: place.store(station: "desk-2")) { _ in throw No() } }
            // The first station was connected a moment ago.
            let store = try place.store(station: "desk-2")
            #expect(throws: JournalError.planInUse(journal: store.name)) { try other.journal(in: store) { _ in } }
            #expect(try rows() == [["1"], ["2"]])
            try place.sql("UPDATE nfctool.station SET seen = now() - interval '2 min'")
            _ = try other.journal(in: place.store(station: "desk-2")) { #expect($0 == 0) }
            #expect(try rows() == [["7"]])
            // The old station still expects another plan.
            #expect(try place.sql("SELECT name FROM nfctool.station") == "desk-2")
        }
    }

    @Test func anotherPasswordReplacesNoPlanInADatabase() throws {
        try Self.withPlace(.server) { folder, place, rows in
            func plan(_ password: UInt8) throws -> CheckedPlan {
                let file = folder.appending(path: "tags.csv")
                try "id\n1\n2\n".write(to: file, atomically: true, encoding: .utf8)
                let settings = RowSettings(
                    protect: true, password: Type2Password(pwd: [1, 2, 3, password]).map { .password($0) })
                return CheckedPlan(
                    path: file.path,
                    recipe: try RowRecipe(
                        options: [RecordOption(name: .uri, value: "https://a.example/{id}/{random:16}")],
                        settings: settings))
            }
            _ = try plan(4).journal(in: place.store())
            let before = try rows()
            #expect(throws: OtherPassword.self) {
                try plan(5).journal(in: place.store()) { _ in Issue.record("asked") }
            }
            #expect(try rows() == before)
            #expect(try plan(4).journal(in: place.store()).check == nil)
        }
    }

    @Test func aFileWithEqualRowsIsTheSamePlanBeforeAnyTag() throws {
        try Self.withFolder { folder in
            let (file, template) = (folder.appending(path: "journal"), "https://a.example/{id}/{random:16}")
            _ = try Self.plan(["id", "1", "2"], in: folder, template).journal(at: file)
            let before = try Self.rows(EmbeddedJournal.openForReading(file))
            let same = try Self.plan(["id\r", "1\r", "2\r"], in: folder, template)
            let found = try same.journal(at: file) { _ in Issue.record("asked") }
            #expect(try found.check == nil && Self.rows(found.journal) == before)
        }
    }

    /// A tag may have a row that the counts do not include.
    @Test func aJournalWithAWrongTallyIsNotReplaced() throws {
        try Self.withFolder { folder in
            let (file, template) = (folder.appending(path: "journal"), "https://a.example/{id}")
            try Self.begun(Self.plan(["id", "1", "2"], in: folder, template), at: file)
            let queue = try DatabaseQueue(path: file.path)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "UPDATE tally SET count = 0 WHERE state = 'bound'")
            }
            try queue.close()
            let other = try Self.plan(["id", "7"], in: folder, template)
            #expect(throws: JournalError.self) { try other.journal(at: file) }
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test(arguments: [["id", "9", "2"], ["id", "0", "1", "2"], ["id", "1", "3", "2"], ["id", "1"]])
    func earlierRowsMustBeAsTheyWere(lines: [String]) throws {
        try Self.withFolder { folder in
            let (file, template) = (folder.appending(path: "journal"), "https://a.example/{id}")
            try Self.begun(Self.plan(["id", "1", "2"], in: folder, template), at: file)
            let changed = try Self.plan(lines, in: folder, template)
            #expect(throws: PlanChanged.self) { try changed.journal(at: file, extends: true) }
            #expect(try Self.rows(EmbeddedJournal.openForReading(file)) == [["1"], ["2"]])
        }
    }

    @Test func otherOptionsAndBadRowsLeaveTheJournalAsItWas() throws {
        try Self.withFolder { folder in
            let (file, template) = (folder.appending(path: "journal"), "https://a.example/{id}")
            let first = try Self.plan(["id", "1"], in: folder, template)
            try Self.begun(first, at: file)
            let identity = try EmbeddedJournal.openForReading(file).plan
            #expect(throws: PlanChanged.self) {
                try Self.plan(["id", "1", "2"], in: folder, template + "?x").journal(at: file, extends: true)
            }
            #expect(throws: BadRows.self) {
                try Self.plan(["id", "1", "2", "3,4"], in: folder, template).journal(at: file, extends: true)
            }
            // The user answers the question about the new rows with no.
            let found = try Self.plan(["id", "1", "2"], in: folder, template).journal(at: file, extends: true)
            found.undo()
            let after = try EmbeddedJournal.openForReading(file)
            #expect(after.plan == identity)
            #expect(try Self.rows(after) == [["1"]] && after.counts()[.pending] == 0)
        }
    }

    @Test func nothingIsBegunWhereSomethingIsToBeExtended() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "range-5-30-step-5.journal")
        let recipe = try RowRecipe(options: [RecordOption(name: .text, value: "{n}")], settings: RowSettings())
        let plan = CheckedPlan(.range(try PlanRange("5-30", step: 5)), recipe: recipe)
        let error = try #require(throws: NothingToExtend.self) { try plan.journal(at: file, extends: true) }
        #expect(
            error.description
                == "There is no journal for --range 5-30 --step 5 to extend: \(file.path) does not exist.")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let names = [
            "range-5-10-step-5.journal", "range-5-21-step-5.journal", "range-5-29-step-5.journal", "range-5-10.journal",
            "range-0-10-step-5.journal", "range-5-40-step-5.journal", "range-5-9-step-5", "range-05-9-step-5.journal",
            "range-5-30-step-5.journal", "range-5-9-step-5-step-5.journal", "list.csv.journal",
        ]
        #expect(
            error.shorter(among: names, suffix: ".journal").map(\.journal)
                == ["range-5-29-step-5.journal", "range-5-21-step-5.journal", "range-5-10-step-5.journal"])
    }
}
