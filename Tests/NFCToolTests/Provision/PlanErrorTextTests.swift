// Errors of plans and journals name the options of nfctool that help

import Composing
import ProvisionPresentation
import Provisioning
import Testing

@testable import nfctool

@Suite struct PlanErrorTextTests {
    @Test(
        arguments: [
            (
                .notUTF8,
                "The bytes are not UTF-8. Save the plan as UTF-8, or name its encoding: --encoding windows-1252."
            ),
            (
                .otherEncoding(found: .utf8, named: .windows1252),
                "The file begins like UTF-8, so it is not Windows-1252. Omit --encoding."
            ),
            (
                .noByteOrderMark,
                "The file has no byte order mark, so its byte order is unknown. Specify the byte order: "
                    + "--encoding utf-16le (usual on Windows) or --encoding utf-16be."
            ),
            (
                .nul,
                "The file contains a NUL byte. Save the plan as UTF-8. If it is UTF-16, add --encoding utf-16."
            ),
            (
                .nothingToWrite(nil),
                "There is nothing to write. Give record options, such as --uri 'https://example.com/{id}', or --uri "
                    + "'{link:raw}' for a column with full URLs. Or name columns like the options: uri, text, …"
            ),
            (
                .noPassword,
                "The row is to be protected, but there is no password. Give --password-file, or fill in the row's cell in a column named password."
            ),
            (
                .record(.secondTitle(language: "en")),
                "This is the second title in “en”, but a smart poster has only one title per language. Put --lang "
                    + "before a title in another language."
            ),
            (.emptyRow, "Every cell of the row is empty. Remove the line."),
        ] as [(PlanError.Reason, String)])
    func anErrorOfAPlanNamesTheOptionThatHelps(reason: PlanError.Reason, text: String) {
        #expect(PlanError(line: 3, reason).message == "Line 3: \(text)")
    }

    /// The second message quotes another cell.
    @Test func rowsWithTheSameErrorAreOneLine() {
        func bad(_ line: Int, _ value: String) -> PlanError {
            PlanError(line: line, column: "lock", .badSetting(value: value, expected: "yes or no"))
        }
        let rows =
            [bad(2, "maybe"), PlanError(line: 3, column: "name", .notUTF8), bad(4, "ja"), bad(5, "x")]
            + [PlanError(line: 7, column: "id", .notUTF8)]
        let groups = BadRowGroup.all(of: rows)
        #expect(
            groups.map(\.text) == [
                "Lines 2, 4 and 5, column lock: “maybe” is not yes or no.", rows[1].message, rows[4].message,
            ])
        #expect(groups.map(\.count) == [3, 1, 1])
    }

    @Test func aColumnOfFullURLsIsWrittenWithTheOptionThatTheErrorNames() throws {
        let error = try #require(throws: PlanError.self) {
            try RowRecipe(options: [], settings: RowSettings()).check(columns: ["id", "Link"])
        }
        #expect(
            error.message
                == "There is nothing to write. The column Link is not used. Did you mean uri? Rename it, or write its "
                + "cells as they are: --uri '{Link:raw}'")
        let option = RecordOption(name: .uri, value: "{Link:raw}")
        try RowRecipe(options: [option], settings: RowSettings()).check(columns: ["id", "Link"])
    }

    @Test(arguments: [
        ("{link}", "{counter:mirror}. For a column with full URLs: --uri '{COLUMN:raw}'"),
        ("{Link}", "including https://. Use --uri '{Link:raw}'."),
        ("{Link}?t={uid}", "including https://. Use --uri '{Link:raw}…'."),
    ])
    func aTemplateWithAColumnOfFullURLsNeedsRaw(template: String, end: String) throws {
        let recipe = try RowRecipe(options: [RecordOption(name: .uri, value: template)], settings: RowSettings())
        let error = try #require(throws: PlanError.self) { try recipe.check(columns: ["Link"]) }
        #expect(error.message.hasSuffix(end), "\(error.message)")
    }

    @Test func anErrorOfAJournalNamesTheCommandThatHelps() {
        #expect(
            JournalError.missing(path: "/no/tags.csv.journal").message == "No journal found at /no/tags.csv.journal.")
        #expect(
            JournalError.missing(path: "/no/tags.csv.journal").advice == """
                If the plan was started under another name or in another folder, name its journal:  --journal FILE
                If no tag has a row of this plan yet, start it with nfctool provision.
                """)
        #expect(
            JournalError.severalPlans(journal: "db", plan: nil, known: ["a", "b"]).message
                == "db has several plans. Name one with --plan: a, b.")
        #expect(
            JournalError.severalPlans(journal: "db", plan: "a", known: ["a", "ab"]).message
                == "Several plans match \"a\": a, ab.")
    }
}
