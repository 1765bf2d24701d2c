// Permanent changes are printed before they are made, even if no question is asked — Docs/ExitCodes.md

import Foundation
import Terminal
import Testing

extension BuiltBinary {
    @Suite struct ConfirmationTests {
        private static let lock = ["lock", "--force", "--reader", "virtual:ntag213"]
        private static let bits =
            "  static lock bits, block 2: 9E480000 becomes 9E48F8FF: blocks 3 to 15 can never be written again"

        @Test func programsGetWhatBecomesPermanentToo() async throws {
            let outcome = try await Tool.run(Self.lock + ["--yes", "--json"])
            #expect(outcome.status == 0)
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == 1)
            let object = try Outcome.object(outcome.errors)
            #expect(object["event"] as? String == "confirmed")
            #expect(object["question"] as? String == "Lock tag 0410571F000180?")
            let facts = try #require(object["facts"] as? [String])
            #expect(facts.contains(Self.bits) && facts.last?.hasPrefix("This cannot be undone.") == true)
        }

        /// A MIFARE Ultralight does not identify itself, but it has the same static lock bits as every Type 2 Tag.
        @Test func theLockOfAnUltralightIsSaidToBePermanent() async throws {
            try await Tool.withFolder { folder in
                let asked = try await Tool.shell(
                    """
                    nfctool write --text hi --yes -q --reader 'virtual:u.nfc?kind=ultralight' &&
                    nfctool lock --reader virtual:u.nfc
                    """, in: folder)
                #expect(asked.status == 64)
                #expect(asked.errors.contains("Lock: blocks 3 to 15 can never be written again"), "\(asked.errors)")
                #expect(
                    asked.errors.contains(
                        "According to the specification of a Type 2 Tag, these bits can never be cleared, but on some compatible chips"
                    ))
                #expect(asked.errors.contains("nfctool cannot undo it."))
            }
        }

        @Test func aQuestionThatCannotBeAskedHasItsFacts() async throws {
            let failure = try await Tool.run(Self.lock + ["--json"]).failure()
            #expect(failure["error"] as? String == "confirmationNeeded")
            #expect((failure["facts"] as? [String])?.contains(Self.bits) == true)
            // Without JSON, the short facts are shown, whose last line nobody misses.
            for quiet in [[], ["--quiet"]] {
                let errors = try await Tool.run(Self.lock + quiet).errors
                #expect(errors.contains("can never be written again") && !errors.contains(Self.bits), "\(errors)")
                #expect(errors.contains("\nThis cannot be undone.\nnfctool: Lock tag"), "\(errors)")
            }
        }

        @Test func aPersonSeesALockInAFewLinesAndEachBitOnRequest() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=ntag213&serial=1"]
                let url = "https://example.com/" + String(repeating: "long/", count: 20)
                let write = try await Tool.run(["write", "--uri", url, "--text", "Hi"] + tag, in: folder)
                #expect(write.status == 0, "\(write.errors)")
                let run = try TerminalRun(["lock"] + tag, in: folder)
                try await run.wait(for: "[y/N] ")
                let asked = run.output.replacing("\r\n", with: "\n")
                let start = try #require(asked.firstRange(of: "Tag: ")).lowerBound
                let question = String(asked[start...])
                #expect(
                    question.hasPrefix("Tag: NTAG213, Type 2 Tag, UID 04")
                        && question.contains("\nMessage: URI https://example.com/long"))
                #expect(question.contains("\nLock: blocks 3 to 15 and 16 to 39 can never be written again; "))
                #expect(question.contains("\nThe configuration in blocks 41 to 44 stays open: "))
                #expect(question.contains("\nThis cannot be undone.\nLock tag 04"))
                #expect(question.hasSuffix("? Type ? for details. [y/N] "))
                #expect(question.fitted(to: 80).split(separator: "\n").count <= 8)
                run.type("?\n")
                try await run.wait(for: Self.bits)
                run.type("n\n")
                #expect(try await run.ended(within: .seconds(20)) == 130)
                #expect(run.output.contains("Nothing was changed."))
            }
        }

        @Test func aLockThatNobodyCanAgreeToIsRefusedBeforeAnythingIsWritten() async throws {
            try await ProvisionRun.with { run in
                let command = ["write", "--text", "hello", "--lock", "--reader", "virtual:tag.nfc?kind=ntag213"]
                for more in [[], ["--json"], ["--count", "2"]] {
                    let outcome = try await Tool.run(command + more, in: run.folder)
                    #expect(outcome.status == 64 && outcome.errors.contains("Nothing was changed."))
                }
                let read = try await Tool.run("read", "--reader", "virtual:tag.nfc?kind=ntag213", in: run.folder)
                #expect(read.output.contains("empty, writable"))
            }
        }

        @Test func theQuestionNamesTheMemoryThatADESFireGives() async throws {
            let write = ["write", "--text", "x", "--reader", "virtual:desfire"]
            let taken = "take 7680 of 7936 free bytes, and nfctool cannot free this memory again."
            let asked = try await Tool.run(write)
            #expect(asked.status == 64 && asked.errors.contains(taken.replacing("take ", with: "takes ")))
            #expect(try await Tool.run(write + ["--dry-run"]).output.contains(taken))
            let forecast = try await Tool.run(write + ["--dry-run", "--json"]).json()
            #expect(forecast["takes"] as? Int == 7680 && forecast["freeMemory"] as? Int == 7936)
        }

        @Test func quietWithYesPrintsNothing() async throws {
            #expect(try await Tool.run(Self.lock + ["--yes", "--quiet"]).errors == "")
        }

        @Test func aPlanWithLocksSaysSoToPrograms() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let outcome = try await Tool.run(
                    "provision", "tags.csv", "--uri", run.uri, "--lock", "--yes", "--json", "--reader",
                    "virtual:ntag213", in: run.folder)
                #expect(outcome.status == 0)
                #expect(outcome.errors.contains("1 tag will be locked permanently"))
                #expect(try outcome.failure()["event"] as? String == "confirmed")
            }
        }
    }
}
