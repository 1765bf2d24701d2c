// A plan on virtual tags: each row is on one tag, and each tag has one row, whatever happens — Docs/CommandLine.md

import Foundation
import Testing

extension BuiltBinaryProvision {
    @Suite struct ProvisionTests {
        @Test func aStreamOfTagsGetsTheRowsInTheirOrder() async throws {
            try await ProvisionRun.with { run in
                try run.plan(20)
                let (status, events) = try await run.provision("virtual:ntag213*20?stream&dwell=200ms&gap=20ms")
                #expect(status == 0)
                #expect(ProvisionRun.rows(events) == Array(1...20))
                let done = events.filter { $0["event"] as? String == "row" }
                #expect(Set(done.compactMap { $0["uid"] as? String }).count == 20)
                #expect(Set(done.compactMap { $0["sha256"] as? String }).count == 20)
                #expect(events.last?["proven"] as? Int == 20)
                // A complete plan needs no reader.
                let again = try await run.provision("pn532_uart:/dev/none")
                #expect(again.status == 0)
            }
        }

        @Test func theTagHoldsItsRow() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:tag.nfc?serial=1,kind=ntag215").status == 0)
                #expect(try await run.uri(on: "tag.nfc") == "https://example.com/101?t=0411571F000180")
            }
        }

        @Test func whatIsLeftIsToldAndGoesOnWithTheSameCommand() async throws {
            try await ProvisionRun.with { run in
                try run.plan(5)
                let (status, events) = try await run.provision("virtual:ntag213*3?stream&dwell=200ms&gap=20ms")
                #expect(status == 75)
                #expect(ProvisionRun.rows(events) == [1, 2, 3])
                let rest = try await run.provision("virtual:ntag216*9?stream&dwell=200ms&gap=20ms")
                #expect(rest.status == 0)
                #expect(ProvisionRun.rows(rest.events) == [4, 5])
            }
        }

        @Test(arguments: [
            ("virtual", "foreignContent"), ("virtual:ntag215-read-only", "readOnly"),
            ("virtual:ultralight", "wrongChip"),
            ("virtual:ntag215-protected", "passwordNeeded"),
        ])
        func aTagThatIsNotRightCostsNoRow(reader: String, cause: String) async throws {
            try await ProvisionRun.with { run in
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
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual", "--overwrite", "always").status == 0)
            }
        }

        @Test func aChangedPlanIsRefusedWithWhatDiffers() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:ntag213").status == 75)
                try "id,box\n101,box 1\n999,box 2\n"
                    .write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                let outcome = try await Tool.run(
                    "provision", "tags.csv", "--uri", run.uri, "--reader", "virtual:ntag213", in: run.folder)
                #expect(outcome.status == 65)
                #expect(outcome.errors.contains("line 3: id: was ‘102’, now ‘999’"))
            }
        }

        @Test func aPlanThatWasSavedWithOtherLineEndsIsTheSame() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:one.nfc?serial=1,kind=ntag213").status == 75)
                let text = try String(contentsOfFile: run.folder + "/tags.csv", encoding: .utf8)
                try ("\u{FEFF}" + text.replacing("\n", with: "\r\n"))
                    .write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                let (status, events) = try await run.provision("virtual:two.nfc?serial=2,kind=ntag215")
                #expect(status == 0)
                #expect(ProvisionRun.rows(events) == [2])
            }
        }

        @Test func aPlanOfWhichNoTagHasARowMayBecomeAnother() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual").status == 75)
                #expect(try await run.provision("virtual", "--overwrite", "always").status == 0)
            }
        }

        @Test func aPlanWithTwoNamesHasOneJournal() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:ntag213").status == 0)
                try FileManager.default.createSymbolicLink(
                    atPath: run.folder + "/link.csv", withDestinationPath: run.folder + "/tags.csv")
                let again = try await Tool.run(
                    "provision", "link.csv", "--uri", run.uri, "--reader", "pn532_uart:/dev/none", in: run.folder)
                #expect(again.status == 0)
            }
        }

        @Test func theNumbersAreTheSameEverywhere() async throws {
            try await ProvisionRun.with { run in
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
            try await ProvisionRun.with { run in
                try run.plan(1)
                let (status, _) = try await run.provision(
                    "virtual:ntag213", "--exec", "echo no event; echo $NFC_ROW $NFC_COLUMN_BOX $NFC_UID $NFC_URI > seen"
                )
                #expect(status == 0)
                let seen = try String(contentsOfFile: run.folder + "/seen", encoding: .utf8)
                #expect(seen == "1 box 1 0410571F000180 https://example.com/101?t=0410571F000180\n")
            }
        }

        @Test func theRowsWhoseCommandFailedAreNamedAtTheEnd() async throws {
            try await ProvisionRun.with { run in
                try run.plan(4)
                let line = [
                    "provision", "tags.csv", "--uri", run.uri, "--timeout", "1s", "--exec", "[ $NFC_ROW = 2 ]",
                    "--reader",
                ]
                let first = try await Tool.run(
                    line + ["virtual:ntag213*2?stream&dwell=300ms&gap=20ms", "--json", "--count", "2"], in: run.folder)
                let summary = try #require(try first.jsonLines().last)
                #expect(summary["commandFailures"] as? Int == 1 && summary["commandFailedRows"] as? [Int] == [1])
                #expect(summary["provisioned"] as? Int == 2 && first.errors.contains("The command failed") == false)
                let second = try await Tool.run(
                    line + ["virtual:ntag213*2?stream&dwell=300ms&gap=20ms&serial=20"], in: run.folder)
                #expect(second.status == 0, "\(second.errors)")
                #expect(second.errors.contains("The command failed for 2 rows: 3, 4."), "\(second.errors)")
            }
        }

        @Test(arguments: ["tags.csv", "tags.jsonl"])
        func columnsWithTheSameVariableAreRefused(file: String) async throws {
            try await ProvisionRun.with { run in
                let plan = file.hasSuffix("csv") ? "id,a b,a-b\n1,x,y\n" : #"{"id":"1","a b":"x","a-b":"y"}"# + "\n"
                try plan.write(toFile: run.folder + "/" + file, atomically: true, encoding: .utf8)
                let line = ["provision", file, "--uri", "https://example.com/{id}", "--exec", "true"]
                for more in [["--dry-run"], ["--reader", "virtual:ntag213", "--timeout", "1s"]] {
                    let outcome = try await Tool.run(line + more, in: run.folder)
                    #expect(outcome.status == 65, "\(outcome.errors)")
                    #expect(outcome.errors.contains(#"The columns "a b" and "a-b" would have the same variable"#))
                    #expect(outcome.errors.contains("NFC_COLUMN_A_B"), "\(outcome.errors)")
                }
                #expect(!FileManager.default.fileExists(atPath: run.folder + "/\(file).journal"))
            }
        }

        @Test func theCommandOfATagGetsNoSecrets() async throws {
            try await ProvisionRun.with { run in
                let header = "id,password,doorPIN,api_key,wlan,key,box"
                let row = "1,11223344,4711-9,hunter2,ssid=Guests;password=longenough1,k-1,box 1"
                try "\(header)\n\(row)\n".write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                // A column that the template writes to tags is not secret just because of its name.
                let outcome = try await Tool.run(
                    [
                        "provision", "tags.csv", "--uri", "https://example.com/{id}/{key}", "--timeout", "1s",
                        "--reader", "virtual:ntag213", "--exec", "env | grep ^NFC_COLUMN | sort > seen",
                    ], in: run.folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let seen = try String(contentsOfFile: run.folder + "/seen", encoding: .utf8)
                #expect(seen == "NFC_COLUMN_BOX=box 1\nNFC_COLUMN_ID=1\nNFC_COLUMN_KEY=k-1\n")
            }
        }

        @Test func twoReadersShareThePlan() async throws {
            try await ProvisionRun.with { run in
                try run.plan(12)
                let (status, events) = try await run.provision(
                    "virtual:ntag213*6?stream&dwell=200ms&gap=20ms", "--reader",
                    "virtual:ntag215*6?stream&dwell=200ms&gap=20ms")
                #expect(status == 0)
                #expect(ProvisionRun.rows(events).sorted() == Array(1...12))
                #expect(Set(events.compactMap { $0["reader"] as? String }).count == 2)
            }
        }

        @Test func aSecondProcessIsToldWhoHasTheJournal() async throws {
            try await ProvisionRun.with { run in
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
