// A plan on virtual tags, by the built nfctool: each row on one tag, each tag one row, whatever happens — CLI.md, provision

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct ProvisionTests {
        /// A plan of `count` rows, a run of nfctool over it, and what it said.
        private struct Run {
            let folder: String
            var uri = "https://example.com/{id}?t={uid}"

            func plan(_ count: Int) throws {
                let rows = (1...count).map { "\($0 + 100),box \($0)" }
                try ("id,box\n" + rows.joined(separator: "\n") + "\n")
                    .write(toFile: folder + "/tags.csv", atomically: true, encoding: .utf8)
            }

            func provision(_ reader: String, _ more: String...) async throws -> (status: Int32, events: [[String: Any]])
            {
                let outcome = try await Tool.run(
                    ["provision", "tags.csv", "--uri", uri, "--json", "--timeout", "1s", "--reader", reader] + more,
                    in: folder)
                return (outcome.status, try outcome.jsonLines())
            }

            func uri(on file: String) async throws -> String? {
                let outcome = try await Tool.run("read", "--json", "--reader", "virtual:\(file)", in: folder)
                let records = try outcome.json()["records"] as? [[String: Any]]
                return (records?.first?["content"] as? [String: Any])?["uri"] as? String
            }
        }

        private static func with(_ body: (Run) async throws -> Void) async throws {
            try await Tool.withFolder { try await body(Run(folder: $0)) }
        }

        private static func rows(_ events: [[String: Any]], _ word: String = "row") -> [Int] {
            events.filter { $0["event"] as? String == word }.compactMap { $0["row"] as? Int }
        }

        @Test func aStreamOfTagsGetsTheRowsInTheirOrder() async throws {
            try await Self.with { run in
                try run.plan(20)
                let (status, events) = try await run.provision("virtual:ntag213*20?stream&dwell=200ms&gap=20ms")
                #expect(status == 0)
                #expect(Self.rows(events) == Array(1...20))
                let done = events.filter { $0["event"] as? String == "row" }
                #expect(Set(done.compactMap { $0["uid"] as? String }).count == 20)
                #expect(Set(done.compactMap { $0["sha256"] as? String }).count == 20)
                #expect(events.last?["proven"] as? Int == 20)
                // A plan that is done is done: no reader is needed for it.
                let again = try await run.provision("pn532_uart:/dev/none")
                #expect(again.status == 0)
            }
        }

        @Test func theTagHoldsItsRow() async throws {
            try await Self.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:tag.nfc?serial=1,kind=ntag215").status == 0)
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0411571F000180")
            }
        }

        @Test func whatIsLeftIsToldAndGoesOnWithTheSameCommand() async throws {
            try await Self.with { run in
                try run.plan(5)
                let (status, events) = try await run.provision("virtual:ntag213*3?stream&dwell=200ms&gap=20ms")
                #expect(status == 75)
                #expect(Self.rows(events) == [1, 2, 3])
                let rest = try await run.provision("virtual:ntag216*9?stream&dwell=200ms&gap=20ms")
                #expect(rest.status == 0)
                #expect(Self.rows(rest.events) == [4, 5])
            }
        }

        @Test func aTagThatHasItsRowGetsNoOther() async throws {
            try await Self.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213").status == 75)
                let (status, events) = try await run.provision("virtual:tag.nfc?serial=1")
                #expect(status == 75)
                #expect(Self.rows(events, "known") == [1])
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test(arguments: [
            ("virtual", "foreignContent"), ("virtual:ntag215-read-only", "readOnly"),
            ("virtual:ultralight", "wrongChip"),
            ("virtual:ntag215-protected", "passwordNeeded"),
        ])
        func aTagThatIsNotRightCostsNoRow(reader: String, cause: String) async throws {
            try await Self.with { run in
                try run.plan(1)
                let chip = cause == "wrongChip" ? ["--require", "ntag213"] : []
                let outcome = try await Tool.run(
                    ["provision", "tags.csv", "--uri", run.uri, "--json", "--timeout", "300ms", "--reader", reader]
                        + chip,
                    in: run.folder)
                #expect(outcome.status == 75)
                let refused = try outcome.jsonLines().filter { $0["event"] as? String == "refused" }
                #expect(refused.compactMap { $0["error"] as? String } == [cause])
                #expect(try outcome.jsonLines().last?["pending"] as? Int == 1)
            }
        }

        @Test func contentIsOverwrittenWhenAskedFor() async throws {
            try await Self.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual", "--overwrite", "always").status == 0)
            }
        }

        @Test(arguments: ["loss", "tear"], [3, 7, 10, 14, 18, 22])
        func aTagThatLeavesIsFinishedWhenItComesBack(fault: String, number: Int) async throws {
            try await Self.with { run in
                try run.plan(1)
                let first = try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213&\(fault)=\(number)")
                #expect([0, 75].contains(first.status))
                let second = try await run.provision("virtual:tag.nfc?serial=1")
                #expect(second.status == 0)
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test func aTagThatIsTornStaysWithItsRowWhileOthersGoOn() async throws {
            try await Self.with { run in
                try run.plan(3)
                #expect(try await run.provision("virtual:torn.nfc?serial=1,kind=ntag213&tear=9").status == 75)
                let (status, events) = try await run.provision("virtual:ntag215*3?stream&dwell=200ms&gap=20ms")
                #expect(status == 75)
                #expect(Self.rows(events) == [2, 3])
                #expect(events.last?["open"] as? [Int] == [1])
                #expect(try await run.provision("virtual:torn.nfc?serial=1").status == 0)
            }
        }

        @Test func aLostTagsRowIsReleasedByTheUser() async throws {
            try await Self.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:torn.nfc?serial=1,kind=ntag213&tear=9").status == 75)
                let release = try await Tool.run("provision", "release", "1", in: run.folder)
                #expect(release.status == 0)
                #expect(try await run.provision("virtual:tag.nfc?serial=1").status == 0)
                // A row that was proven is not given away without asking.
                #expect(try await Tool.run("provision", "release", "1", in: run.folder).status == 64)
            }
        }

        @Test func aChangedPlanIsRefusedWithWhatDiffers() async throws {
            try await Self.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:ntag213").status == 75)
                try "id,box\n101,box 1\n999,box 2\n"
                    .write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                let outcome = try await Tool.run(
                    "provision", "tags.csv", "--uri", run.uri, "--reader", "virtual:ntag213", in: run.folder)
                #expect(outcome.status == 65)
                #expect(outcome.errors.contains("line 3: id was ‘102’, is ‘999’"))
            }
        }

        @Test func lockingAsksOnceAndIsProven() async throws {
            try await Self.with { run in
                try run.plan(1)
                let reader = "virtual:tag.nfc?serial=1,kind=ntag213"
                #expect(try await run.provision(reader, "--lock").status == 64)
                let (status, events) = try await run.provision(reader, "--lock", "--yes")
                #expect(status == 0)
                #expect(events.last?["sealed"] as? Int == 1)
                let write = try await Tool.run(
                    "write", "--text", "x", "--reader", "virtual:tag.nfc?serial=1", in: run.folder)
                #expect(write.status == 77)
            }
        }

        /// The first step of a lock makes the tag read-only to readers; those behind it must not be forgotten.
        @Test(arguments: [26, 28, 30])
        func aLockThatWasCutOffIsFinished(number: Int) async throws {
            try await Self.with { run in
                try run.plan(1)
                let cut = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213&tear=\(number)", "--lock", "--yes")
                #expect(cut.status == 75)
                #expect(try await run.provision("virtual:tag.nfc?serial=1", "--lock", "--yes").status == 0)
                let file = run.folder + "/tag.nfc"
                let sealed = try String(contentsOfFile: file, encoding: .utf8)
                let lock = try await Tool.run("lock", "--yes", "--reader", "virtual:tag.nfc?serial=1", in: run.folder)
                #expect(lock.status == 0)
                #expect(try String(contentsOfFile: file, encoding: .utf8) == sealed)
                #expect(try FileManager.default.contentsOfDirectory(atPath: run.folder + "/nfctool/writes") == [])
            }
        }

        @Test func aPasswordIsSetAndProven() async throws {
            try await Self.with { run in
                try run.plan(1)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let (status, events) = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213", "--protect", "--password-file", "password")
                #expect(status == 0)
                #expect(events.last?["sealed"] as? Int == 1)
                let write = ["write", "--text", "x", "--reader", "virtual:tag.nfc?serial=1"]
                #expect(try await Tool.run(write, in: run.folder).status == 77)
                #expect(try await Tool.run(write + ["--password-file", "password"], in: run.folder).status == 0)
            }
        }

        @Test func aTagIsProtectedAndThenLocked() async throws {
            try await Self.with { run in
                try run.plan(1)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let (status, events) = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213", "--protect", "--lock", "--yes", "--password-file",
                    "password")
                #expect(status == 0)
                #expect(events.last?["sealed"] as? Int == 1)
            }
        }

        @Test func aPlanThatWasSavedWithOtherLineEndsIsTheSame() async throws {
            try await Self.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:one.nfc?serial=1,kind=ntag213").status == 75)
                let text = try String(contentsOfFile: run.folder + "/tags.csv", encoding: .utf8)
                try ("\u{FEFF}" + text.replacing("\n", with: "\r\n"))
                    .write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                let (status, events) = try await run.provision("virtual:two.nfc?serial=2,kind=ntag215")
                #expect(status == 0)
                #expect(Self.rows(events) == [2])
            }
        }

        @Test func aPlanOfWhichNoTagHasARowMayBecomeAnother() async throws {
            try await Self.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual").status == 75)
                #expect(try await run.provision("virtual", "--overwrite", "always").status == 0)
            }
        }

        @Test func aPlanWithTwoNamesHasOneJournal() async throws {
            try await Self.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:ntag213").status == 0)
                try FileManager.default.createSymbolicLink(
                    atPath: run.folder + "/link.csv", withDestinationPath: run.folder + "/tags.csv")
                let again = try await Tool.run(
                    "provision", "link.csv", "--uri", run.uri, "--reader", "pn532_uart:/dev/none", in: run.folder)
                #expect(again.status == 0)
            }
        }

        @Test func aTagThatWasChangedSinceIsSeen() async throws {
            try await Self.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213").status == 75)
                let write = ["write", "--text", "mine", "--quiet", "--reader", "virtual:tag.nfc?serial=1"]
                #expect(try await Tool.run(write, in: run.folder).status == 0)
                let (_, events) = try await run.provision("virtual:tag.nfc?serial=1")
                let refused = events.filter { $0["event"] as? String == "refused" }
                #expect(refused.compactMap { $0["error"] as? String } == ["contentChanged"])
                // The line and the summary count the same.
                #expect(events.last?["refusedNow"] as? Int == 1)
            }
        }

        @Test(arguments: [["erase"], ["write", "--empty"]])
        func aTagThatWasErasedSinceIsToldSoAndGetsItsRowAgain(command: [String]) async throws {
            try await Self.with { run in
                try run.plan(2)
                let first = try await run.provision("virtual:tag.nfc?serial=1,kind=ntag213", "--limit", "1")
                #expect(first.events.last?["provisioned"] as? Int == 1)
                let erase = try await Tool.run(
                    command + ["--quiet", "--reader", "virtual:tag.nfc?serial=1"], in: run.folder)
                #expect(erase.status == 0)
                let (_, events) = try await run.provision("virtual:tag.nfc?serial=1", "--limit", "1")
                #expect(Self.rows(events, "erased") == [1])
                #expect(Self.rows(events) == [1])
                #expect(Self.rows(events, "refused") == [])
                #expect(events.last?["provisioned"] as? Int == 1)
                #expect(events.last?["pending"] as? Int == 1)
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0410571F000180")
            }
        }

        @Test func anErasedTagThatIsProtectedIsOpenedWithItsRowsPassword() async throws {
            try await Self.with { run in
                try run.plan(2)
                try "1A2B3C4D".write(toFile: run.folder + "/password", atomically: true, encoding: .utf8)
                let password = "--password-file"
                let first = try await run.provision(
                    "virtual:tag.nfc?serial=1,kind=ntag213", "--limit", "1", "--protect", password, "password")
                #expect(first.events.last?["provisioned"] as? Int == 1)
                let erase = ["erase", "--quiet", password, "password", "--reader", "virtual:tag.nfc?serial=1"]
                #expect(try await Tool.run(erase, in: run.folder).status == 0)
                let (_, events) = try await run.provision(
                    "virtual:tag.nfc?serial=1", "--limit", "1", "--protect", password, "password")
                #expect(Self.rows(events, "erased") == [1])
                #expect(Self.rows(events) == [1])
                #expect(events.last?["sealed"] as? Int == 1)
            }
        }

        @Test func theNumbersAreTheSameEverywhere() async throws {
            try await Self.with { run in
                try "id,lock\n1,yes\n2,no\n3,\n4,yes\n"
                    .write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                let reader = "virtual:ntag213*3?stream&dwell=200ms&gap=20ms"
                let (status, events) = try await run.provision(reader, "--yes", "--report", "report.jsonl")
                #expect(status == 75)
                let summary = try #require(events.last)
                let journal = try await Tool.run("provision", "status", "tags.csv", "--json", in: run.folder).json()
                let text = try String(contentsOfFile: run.folder + "/report.jsonl", encoding: .utf8)
                let report = try Outcome.object(String(text.prefix { $0 != "\n" }))
                for (key, count) in [("rows", 4), ("provisioned", 3), ("verified", 3), ("locked", 1), ("pending", 1)] {
                    for object in [summary, journal, report] { #expect(object[key] as? Int == count, "\(key)") }
                }
                let rows = events.filter { $0["event"] as? String == "row" }
                #expect(rows.compactMap { $0["locked"] as? Bool } == [true, false, false])
                let people = try await Tool.run("provision", "status", "tags.csv", in: run.folder)
                #expect(people.output.contains("4 rows: 3 provisioned (1 locked), 1 without a tag"))
            }
        }

        @Test func theCommandOfATagKnowsItsRow() async throws {
            try await Self.with { run in
                try run.plan(1)
                let (status, _) = try await run.provision(
                    "virtual:ntag213", "--exec", "echo no event; echo $NFC_ROW $NFC_COLUMN_BOX $NFC_UID $NFC_URI > seen"
                )
                #expect(status == 0)
                let seen = try String(contentsOfFile: run.folder + "/seen", encoding: .utf8)
                #expect(seen == "1 box 1 0410571F000180 https://example.com/101?t=0410571F000180\n")
            }
        }

        @Test func twoReadersShareThePlan() async throws {
            try await Self.with { run in
                try run.plan(12)
                let (status, events) = try await run.provision(
                    "virtual:ntag213*6?stream&dwell=200ms&gap=20ms", "--reader",
                    "virtual:ntag215*6?stream&dwell=200ms&gap=20ms")
                #expect(status == 0)
                #expect(Self.rows(events).sorted() == Array(1...12))
                #expect(Set(events.compactMap { $0["reader"] as? String }).count == 2)
            }
        }

        @Test func aSecondProcessIsToldWhoHasTheJournal() async throws {
            try await Self.with { run in
                try run.plan(2)
                let outcome = try await Tool.shell(
                    """
                    nfctool provision tags.csv --uri '\(run.uri)' --reader virtual:ntag213 --timeout 20s --json > first &
                    until grep -q '"row"' first; do :; done
                    nfctool provision tags.csv --uri '\(run.uri)' --reader virtual:ntag215 --timeout 1s
                    echo "status $?"; nfctool provision status --json
                    kill $!; wait
                    """, in: run.folder)
                #expect(outcome.output.contains("status 75"))
                #expect(outcome.errors.contains("in use by process"))
                #expect(outcome.output.contains(#""proven":1"#))
            }
        }
    }
}
