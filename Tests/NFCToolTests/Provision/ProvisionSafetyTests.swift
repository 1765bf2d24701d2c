// Errors that must not happen: a row on two tags, a lock without effect, a report that replaces the plan

import Chance
import Foundation
import Testing
import VirtualPN532

extension BuiltBinaryReturns {
    @Suite struct ProvisionSafetyTests {
        private static func with(_ plan: String, _ body: (String) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                try plan.write(toFile: folder + "/tags.csv", atomically: true, encoding: .utf8)
                try await body(folder)
            }
        }

        private static func provision(
            _ reader: String, _ more: String..., uri: String = "https://example.com/{id}", in folder: String
        ) async throws -> (outcome: Outcome, events: [[String: Any]]) {
            let outcome = try await Tool.run(
                ["provision", "tags.csv", "--uri", uri, "--json", "--timeout", "500ms", "--reader", reader] + more,
                in: folder)
            return (outcome, try outcome.jsonLines())
        }

        private static func words(_ events: [[String: Any]]) -> [String] {
            events.compactMap { $0["event"] as? String }.filter { !["reader", "removed", "summary"].contains($0) }
        }

        /// Returns a page of a Type 2 Tag in the form of its file.
        private static func page(_ number: Int, of file: String) throws -> String? {
            try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                .first { $0.hasPrefix("Page \(number): ") }.map(String.init)
        }

        /// Other data after a capability container and a terminator.
        ///
        /// The tag has no message, but is not blank either.
        @Test func aTagWithOtherDataIsNeitherWrittenNorLocked() async throws {
            try await Self.with("id\n1\n") { folder in
                let tag = "virtual:tag.nfc?kind=ntag215"
                let data = ["A20400000000", "A205FE415441", "A20644454647"]
                #expect(try await Tool.run(["transceive", "--reader", tag] + data, in: folder).status == 0)
                let (outcome, events) = try await Self.provision(
                    "virtual:tag.nfc", "--lock", "--yes", "--overwrite", "never", in: folder)
                #expect(outcome.status != 0)
                #expect(events.first { $0["event"] as? String == "refused" }?["error"] as? String == "notNDEF")
                for command in [["write", "--text", "x", "--yes"], ["erase"], ["format", "--yes"]] {
                    let refused = try await Tool.run(command + ["--json", "--reader", "virtual:tag.nfc"], in: folder)
                    #expect(refused.status == 78, "\(command)")
                    #expect(try refused.failure()["error"] as? String == "notNDEF")
                }
                #expect(try Self.page(5, of: folder + "/tag.nfc") == "Page 5: FE 41 54 41")
                #expect(try Self.page(2, of: folder + "/tag.nfc")?.hasSuffix("00 00") == true)
            }
        }

        /// The interruptions range from before the first lock bit to after the last one.
        @Test(arguments: 14...25) func aLockThatWasCutOffIsNotTakenForALock(number: Int) async throws {
            try await Self.with("id\n1\n") { folder in
                _ = try await Self.provision(
                    "virtual:tag.nfc?kind=ntag213&loss=\(number)", "--lock", "--yes", in: folder)
                let (outcome, events) = try await Self.provision("virtual:tag.nfc", "--lock", "--yes", in: folder)
                #expect(outcome.status == 0)
                #expect(events.last?["sealed"] as? Int == 1)
                let tag = folder + "/tag.nfc"
                // NXP NTAG213, lock bytes: static and dynamic bytes, and those that freeze them.
                #expect(try Self.page(2, of: tag)?.hasSuffix("FF FF") == true)
                #expect(try Self.page(40, of: tag)?.hasPrefix("Page 40: FF 0F 3F") == true)
            }
        }

        /// The interruptions range from the first bytes of the message to the setting that makes the chip show its UID.
        @Test(arguments: 8...30) func aTagThatDoesNotShowItsUIDYetKeepsItsRow(number: Int) async throws {
            try await Self.with("id\n1\n2\n") { folder in
                let uri = "https://example.com/{id}?u={uid:mirror}"
                let (first, _) = try await Self.provision(
                    "virtual:tag.nfc?kind=ntag213&loss=\(number)", "--count", "1", uri: uri, in: folder)
                // A tag that leaves does not end the run.
                #expect(try first.failure()["error"] as? String == "rowsLeft")
                let (_, events) = try await Self.provision("virtual:tag.nfc", "--count", "1", uri: uri, in: folder)
                #expect(events.last?["proven"] as? Int == 1)
                #expect(events.last?["pending"] as? Int == 1)
                #expect(!Self.words(events).contains("refused"))
            }
        }

        /// Each row has its own password and a lock.
        ///
        /// The interruptions range from the lock to the protection.
        @Test(arguments: (12...44).filter { Campaign.isLong || $0 % 3 == 0 })
        func aSealThatWasCutOffIsFinished(number: Int) async throws {
            try await Self.with("id,password\n1,1A2B3C4D\n2,1A2B3C4E\n") { folder in
                let more = ["--lock", "--protect", "--yes"]
                try "11111111".write(toFile: folder + "/password", atomically: true, encoding: .utf8)
                for reader in ["virtual:tag.nfc?kind=ntag213&loss=\(number)", "virtual:tag.nfc"] {
                    let outcome = try await Tool.run(
                        [
                            "provision", "tags.csv", "--uri", "https://example.com/{id}", "--json", "--timeout",
                            "500ms",
                            "--password-file", "password", "--reader", reader,
                        ] + more, in: folder)
                    #expect(try outcome.failure()["error"] as? String == "rowsLeft")
                    guard reader == "virtual:tag.nfc" else { continue }
                    #expect(try outcome.jsonLines().last?["sealed"] as? Int == 1)
                }
                #expect(try Self.page(2, of: folder + "/tag.nfc")?.hasSuffix("FF FF") == true)
                #expect(try Self.page(41, of: folder + "/tag.nfc")?.hasSuffix("04") == true)
            }
        }

        @Test func aRowThatFailedIsFinishedWhenItsTagIsLaidOnAgain() async throws {
            try await Self.with("id\n1\n") { folder in
                let reader = "virtual:tag.nfc?kind=ntag213"
                let first = try await Self.provision(reader, "--count", "1", in: folder).outcome
                #expect(first.status == 0)
                // The state of the journal after a tag that accepted no more writes.
                let failed = try await Tool.shell(
                    """
                    \(ProvisionAudit.python) -c "import sqlite3
                    with sqlite3.connect('tags.csv.journal') as link:
                        link.execute(\\"UPDATE planRow SET state = 'failed', messageLength = NULL, sha256 = NULL, seconds = NULL, signature = NULL\\")"
                    """, in: folder)
                #expect(failed.status == 0, "\(failed.errors)")
                let (outcome, events) = try await Self.provision("virtual:tag.nfc", in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(Self.words(events) == ["started", "row"])
            }
        }

        @Test func rowsThatFailedAreNamedAmongThoseThatAreLeft() async throws {
            try await Self.with("id\n1\n") { folder in
                _ = try await Self.provision("virtual:tag.nfc?kind=ntag213&tear=9", in: folder)
                let failed = try await Tool.shell(
                    """
                    \(ProvisionAudit.python) -c "import sqlite3
                    with sqlite3.connect('tags.csv.journal') as link: link.execute(\\"UPDATE planRow SET state = 'failed'\\")"
                    """, in: folder)
                #expect(failed.status == 0, "\(failed.errors)")
                let left = try await Self.provision("virtual:ntag215", in: folder).outcome
                #expect(left.status == 75)
                #expect(try left.failure()["message"] as? String == "1 of 1 row not finished yet: 1 failed.")
            }
        }

        @Test(arguments: 7...14) func aTagWhoseRowWasReleasedGetsNothingOfItWithoutARow(number: Int) async throws {
            try await Self.with("id\n1\n2\n") { folder in
                _ = try await Self.provision("virtual:tag.nfc?kind=ntag213&tear=\(number)", in: folder)
                let before = try await Tool.run("read", "--json", "--reader", "virtual:tag.nfc", in: folder)
                let release = try await Tool.run("provision", "release", "1", "--yes", in: folder)
                guard release.status == 0 else { return }
                let (_, events) = try await Self.provision("virtual:tag.nfc", in: folder)
                let hasRow = Self.words(events).contains("row")
                let after = try await Tool.run("read", "--json", "--reader", "virtual:tag.nfc", in: folder)
                // The tag either has a verified row, or still holds its old content.
                let held = (try? before.json())?["records"] as? NSArray
                let holds = (try? after.json())?["records"] as? NSArray
                #expect(hasRow || holds?.count == 0 || held != nil && held == holds)
            }
        }

        @Test func aReportNeverReplacesThePlan() async throws {
            let plan = "id,password\n1,12345678\n2,87654321\n"
            try await Self.with(plan) { folder in
                let (outcome, _) = try await Self.provision("virtual:ntag213", "--report", "./tags.csv", in: folder)
                #expect(outcome.status == 64)
                _ = try await Self.provision("virtual:ntag213", in: folder)
                #expect(try await Tool.run("provision", "export", "tags.csv", in: folder).status == 64)
                #expect(try String(contentsOfFile: folder + "/tags.csv", encoding: .utf8) == plan)
                #expect(try await Tool.run("provision", "export", "report.csv", in: folder).status == 0)
            }
        }

        @Test func aPasswordThatDiffersIsNotTold() async throws {
            try await Self.with("id,password\n1,12345678\n") { folder in
                _ = try await Self.provision("virtual:ntag213", in: folder)
                try "id,password\n1,87654321\n".write(
                    toFile: folder + "/tags.csv", atomically: true, encoding: .utf8)
                let (outcome, _) = try await Self.provision("virtual:ntag213", in: folder)
                #expect(outcome.status == 65)
                #expect(outcome.errors.contains("password"))
                #expect(!outcome.errors.contains("12345678") && !outcome.errors.contains("87654321"))
            }
        }

        @Test func readersThatAreAllNamedWronglyEndTheRun() async throws {
            try await Self.with("id\n1\n") { folder in
                let (outcome, _) = try await Self.provision(
                    "pn532_uart:/dev/none", "--reader", "pn532_uart:/dev/nothing", "--timeout", "0", in: folder)
                #expect(outcome.status == 69)
            }
        }

        @Test(arguments: ["nonsense", "virtual:ntg213", "virtual:ntag213?bogus=1"])
        func aMisspeltReaderStartsNothing(reader: String) async throws {
            try await Self.with("id\n1\n") { folder in
                let (outcome, _) = try await Self.provision(reader, "--report", "report.html", in: folder)
                #expect([64, 69].contains(outcome.status), "\(outcome.errors)")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(!names.contains { $0.hasPrefix("tags.csv.journal") || $0 == "report.html" }, "\(names)")
                let (again, _) = try await Self.provision("virtual:ntag213", "--report", "report.html", in: folder)
                #expect(again.status == 0, "\(again.errors)")
            }
        }

        @Test func aReaderThatMakesNoSenseEndsTheOthersAtOnce() async throws {
            try await Self.with("id\n1\n") { folder in
                let (outcome, _) = try await Self.provision(
                    "virtual:ntag215-read-only", "--reader", "virtual:bogus", "--timeout", "0", in: folder)
                #expect(outcome.status == 64)
            }
        }

        @Test func aRunThatIsInterruptedLeavesItsReport() async throws {
            try await Self.with("id\n1\n2\n") { folder in
                let arguments = [
                    "provision", "tags.csv", "--uri", "https://example.com/{id}", "--json", "--timeout", "0",
                    "--reader", "virtual:ntag213", "--report", "report.jsonl",
                ]
                let outcome = try await Tool.start(arguments, in: folder) { tool in
                    _ = try await tool.line { $0.contains(#""event":"row""#) }
                    tool.send(SIGINT)
                    while (try? await tool.line { _ in true }) != nil {}
                }
                #expect(outcome.status == 130)
                let report = try String(contentsOfFile: folder + "/report.jsonl", encoding: .utf8)
                #expect(report.contains(#""state":"proven""#))
            }
        }

        /// The command takes longer than a tag may be away, and longer than the wait for the next tag.
        @Test func aTagThatLiesThereDuringItsCommandIsNotToldAgain() async throws {
            try await Self.with("id\n1\n2\n") { folder in
                let (outcome, events) = try await Self.provision(
                    "virtual:ntag213?latency=real", "--exec", "sleep 0.7", "--timeout", "600ms", in: folder)
                #expect(outcome.status == 75)
                #expect(Self.words(events) == ["started", "row"])
                #expect(!events.contains { $0["event"] as? String == "removed" })
                let after = try #require(events.last?["seconds"] as? Double)
                #expect(after > 1.2)
            }
        }

        /// On a real reader, a poll takes longer than one wait for its result.
        @Test func aTagThatIsTakenAwayIsToldAsRemoved() async throws {
            let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make()], latency: .real)
            defer { reader.stop() }
            try await Self.with("id\n1\n2\n") { folder in
                let arguments = [
                    "provision", "tags.csv", "--uri", "https://example.com/{id}", "--json", "--timeout", "20s",
                    "--reader",
                    reader.connection,
                ]
                let outcome = try await Tool.start(arguments, in: folder) { tool in
                    _ = try await tool.line { $0.contains(#""event":"row""#) }
                    reader.field.remove()
                    _ = try await tool.line { $0.contains(#""event":"removed""#) }
                    tool.send(SIGINT)
                }
                #expect(outcome.status == 130, "\(outcome.errors)")
            }
        }

        @Test func aQuestionThatWasDeclinedLeavesNoJournal() async throws {
            try await Self.with("id\n1\n") { folder in
                let declined = try await Self.provision("virtual:ntag213", "--lock", in: folder).outcome
                #expect(declined.status == 64)
                #expect(!FileManager.default.fileExists(atPath: folder + "/tags.csv.journal"))
                let other = try await Self.provision("virtual:ntag213", in: folder).outcome
                #expect(other.status == 0)
            }
        }
    }
}
