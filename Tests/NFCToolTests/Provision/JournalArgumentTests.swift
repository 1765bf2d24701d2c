// The options that make another command find the journal of a run

import ArgumentParser
import Provisioning
import Testing

@testable import nfctool

@Suite struct JournalArgumentTests {
    static let server = "postgresql://desk@127.0.0.1/shop"

    @Test(
        arguments: [
            (server, "a/p 1.csv", ["--journal", server, "--plan", "p 1.csv"]),
            // The form in which --plan names a range.
            (server, "--range 1-9", ["--journal", server, "--plan=--range 1-9"]),
            ("x.journal", "p.csv", ["--journal", "x.journal"]),
            (nil, "a/p.csv", ["--plan", "a/p.csv"]),
        ] as [(String?, String, [String])])
    func theWordsNameTheJournalOfAPlan(journal: String?, plan: String, words: [String]) throws {
        let argument = try JournalArgument.parse(journal.map { ["--journal", $0] } ?? [])
        #expect(argument.words(for: .file(plan)) == words)
    }

    @Test func theWordsNameTheJournalOfARangeAndOfNoPlan() throws {
        let range = PlanSource.range(try PlanRange("1-9"))
        let (file, database) = (try JournalArgument.parse([]), try JournalArgument.parse(["--journal", Self.server]))
        #expect(file.words(for: range) == ["--journal", "range-1-9.journal"] && file.words(for: nil) == [])
        #expect(database.words(for: range) == ["--journal", Self.server, "--plan=--range 1-9"])
        #expect(database.words(for: nil) == ["--journal", Self.server])
    }

    @Test func repeatedWordsAreQuoted() throws {
        let database = try JournalArgument.parse(["--journal", Self.server])
        let range = PlanSource.range(try PlanRange("1-9", step: 2))
        #expect(database.repeated(for: range) == " --journal \(Self.server) '--plan=--range 1-9 --step 2'")
        let file = try JournalArgument.parse(["--journal", "a folder/x.journal"])
        #expect(file.repeated(for: nil) == " --journal 'a folder/x.journal'")
    }
}
