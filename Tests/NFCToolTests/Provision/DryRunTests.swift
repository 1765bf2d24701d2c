// provision --dry-run explains each row

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
            #expect(lines.contains("2 rows: the tags will be locked permanently."))
            #expect(lines.contains("1 row: the tag will be protected by a password."))
            #expect(!outcome.output.contains("1A2B3C4D"))
        }

        /// The lock of an NTAG213 takes about 3 s.
        @Test func theTimeIncludesTheLocks() async throws {
            func seconds(_ lock: String) async throws -> Double {
                let plan = "uri,lock\nhttps://a.b,\(lock)\nhttps://a.c,\(lock)\n"
                let event = try await Self.dryRun(plan, "--json").jsonLines().last
                return try #require(event?["seconds"] as? Double)
            }
            let (locked, open) = (try await seconds("yes"), try await seconds("no"))
            let locks = locked - open
            #expect((5...7).contains(locks), "\(locks)")
            let text = try await Self.dryRun("uri,lock\nhttps://a.b,yes\n").output
            #expect(text.contains("\nWriting and locking take about 3 s, "), "\(text)")
            #expect(text.contains("Hold each tag still until its line appears."), "\(text)")
        }

        @Test func duplicateRowsAndUnusedColumnsAreNamed() async throws {
            let outcome = try await Self.dryRun(Self.plan)
            #expect(outcome.output.contains("Row 4 (line 5) has the same values as row 1 (line 2)."))
            #expect(outcome.output.contains("Row 3 (line 4) makes the same message as row 1 (line 2)."))
            #expect(
                outcome.errors.contains(
                    "Warning: Columns not used: passwort, locked."))
        }

        @Test func fewChipsAreNamed() async throws {
            let plain = try await Self.dryRun("uri\nhttps://a.b\n").output
            #expect(
                plain.contains("The longest message fits MIFARE Ultralight, NTAG210, Topaz 96, ")
                    && plain.contains(" and 15 more.\n"))
            let closed = try await Self.dryRun(Self.plan).output
            #expect(closed.contains("\nChips that hold the longest message and can be protected and locked: "))
            #expect(closed.contains("NTAG213, NTAG215, NTAG216.\n") && !closed.contains("Topaz"))
        }

        @Test func theChipThatThePlanRequiresIsNamed() async throws {
            let required = try await Self.dryRun("uri,lock\nhttps://a.b,yes\n", "--require", "ntag215")
            #expect(required.output.contains("\nChips that hold the longest message and can be locked: NTAG215.\n"))
            let different = try await Self.dryRun("uri,require\nhttps://a.b,ntag215\nhttps://a.c,ntag213\n")
            #expect(different.output.contains("\nThe rows require different chips: NTAG213, NTAG215.\n"))
            let unlockable = try await Self.dryRun("uri,lock\nhttps://a.b,yes\n", "--require", "st25dv04k")
            #expect(unlockable.output.contains("\nThe rows require ST25DV04K, which cannot be locked.\n"))
        }

        @Test func tenRowsAreShownAndWithVerboseAll() async throws {
            let plan = "id\n" + (1...12).map { "\($0)\n" }.joined()
            let brief = try await Self.dryRun(plan, "--uri", "https://a.b/{id}").output
            #expect(brief.contains("row 10 → ") && !brief.contains("row 11 → "))
            #expect(brief.contains("\n… and 2 more. To show all rows, add --verbose.\n"))
            let verbose = try await Self.dryRun(plan, "--uri", "https://a.b/{id}", "-v").output
            #expect(verbose.contains("row 12 → ") && !verbose.contains("… and "))
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

        @Test func aPlanThatWasStartedIsComparedWithItsJournal() async throws {
            try await Tool.withFolder { folder in
                func dryRun(_ uri: String, _ more: String...) async throws -> Outcome {
                    try await Tool.run(["provision", "p.csv", "--uri", uri, "--dry-run"] + more, in: folder)
                }
                func write(_ rows: Int...) throws {
                    try (["id"] + rows.map(String.init) + [""]).joined(separator: "\n").write(
                        toFile: folder + "/p.csv", atomically: true, encoding: .utf8)
                }
                let uri = "https://e.com/{id}"
                try write(1, 2, 3)
                let extending = try await dryRun(uri, "--extend")
                #expect(extending.status == 65 && extending.errors.contains("There is no journal for p.csv to extend"))
                let run = try await Tool.run(
                    "provision", "p.csv", "--uri", uri, "--lock", "--yes", "--count", "1",
                    "--reader", "virtual:ntag213", in: folder)
                #expect(run.status == 75, "\(run.errors)")
                let journal = try Data(contentsOf: URL(fileURLWithPath: folder + "/p.csv.journal"))

                let same = try await dryRun(uri, "--lock")
                #expect(same.status == 0, "\(same.errors)")
                #expect(same.output.hasPrefix("row 2 → https://e.com/2, locked\nrow 3 → "))
                #expect(same.output.contains("\n1 of 3 rows done, 2 to write.\n"))
                #expect(same.output.contains("\n2 rows: the tags will be locked permanently.\n"))
                #expect(same.output.hasSuffix("\nNothing was written, and the journal was not changed.\n"))
                let event = try await dryRun(uri, "--lock", "--json").jsonLines().last
                #expect(event?["rows"] as? Int == 3 && event?["provisioned"] as? Int == 1)
                #expect(event?["locked"] as? Int == 2)

                let other = try await dryRun("https://OTHER.com/{id}", "--lock")
                #expect(other.status == 65 && other.errors.contains("was started with another plan"))
                try write(1, 22, 3)
                #expect(try await dryRun(uri, "--lock").status == 65)
                let corrected = try await dryRun(uri, "--lock", "--extend")
                #expect(corrected.output.hasPrefix("row 2 → https://e.com/22, locked\n"), "\(corrected.errors)")
                #expect(corrected.errors.contains("Warning: Row 2 changed in the plan. No tag has it yet, so"))
                // A tag has row 1.
                try write(11, 2, 3)
                #expect(try await dryRun(uri, "--lock", "--extend").status == 65)
                try write(1, 2, 3, 4)
                #expect(try await dryRun(uri, "--lock").status == 65)
                let extended = try await dryRun(uri, "--lock", "--extend")
                #expect(extended.output.contains("\n1 of 4 rows done, 3 to write.\n"))
                #expect(extended.errors.contains("Warning: 1 new row is not in the journal yet. A run adds it."))
                #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/p.csv.journal")) == journal)
            }
        }

        @Test func aChangedPlanWithoutTagsBeginsAgain() async throws {
            try await Tool.withFolder { folder in
                try "id\n1\n".write(toFile: folder + "/p.csv", atomically: true, encoding: .utf8)
                let run = try await Tool.run(
                    "provision", "p.csv", "--text", "{id}", "--timeout", "300ms",
                    "--reader", "virtual:ntag215-read-only", in: folder)
                #expect(run.status == 75, "\(run.errors)")
                let other = try await Tool.run("provision", "p.csv", "--text", "x{id}", "--dry-run", in: folder)
                #expect(other.status == 0 && other.output.contains("0 of 1 row done, 1 to write."))
                #expect(other.errors.contains("a run replaces the journal"))
            }
        }
    }
}
