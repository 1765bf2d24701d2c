// Tags that are placed again during a provisioning: unfinished, finished, changed or erased tags — Docs/Provisioning.md

import Foundation
import Testing

extension BuiltBinaryReturns {
    @Suite struct ProvisionReturnTests {
        @Test func aTagThatHasItsRowGetsNoOther() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213").status == 75)
                let (status, events) = try await run.provision("virtual:tag.nfc?serial=1")
                #expect(status == 75)
                #expect(ProvisionRun.rows(events, "known") == [1])
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test(arguments: ["loss", "tear"], [3, 7, 10, 14, 18, 22])
        func aTagThatLeavesIsFinishedWhenItComesBack(fault: String, number: Int) async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let first = try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213&\(fault)=\(number)")
                #expect([0, 75].contains(first.status))
                let second = try await run.provision("virtual:tag.nfc?serial=1")
                #expect(second.status == 0)
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test func aTagThatIsTornStaysWithItsRowWhileOthersGoOn() async throws {
            try await ProvisionRun.with { run in
                try run.plan(3)
                #expect(try await run.provision("virtual:torn.nfc?serial=1,kind=ntag213&tear=9").status == 75)
                let (status, events) = try await run.provision("virtual:ntag215*3?stream&dwell=200ms&gap=20ms")
                #expect(status == 75)
                #expect(ProvisionRun.rows(events) == [2, 3])
                #expect(events.last?["open"] as? [Int] == [1])
                #expect(try await run.provision("virtual:torn.nfc?serial=1").status == 0)
            }
        }

        @Test func aLostTagsRowIsReleasedByTheUser() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:torn.nfc?serial=1,kind=ntag213&tear=9").status == 75)
                let release = try await Tool.run("provision", "release", "1", "--yes", in: run.folder)
                #expect(release.status == 0)
                #expect(try await run.provision("virtual:tag.nfc?serial=1").status == 0)
                // A verified row is not given to another tag without asking.
                #expect(try await Tool.run("provision", "release", "1", in: run.folder).status == 64)
            }
        }

        /// With some of these faults, the tag holds the whole message, but its last answer was lost.
        @Test(arguments: ["loss", "tear"], [6, 9, 10, 11, 12])
        func aRowWhoseTagWasNotFinishedIsNotReleasedWithoutAsking(fault: String, number: Int) async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let first = try await run.provision("virtual:a.nfc?serial=1,kind=ntag213&\(fault)=\(number)")
                #expect(first.status == 75)
                let asked = try await Tool.run("provision", "release", "1", in: run.folder)
                #expect(asked.status == 64, "\(asked.output)")
                #expect(asked.errors.contains("Find the tag first: erase it, or destroy it if it is locked."))
                let agreed = try await Tool.run("provision", "release", "1", "--yes", in: run.folder)
                #expect(agreed.status == 0 && agreed.output == "Row 1 is free again.\n", "\(agreed.errors)")
            }
        }

        @Test func aRowThatWasCompletelyWrittenIsNotReleasedWithoutAsking() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:a.nfc?serial=1,kind=ntag213&loss=18").status == 75)
                let release = ["provision", "release", "1"]
                let asked = try await Tool.run(release, in: run.folder)
                #expect(asked.status == 64)
                #expect(asked.errors.contains("probably carries row 1"), "\(asked.errors)")
                #expect(try await Tool.run(release + ["--yes"], in: run.folder).status == 0)
                // The row goes to another tag. The first tag is still known, in reports and when it is placed again.
                let second = try await run.provision("virtual:b.nfc?serial=2,kind=ntag213", "--report", "r.jsonl")
                #expect(ProvisionRun.rows(second.events) == [1])
                let report = try String(contentsOfFile: run.folder + "/r.jsonl", encoding: .utf8)
                #expect(report.contains(#""refusedTags":1"#), "\(report)")
                #expect(report.contains("It probably carries row 1, which was released."), "\(report)")
                let (_, events) = try await run.provision("virtual:a.nfc?serial=1")
                let refused = events.filter { $0["event"] as? String == "refused" }
                #expect(refused.compactMap { $0["error"] as? String } == ["rowMoved"])
                let verify = ["provision", "verify", "--reader", "virtual:a.nfc?serial=1", "--timeout", "1s"]
                let verified = try await Tool.run(verify, in: run.folder)
                #expect(verified.status == 65)
                #expect(verified.output.contains("It probably carries row 1, which was released."))
            }
        }

        @Test func theCommandThatFreesARowNamesThePlanIfTheFolderHasSeveral() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:torn.nfc?serial=1,kind=ntag213&tear=9").status == 75)
                let status = ["provision", "status", "tags.csv"]
                let alone = try await Tool.run(status, in: run.folder)
                #expect(alone.output.hasSuffix("nfctool provision release ROW\n"), "\(alone.output)")
                let other = ["provision", "--range", "1-2", "--uri", "https://example.com/{n}", "--timeout", "100ms"]
                _ = try await Tool.run(other + ["--reader", "virtual:ntag215-read-only"], in: run.folder)
                let both = try await Tool.run(status, in: run.folder)
                #expect(both.output.hasSuffix("nfctool provision release ROW --plan tags.csv\n"), "\(both.output)")
            }
        }

        @Test func aRowThatAPlanDoesNotHaveIsToldWithTheRowsThatItHas() async throws {
            try await ProvisionRun.with { run in
                let plan = ["provision", "--range", "2-10", "--step", "4", "--uri", "https://example.com/{n}"]
                let started = ["--timeout", "100ms", "--reader", "virtual:ntag215-read-only"]
                _ = try await Tool.run(plan + started, in: run.folder)
                for command in ["release", "reset"] {
                    let outcome = try await Tool.run("provision", command, "6", in: run.folder)
                    #expect(outcome.status == 64)
                    #expect(
                        outcome.errors.contains(
                            "The plan has no row 6. Its rows are 1 to 3. Rows are counted from 1, whatever numbers"),
                        "\(outcome.errors)")
                }
            }
        }

        @Test func resetSaysHowARowWhoseTagIsNotFinishedIsFreed() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let arguments = [
                    "provision", "tags.csv", "--uri", run.uri, "--json", "--timeout", "5s", "--reader",
                    "virtual:ntag213?hang=12",
                ]
                // The reader stops answering during the write, so the row cannot be finished before the command is killed.
                let killed = try await Tool.start(arguments, in: run.folder) { tool in
                    _ = try await tool.line { $0.contains(#""event":"started""#) }
                    tool.send(SIGKILL)
                }
                #expect(killed.status == -SIGKILL)
                let reset = try await Tool.run("provision", "reset", "1", in: run.folder)
                #expect(reset.status == 64 && reset.errors.hasPrefix("nfctool: Row 1 is "), "\(reset.errors)")
                let advice = "\n  To free the row:  nfctool provision release 1\n"
                #expect(reset.errors.contains(advice), "\(reset.errors)")
            }
        }

        /// The answer to the second question, and the beginning of the last line.
        @Test(arguments: [("n\n", ""), ("\u{3}", "Interrupted. ")])
        func rowsThatWereFreedAreNamedWhenTheNextOneIsNot(answer: String, head: String) async throws {
            try await ProvisionRun.with { run in
                try run.plan(3)
                #expect(try await run.provision("virtual:ntag213*3?stream&dwell=200ms&gap=20ms").status == 0)
                let release = try TerminalRun(["provision", "release", "1", "2", "3"], in: run.folder)
                try await release.wait(for: "Free row 1 of tags.csv? [y/N]")
                release.type("y\n")
                try await release.wait(for: "Free row 2 of tags.csv? [y/N]")
                release.type(answer)
                #expect(try await release.ended() == 130)
                let remark = "nfctool: \(head)Row 1 was freed; rows 2 and 3 were left as they are."
                #expect(release.output.contains(remark), "\(release.output)")
                #expect(!release.output.contains("Nothing was changed"))
            }
        }

        @Test func rowsThatSayTheSameAreNamedBeforeTheFirstTagAndInTheQuestion() async throws {
            try await ProvisionRun.with { run in
                try "id\n1\n2\n1\n".write(toFile: run.folder + "/same.csv", atomically: true, encoding: .utf8)
                let line = ["provision", "same.csv", "--uri", "https://example.com/{id}", "--timeout", "200ms"]
                let reader = ["--reader", "virtual:ntag213"]
                let asked = try await Tool.run(line + reader + ["--lock"], in: run.folder)
                #expect(asked.status == 64)
                #expect(asked.errors.contains("1 row repeats an earlier one."), "\(asked.errors)")
                let outcome = try await Tool.run(line + reader, in: run.folder)
                let warning = "Warning: Row 3 (line 4) has the same values as row 1 (line 2)."
                #expect(outcome.errors.contains(warning), "\(outcome.errors)")
            }
        }

        @Test func aTagThatWasChangedSinceIsSeen() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213").status == 75)
                let write = ["write", "--text", "mine", "--quiet", "--reader", "virtual:tag.nfc?serial=1"]
                #expect(try await Tool.run(write, in: run.folder).status == 0)
                let (_, events) = try await run.provision("virtual:tag.nfc?serial=1")
                let refused = events.filter { $0["event"] as? String == "refused" }
                #expect(refused.compactMap { $0["error"] as? String } == ["contentChanged"])
                // The line and the summary contain the same count.
                #expect(events.last?["refusedNow"] as? Int == 1)
                func report(_ name: String) async throws -> String {
                    let export = ["provision", "export", name, "--plan", "tags.csv", "--overwrite"]
                    #expect(try await Tool.run(export, in: run.folder).status == 0)
                    return try String(contentsOfFile: "\(run.folder)/\(name)", encoding: .utf8)
                }
                let lines = try await report("r.jsonl")
                #expect(lines.contains(#""refusedTags":1"#), "\(lines)")
                #expect(lines.contains(#"{"schema":1,"event":"refused","row":1,"uid":"0410571F000180""#), "\(lines)")
                #expect(try await report("r.html").contains("1 tag was changed after verification: row 1."))
                // The owner of the tag wrote the row's message again.
                let back = ["write", "--uri", "https://example.com/101?t=0410571F000180", "--quiet"]
                let same = try await Tool.run(
                    back + ["--reader", "virtual:tag.nfc?serial=1"], in: run.folder)
                #expect(same.status == 0)
                _ = try await run.provision("virtual:tag.nfc?serial=1")
                #expect(try await report("r.jsonl").contains(#""refusedTags":0"#))
            }
        }

        @Test(arguments: [["erase"], ["write", "--empty"]])
        func aTagThatWasErasedSinceIsToldSoAndGetsItsRowAgain(command: [String]) async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let first = try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213", "--count", "1")
                #expect(first.events.last?["provisioned"] as? Int == 1)
                let erase = try await Tool.run(
                    command + ["--quiet", "--reader", "virtual:tag.nfc?serial=1"], in: run.folder)
                #expect(erase.status == 0)
                let (_, events) = try await run.provision("virtual:tag.nfc?serial=1", "--count", "1")
                #expect(ProvisionRun.rows(events, "erased") == [1])
                #expect(ProvisionRun.rows(events) == [1])
                #expect(ProvisionRun.rows(events, "refused") == [])
                #expect(events.last?["provisioned"] as? Int == 1)
                #expect(events.last?["pending"] as? Int == 1)
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test func aSecondChipWithTheUIDOfALockedTagGetsNoRow() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let first = try await run.provision(
                    "virtual:a.nfc?serial=1,kind=ntag213", "--count", "1", "--lock", "--yes")
                #expect(first.events.last?["locked"] as? Int == 1)
                let (status, events) = try await run.provision(
                    "virtual:b.nfc?serial=1,kind=ntag213", "--lock", "--yes", "--report", "r.jsonl")
                #expect(status == 75)
                let refused = events.filter { $0["event"] as? String == "refused" }
                #expect(refused.compactMap { $0["error"] as? String } == ["sameUID"])
                #expect(ProvisionRun.rows(events, "erased") == [] && ProvisionRun.rows(events) == [])
                #expect(events.last?["refusedNow"] as? Int == 1 && events.last?["provisioned"] as? Int == 1)
                let report = try String(contentsOfFile: run.folder + "/r.jsonl", encoding: .utf8)
                #expect(report.contains(#""refusedTags":1"#) && report.contains(#""cause":"sameUID""#), "\(report)")
                // The tag itself is still known.
                let (_, again) = try await run.provision("virtual:a.nfc?serial=1", "--lock", "--yes")
                #expect(ProvisionRun.rows(again, "known") == [1])
            }
        }

        @Test func aRunOfACompletePlanWaitsForTheTagThatWasChanged() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let tag = "virtual:tag.nfc?serial=1"
                #expect(try await run.provision(tag + ",kind=ntag213").status == 75)
                let write = ["write", "--text", "mine", "--quiet", "--reader", tag]
                #expect(try await Tool.run(write, in: run.folder).status == 0)
                #expect(try await ProvisionRun.rows(run.provision(tag).events) == [])
                // The plan is complete, but a script must not take it for delivered.
                let complete = try await run.provision("virtual:ntag213?serial=2")
                #expect(complete.status == 75 && complete.events.last?["provisioned"] as? Int == 2)
                #expect(try await Tool.run("erase", "--quiet", "--reader", tag, in: run.folder).status == 0)
                let line = ["provision", "tags.csv", "--uri", run.uri, "--json", "--timeout", "5s", "--reader", tag]
                let told = try await Tool.run(
                    "provision", "tags.csv", "--uri", run.uri, "--timeout", "200ms", "--reader", "virtual:?mute=0",
                    in: run.folder)
                #expect(
                    told.errors.contains("this tag has been changed since then: 0410571F000180 (row 1)")
                        && told.errors.contains("nfctool provision reset 1"), "\(told.errors)")
                let repair = try await Tool.run(line, in: run.folder)
                #expect(repair.status == 0)
                let events = try repair.jsonLines()
                #expect(ProvisionRun.rows(events, "erased") == [1] && ProvisionRun.rows(events) == [1])
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
                // Nothing is left to wait for.
                let end = try await Tool.run(line, in: run.folder)
                #expect(end.status == 0 && end.errors == "", "\(end.errors)")
            }
        }

        @Test func aCardThatWasFormattedSinceGetsItsRowAgainIfItMayBeInitialised() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let card = "virtual:card.nfc?kind=classic1k"
                #expect(try await run.provision(card, "--yes", "--count", "1").status == 75)
                let format = ["format", "--factory", "--yes", "--quiet", "--reader", "virtual:card.nfc"]
                #expect(try await Tool.run(format, in: run.folder).status == 0)
                let (_, refused) = try await run.provision("virtual:card.nfc")
                #expect(refused.compactMap { $0["error"] as? String } == ["confirmationNeeded"])
                // The row does not count as failed.
                #expect(refused.last?["provisioned"] as? Int == 1 && refused.last?["failed"] as? Int == 0)
                let (_, events) = try await run.provision("virtual:card.nfc", "--yes", "--count", "1")
                #expect(ProvisionRun.rows(events, "erased") == [1] && ProvisionRun.rows(events) == [1])
            }
        }

        @Test func verifyAdvisesToResetARowThatItsTagNoLongerHolds() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let tag = "virtual:tag.nfc?serial=1"
                #expect(try await run.provision(tag + ",kind=ntag213").status == 0)
                #expect(try await Tool.run("erase", "--quiet", "--reader", tag, in: run.folder).status == 0)
                // With a second journal in the folder, the command must name its own journal.
                let second = run.folder + "/other.journal"
                try "".write(toFile: second, atomically: true, encoding: .utf8)
                let verify = try await Tool.run(
                    "provision", "verify", "tags.csv", "--timeout", "1s", "--reader", tag, in: run.folder)
                #expect(verify.status == 65)
                #expect(verify.errors.contains("nfctool provision reset 1 --plan tags.csv"), "\(verify.errors)")
                try FileManager.default.removeItem(atPath: second)
                let reset = try await Tool.run("provision", "reset", "1", "--yes", in: run.folder)
                #expect(reset.status == 0, "\(reset.errors)")
                #expect(try await run.provision(tag).status == 0)
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test func anErasedTagThatIsProtectedIsOpenedWithItsRowsPassword() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let password = "--password-file"
                let first = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213", "--count", "1", "--protect", password, "password")
                #expect(first.events.last?["provisioned"] as? Int == 1)
                let erase = ["erase", "--quiet", password, "password", "--reader", "virtual:tag.nfc?serial=1"]
                #expect(try await Tool.run(erase, in: run.folder).status == 0)
                let (_, events) = try await run.provision(
                    "virtual:tag.nfc?serial=1", "--count", "1", "--protect", password, "password")
                #expect(ProvisionRun.rows(events, "erased") == [1])
                #expect(ProvisionRun.rows(events) == [1])
                #expect(events.last?["sealed"] as? Int == 1)
            }
        }
    }
}
