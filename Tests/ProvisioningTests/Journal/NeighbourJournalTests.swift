// Journals next to a new journal that already have some of its rows

import Composing
import Foundation
import Testing

@testable import Provisioning

@Suite struct NeighbourJournalTests {
    private static let suffix = ".journal"

    private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "NeighbourJournalTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private static func plan(_ source: PlanSource, _ template: String) throws -> CheckedPlan {
        CheckedPlan(
            source,
            recipe: try RowRecipe(options: [RecordOption(name: .uri, value: template)], settings: RowSettings()))
    }

    private static func neighbours(
        of plan: CheckedPlan, in folder: URL, except own: String
    ) throws -> [NeighbourJournal] {
        try search(plan, in: folder, except: own).journals
    }

    private static func search(
        _ plan: CheckedPlan, in folder: URL, except own: String
    ) throws -> (journals: [NeighbourJournal], unreadable: [JournalError]) {
        try NeighbourJournal.all(
            in: [folder], suffix: suffix, except: folder.appending(path: own), of: plan.check { _ in }.plan,
            from: plan.source, recipe: plan.recipe
        ) { add in _ = try plan.check { try add($0.order.row) } }
    }

    @Test func aLongerRangeFindsTheShorterOneThatItContinues() throws {
        try Self.withFolder { folder in
            let template = "https://a.example/{n}"
            do {
                let first = try Self.plan(.range(PlanRange("1-2")), template)
                let journal = try first.journal(at: folder.appending(path: "first.journal")).journal
                try journal.bind(1, to: JournalPlace.tag(1))
            }
            let longer = try Self.plan(.range(PlanRange("1-3")), template)
            let found = try Self.neighbours(of: longer, in: folder, except: "own.journal")
            // SQLite leaves no files next to a journal that was only read.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["first.journal"])
            #expect(found.map { $0.file?.lastPathComponent } == ["first.journal"])
            #expect(found.map(\.overlap) == [.numbers(1...2)] && found.map(\.continuation) == [.extended])
            #expect(found.map(\.rows) == [2] && found.map(\.rowsWithTags) == [1])

            let equal = try Self.plan(.range(PlanRange("1-2")), template)
            #expect(try Self.neighbours(of: equal, in: folder, except: "own.journal").map(\.continuation) == [.asItIs])
            #expect(try Self.neighbours(of: equal, in: folder, except: "first.journal").isEmpty)
            // This range does not begin with all rows of the first range.
            let later = try Self.plan(.range(PlanRange("2-9")), template)
            #expect(try Self.neighbours(of: later, in: folder, except: "own.journal").map(\.continuation) == [nil])
            // Tags of another customer hold other messages.
            let other = try Self.plan(.range(PlanRange("1-3")), template + "?x")
            #expect(try Self.neighbours(of: other, in: folder, except: "own.journal").isEmpty)
            let apart = try Self.plan(.range(PlanRange("3-9")), template)
            #expect(try Self.neighbours(of: apart, in: folder, except: "own.journal").isEmpty)
        }
    }

    @Test func aJournalThatIsWorkedWithIsSeenAsItIsNow() throws {
        try Self.withFolder { folder in
            let plan = try Self.plan(.range(PlanRange("1-4")), "https://a.example/{n}")
            let journal = try plan.journal(at: folder.appending(path: "a b?#%20.journal")).journal
            for number in 1...3 {
                try journal.bind(number, to: JournalPlace.tag(UInt8(number)))
                let found = try Self.neighbours(of: plan, in: folder, except: "own.journal")
                #expect(found.map(\.rowsWithTags) == [number] && found.map(\.isInUse) == [true])
            }
        }
        try Self.withFolder { folder in
            let plan = try Self.plan(.range(PlanRange("1-4")), "https://a.example/{n}")
            _ = try plan.journal(at: folder.appending(path: "a b?#%20.journal"))
            let found = try Self.neighbours(of: plan, in: folder, except: "own.journal")
            #expect(found.map(\.rows) == [4] && found.map(\.isInUse) == [false])
        }
    }

    @Test func aJournalThatCannotBeReadIsReportedButAnotherFileIsNot() throws {
        try Self.withFolder { folder in
            let plan = try Self.plan(.range(PlanRange("1-4")), "https://a.example/{n}")
            let file = folder.appending(path: "a.journal")
            _ = try plan.journal(at: file)
            let bytes = try Data(contentsOf: file)
            try bytes.prefix(bytes.count / 2).write(to: file)
            try Data("a diary".utf8).write(to: folder.appending(path: "b.journal"))
            let (journals, unreadable) = try Self.search(plan, in: folder, except: "own.journal")
            #expect(journals.isEmpty && unreadable.map(\.path) == [file.resolvingSymlinksInPath().path])
        }
    }

    @Test func aCopyOfAPlanFindsTheJournalOfThePlan() throws {
        try Self.withFolder { folder in
            let (file, copy) = (folder.appending(path: "p.csv"), folder.appending(path: "p (1).csv"))
            for file in [file, copy] { try "id\n1\n2\n".write(to: file, atomically: true, encoding: .utf8) }
            _ = try Self.plan(.file(file.path), "https://a.example/{id}")
                .journal(at: folder.appending(path: "p.csv.journal"))
            // Neither the file nor the folder contains any information about rows.
            try Data("no journal".utf8).write(to: folder.appending(path: "text.journal"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: "folder.journal"), withIntermediateDirectories: false)
            let again = try Self.plan(.file(copy.path), "https://a.example/{id}")
            let found = try Self.neighbours(of: again, in: folder, except: "p (1).csv.journal")
            #expect(found.map(\.overlap) == [.wholePlan] && found.map(\.continuation) == [.asItIs])
            #expect(found.map(\.plan.file) == [file.path] && found.map(\.rowsWithTags) == [0])
            try "id\n1\n3\n".write(to: copy, atomically: true, encoding: .utf8)
            #expect(try Self.neighbours(of: again, in: folder, except: "p (1).csv.journal").isEmpty)
        }
    }

    private static let template = "https://a.example/{id}?t={uid}&r={random:16}"

    /// Returns the neighbours of a list that is next to the journal of another list, whose first two rows have tags.
    private static func neighbours(
        of new: String, after old: String, _ template: String = Self.template
    ) throws -> [NeighbourJournal] {
        var found: [NeighbourJournal] = []
        try withFolder { folder in
            let (first, second) = (folder.appending(path: "orig.csv"), folder.appending(path: "new.csv"))
            try old.write(to: first, atomically: true, encoding: .utf8)
            try new.write(to: second, atomically: true, encoding: .utf8)
            do {
                let journal = try plan(.file(first.path), template)
                    .journal(at: folder.appending(path: "orig.csv.journal")).journal
                for number in 1...2 { try journal.bind(number, to: JournalPlace.tag(UInt8(number))) }
            }
            found = try neighbours(of: plan(.file(second.path), template), in: folder, except: "new.csv.journal")
        }
        return found
    }

    @Test(arguments: [
        ("id,box\n1,a\n2,b\n3,x\n", "rows 1 and 2", true), ("id,box\n1,a\n2,b\nx,c\n4,d\n", "rows 1 and 2", true),
        ("id,box\n9,a\n3,c\n2,b\n", "row 3", false), ("id,box\n1,a\n2,b\n", "rows 1 and 2", false),
        // Additional columns and another order of columns do not change the message.
        ("box,id\nz,8\nz,1\n", "row 2", false), ("id\n2\n", "row 1", false),
    ])
    func aCorrectedListFindsTheRowsThatTagsHave(new: String, rows: String, isContinued: Bool) throws {
        let found = try Self.neighbours(of: new, after: "id,box\n1,a\n2,b\n3,c\n")
        #expect(found.count == 1)
        guard case .rows(let numbers)? = found.first?.overlap else {
            Issue.record("\(found)")
            return
        }
        #expect(numbers.text == rows)
        #expect(found.first?.continuation == (isContinued ? .extended : nil))
        #expect(found.first?.rowsWithTags == 2 && found.first?.rows == 3 && found.first?.drawsDigits == true)
    }

    @Test func anotherListHasNoRowsOnTags() throws {
        let old = "id,box\n1,a\n2,b\n3,c\n"
        // No tag has row 3 yet.
        #expect(try Self.neighbours(of: "id,box\n3,c\n4,d\n", after: old).isEmpty)
        // The message contains the row's number, which differs.
        #expect(try Self.neighbours(of: "id\n9\n1\n", after: old, "https://a.example/{n}/{id}").isEmpty)
        #expect(try Self.neighbours(of: "id\n1\n9\n", after: old, "https://a.example/{n}/{id}").count == 1)
        // Tags get the same message on purpose.
        let kinds = "id,kind\n1,a\n2,a\n"
        #expect(try Self.neighbours(of: "id,kind\n7,a\n", after: kinds, "https://a.example/{kind}").isEmpty)
        #expect(try Self.neighbours(of: "id\n1\n9\n", after: old, "https://a.example/{uid}").isEmpty)
    }

    @Test(arguments: [
        ("1-10", 1, "5-20", 1, 5...10), ("0-100", 10, "5-95", 5, 10...90), ("1-9", 2, "3-11", 2, 3...9),
        ("7-7", 1, "1-9", 3, 7...7),
    ])
    func rangesHaveNumbersInCommon(
        first: String, step: Int, second: String, otherStep: Int, common: ClosedRange<Int>
    ) throws {
        let ranges = (try PlanRange(first, step: step), try PlanRange(second, step: otherStep))
        #expect(ranges.0.numbers(commonWith: ranges.1) == common)
        #expect(ranges.1.numbers(commonWith: ranges.0) == common)
        #expect(PlanRange(options: ranges.0.options) == ranges.0)
    }

    @Test(arguments: [("1-4", 1, "5-9", 1), ("1-9", 2, "2-10", 2), ("0-8", 4, "2-10", 4)])
    func otherRangesHaveNone(first: String, step: Int, second: String, otherStep: Int) throws {
        let ranges = (try PlanRange(first, step: step), try PlanRange(second, step: otherStep))
        #expect(ranges.0.numbers(commonWith: ranges.1) == nil)
        for text in ["tags.csv", "--range 01-2", "--range 1-2 --step x", "--range 1-2 --step 1", ""] {
            #expect(PlanRange(options: text) == nil)
        }
    }
}
