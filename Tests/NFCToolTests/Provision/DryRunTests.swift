// provision --dry-run says what each row means

import Foundation
import Testing

extension BuiltBinaryProvision {
    @Suite struct DryRunTests {
        private static func dryRun(_ plan: String, _ more: String...) async throws -> Outcome {
            try await Tool.withFolder { folder in
                try plan.write(toFile: folder + "/tags.csv", atomically: true, encoding: .utf8)
                return try await Tool.run(["provision", "tags.csv", "--dry-run"] + more, in: folder)
            }
        }

        private static let plan = """
            uri,app,lock,protect,password,passwort,locked
            https://example.com/1,,yes,,,,
            https://example.com/2,com.example.app,,yes,1A2B3C4D,,
            https://example.com/1,,no,,,,
            https://example.com/1,,yes,,,,

            """

        @Test func eachRowSaysWhatItsTagHoldsAndHowItIsClosed() async throws {
            let outcome = try await Self.dryRun(Self.plan)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(
                lines.prefix(4) == [
                    "row 1 → https://example.com/1, locked",
                    "row 2 → https://example.com/2 + Android app com.example.app, protected by a password",
                    "row 3 → https://example.com/1", "row 4 → https://example.com/1, locked",
                ])
            #expect(lines.contains("2 rows: the tag is locked permanently."))
            #expect(lines.contains("1 row: the tag is protected by a password."))
            #expect(!outcome.output.contains("1A2B3C4D"))
        }

        @Test func duplicateRowsAndUnusedColumnsAreNamed() async throws {
            let outcome = try await Self.dryRun(Self.plan)
            #expect(outcome.output.contains("Row 4 has the same values as row 1."))
            #expect(outcome.output.contains("Row 3 makes the same message as row 1."))
            #expect(
                outcome.errors.contains(
                    "Warning: Columns not used: passwort, locked."))
        }

        @Test func bytesAreShownWithVerbose() async throws {
            let plain = try await Self.dryRun("uri\nhttps://a.b\n")
            #expect(!plain.output.contains("D1 01"))
            let verbose = try await Self.dryRun("uri\nhttps://a.b\n", "--verbose")
            #expect(verbose.output.contains("    8 bytes: D1 01 04 55 04 61 2E 62"))
        }

        @Test func aPlanThatCannotBeCarriedOutNamesItsColumnsToo() async throws {
            let outcome = try await Self.dryRun("uri,locked,lock\nhttps://a.b,yes,maybe\n")
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("“maybe” is not yes, true, 1, no, false or 0."))
            #expect(outcome.errors.contains("Column not used: locked."))
        }

        @Test func programsGetTheSameFacts() async throws {
            let events = try await Self.dryRun(Self.plan, "--json").jsonLines()
            #expect(events.prefix(4).compactMap { $0["locked"] as? Bool } == [true, false, false, true])
            let plan = try #require(events.last)
            #expect(plan["locked"] as? Int == 2 && plan["protected"] as? Int == 1)
            #expect(plan["unusedColumns"] as? [String] == ["passwort", "locked"])
            let duplicates = try #require(plan["duplicates"] as? [[String: Any]])
            #expect(duplicates.compactMap { $0["same"] as? String } == ["message", "values"])
        }
    }
}
