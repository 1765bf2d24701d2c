// The conditions for continuing a plan: the same rows and the same password — Docs/Provisioning.md

import Foundation
import Testing

extension BuiltBinaryProvision {
    @Suite struct PlanContinuationTests {
        /// The end of an error about rows that other tags already have.
        private static let question =
            "Write the same rows to other tags? Cannot ask for confirmation: standard input is not a terminal. Nothing was changed."

        private static func provision(
            password: String, _ more: String, in folder: String
        ) async throws -> Outcome {
            try await Tool.shell(
                """
                NFCTOOL_PASSWORD=\(password) nfctool provision tags.csv --uri 'https://example.com/{id}' \
                    --json --timeout 500ms \(more)
                """, in: folder)
        }

        @Test(arguments: ["--protect", ""])
        func aPlanDoesNotGoOnWithAnotherPassword(option: String) async throws {
            try await ProvisionRun.with { run in
                let isColumn = option.isEmpty
                let rows = (1...4).map { isColumn ? "\($0),yes" : "\($0)" }.joined(separator: "\n")
                try ((isColumn ? "id,protect\n" : "id\n") + rows + "\n")
                    .write(toFile: run.folder + "/tags.csv", atomically: true, encoding: .utf8)
                let first = try await Self.provision(
                    password: "AABBCCDD", "\(option) --count 1 --reader 'virtual:a.nfc?kind=ntag213'", in: run.folder)
                #expect(try first.jsonLines().last?["sealed"] as? Int == 1, "\(first.errors)")
                let second = "\(option) --reader 'virtual:b.nfc?kind=ntag213' --count 1"
                // Without a password, --protect asks for one.
                for password in isColumn ? ["11223344", "''"] : ["11223344"] {
                    let other = try await Self.provision(password: password, second, in: run.folder)
                    #expect(other.status == 65, "\(other.errors)")
                    let failure = try other.failure()
                    #expect((failure["message"] as? String)?.contains("was started with a") == true)
                    #expect((failure["advice"] as? String)?.contains("give the earlier password") == true)
                }
                let same = try await Self.provision(password: "AABBCCDD:0000", second, in: run.folder)
                #expect(try same.jsonLines().last?["sealed"] as? Int == 2, "\(same.errors)")
                let journal = try Data(contentsOf: URL(fileURLWithPath: run.folder + "/tags.csv.journal"))
                for secret in ["AABBCCDD", "aabbccdd"] { #expect(journal.range(of: Data(secret.utf8)) == nil) }
            }
        }

        /// No tag has the first row yet.
        @Test func aPlanWithoutTagsTakesAnotherPassword() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                let none = try await Self.provision(
                    password: "AABBCCDD", "--protect --reader virtual:type4", in: run.folder)
                #expect(none.status == 75, "\(none.errors)")
                let other = try await Self.provision(
                    password: "11223344", "--protect --reader virtual:ntag213", in: run.folder)
                #expect(other.status == 0, "\(other.errors)")
            }
        }

        /// The advice for a tag that holds a message suggests this option.
        @Test func overwriteMayChangeWhileAPlanGoesOn() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let write = ["write", "--text", "old", "--reader", "virtual:b.nfc?kind=ntag213"]
                #expect(try await Tool.run(write, in: run.folder).status == 0)
                #expect(try await run.provision("virtual:a.nfc?kind=ntag213", "--count", "1").status == 75)
                let refused = try await run.provision("virtual:b.nfc")
                #expect(refused.events.contains { $0["error"] as? String == "foreignContent" })
                let (status, events) = try await run.provision("virtual:b.nfc", "--overwrite", "always")
                #expect(status == 0 && events.last?["proven"] as? Int == 2)
                let noted = try await Tool.shell(
                    """
                    \(ProvisionAudit.python) -c "import sqlite3
                    print(sqlite3.connect('tags.csv.journal').execute('SELECT recipe FROM plan').fetchone()[0])"
                    """, in: run.folder)
                #expect(noted.output.contains("--overwrite always"), "\(noted.errors)")
            }
        }

        @Test func aPlanGoesOnWithTheOptionsThatItsJournalStores() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let bare = ["provision", "tags.csv", "--timeout", "1s", "--reader", "virtual:b.nfc?kind=ntag213"]
                let new = try await Tool.run(bare, in: run.folder)
                #expect(new.status == 64 && new.errors.contains("There is nothing to write"), "\(new.errors)")
                let first = try await run.provision("virtual:a.nfc?kind=ntag213", "--count", "1")
                #expect(first.status == 75)
                let check = try await Tool.run(["provision", "tags.csv", "--dry-run"], in: run.folder)
                #expect(check.output.contains("1 of 2 rows done, 1 to write."), "\(check.errors)")
                let second = try await Tool.run(bare, in: run.folder)
                #expect(second.status == 0, "\(second.errors)")
                #expect(try await run.uri(on: "b.nfc")?.hasPrefix("https://example.com/102?t=") == true)
                // The given options must match the plan's.
                let other = try await Tool.run(bare + ["--lock", "--yes"], in: run.folder)
                #expect(other.status == 65 && other.errors.contains("was started with other options"))
            }
        }

        @Test func aChangedPlanSaysHowToGoOnAndWhereNewRowsBelong() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:ntag213", "--count", "1").status == 75)
                let keep = "Do not delete the journal: it records which tags have which rows."
                for (rows, more, lines) in [
                    (3, "", ["To also write the new rows, add --extend.", "line 4: a new row", keep]),
                    (
                        3, "?x",
                        [
                            "To continue, use the same file and options. Only --overwrite may differ. With --extend,",
                            "To use other options, put the rows",
                            keep,
                        ]
                    ),
                ] {
                    try run.plan(rows)
                    let outcome = try await Tool.run(
                        ["provision", "tags.csv", "--uri", run.uri + more, "--reader", "virtual:ntag213"],
                        in: run.folder)
                    #expect(outcome.status == 65)
                    for line in lines { #expect(outcome.errors.contains(line), "\(outcome.errors)") }
                }
                let extended = try await run.provision("virtual:ntag213*2?stream&serial=7", "--extend")
                #expect(extended.status == 0 && ProvisionRun.rows(extended.events) == [2, 3])
            }
        }

        @Test func aCorrectedListUnderANewNameIsStartedOnlyAfterAQuestion() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    run() { nfctool provision "$@" --uri 'https://e.com/{id}' --timeout 10s; }
                    printf '%s\\n' id 1 2 3 4 > orig.csv
                    run orig.csv --count 2 --reader 'virtual:ntag213*2?stream' >/dev/null 2>&1
                    sed 's/^4$/four/' orig.csv > korrigiert.csv
                    run korrigiert.csv --dry-run >/dev/null
                    run korrigiert.csv --lock --reader 'virtual:ntag213?serial=9' </dev/null >/dev/null
                    echo "status $?"
                    run korrigiert.csv --extend --journal orig.csv.journal --reader 'virtual:ntag213*2?stream&serial=9' \
                        2>/dev/null | grep -c verified
                    """, in: folder)
                let fact =
                    "orig.csv.journal already has tags for rows 1 and 2 of this plan: 2 of its 4 rows have tags. This run would write the same rows to other tags."
                let lines = outcome.errors.split(separator: "\n").map(String.init).filter { $0.contains(fact) }
                let advice =
                    " To continue that plan instead, use --extend --journal orig.csv.journal. Otherwise, remove these rows from this plan."
                // With --lock, the recipe differs from that of the other plan.
                let asked = "nfctool: \(fact) Remove these rows from this plan. \(Self.question)"
                #expect(lines == ["nfctool: Warning: \(fact)\(advice)", asked], "\(outcome.errors)")
                // The question was not answered, so no tag was touched.
                #expect(outcome.output.split(separator: "\n").map(String.init) == ["status 64", "2"])
                let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(!names.contains("korrigiert.csv.journal"))
            }
        }

        @Test func aForgottenLockIsAddedToAStartedPlan() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:a.nfc?kind=ntag213", "--count", "1").status == 75)
                let command = ["provision", "tags.csv", "--uri", run.uri, "--reader", "virtual:a.nfc", "--lock"]
                let refused = try await Tool.run(command, in: run.folder)
                #expect(refused.status == 65 && refused.errors.contains("To also lock the tags, add --extend."))
                let check = try await Tool.run(command + ["--extend", "--dry-run"], in: run.folder)
                #expect(check.output.contains("2 rows: the tags will be locked permanently."), "\(check.errors)")
                #expect(check.errors.contains("--lock is new in this plan."), "\(check.errors)")
                let asked = try await Tool.run(command + ["--extend"], in: run.folder)
                #expect(asked.status == 64 && asked.errors.contains("Lock 2 tags permanently?"), "\(asked.errors)")
                // The user did not agree, so nothing changed.
                #expect(try await Tool.run(command, in: run.folder).status == 65)
                let (status, events) = try await run.provision(
                    "virtual:a.nfc", "--reader", "virtual:b.nfc?kind=ntag213", "--lock", "--extend", "--yes")
                #expect(status == 0 && events.last?["locked"] as? Int == 2, "\(events)")
            }
        }

        @Test func rowsOnTagsAreToldFromRowsThatMayChange() async throws {
            try await ProvisionRun.with { run in
                try run.plan(3)
                #expect(try await run.provision("virtual:ntag213", "--count", "1").status == 75)
                let file = run.folder + "/tags.csv"
                let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                let changed = ["id,box"] + rows.dropFirst().map { "x\($0)" }
                try (changed.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
                let outcome = try await Tool.run(
                    ["provision", "tags.csv", "--uri", run.uri, "--reader", "virtual:ntag213", "--extend", "--json"],
                    in: run.folder)
                #expect(outcome.status == 65)
                let failure = try outcome.failure()
                let advice = try #require(failure["advice"] as? String)
                #expect(advice.contains("A tag has row 1, so that row must be in the plan as it was."), "\(advice)")
                #expect(advice.contains("nfctool provision reset 1 --journal "), "\(advice)")
                let allowed = "No tag has rows 2 and 3, so these changes are allowed: --extend writes them"
                #expect(advice.contains(allowed), "\(advice)")
                let differences = try #require(failure["differences"] as? [String])
                #expect(differences.map { $0.hasSuffix("(a tag has this row)") } == [true, false, false])
            }
        }

        @Test func aRangeForASecondCustomerNeedsItsOwnJournal() async throws {
            try await Tool.withFolder { folder in
                let range = ["provision", "--range", "1-2", "--timeout", "1s", "--reader"]
                let first = try await Tool.run(
                    range + ["virtual:ntag213", "--uri", "https://a.example/{n}", "--count", "1"], in: folder)
                #expect(first.status == 75, "\(first.errors)")
                let second = range + ["virtual:ntag213?serial=9", "--uri", "https://b.example/{n}"]
                let refused = try await Tool.run(second, in: folder)
                #expect(refused.status == 65)
                #expect(
                    refused.errors.contains(
                        "For other tags with these numbers, give this run its own journal:  --journal FILE"))
                #expect(!refused.errors.contains("file name"), "\(refused.errors)")
                let own = try await Tool.run(second + ["--count", "1", "--journal", "b.journal"], in: folder)
                #expect(own.status == 75 && !own.errors.contains("already contains"), "\(own.errors)")
            }
        }

        @Test func aSecondJournalForTheSameRowsIsStartedOnlyAfterAQuestion() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    run() { nfctool provision "$@" --uri "https://e.com/$kind{n}" --timeout 10s; }
                    kind=range
                    run --range 1-2 --reader 'virtual:ntag213*2?stream' >/dev/null
                    (echo id; seq 1 2) > p.csv
                    kind=list
                    run p.csv --count 1 --reader virtual:ntag213 >/dev/null 2>&1
                    cp p.csv 'p (1).csv'
                    for plan in '--range 1-3' 'p (1).csv'; do
                        case $plan in --range*) kind=range ;; *) kind=list ;; esac
                        [ -f "$plan" ] && set -- "$plan" || set -- $plan
                        run "$@" --dry-run >/dev/null
                        run "$@" --count 1 --yes --reader 'virtual:ntag213?serial=9' </dev/null >/dev/null
                        echo "status $?"
                        run "$@" --count 1 --repeat-rows --reader 'virtual:ntag213?serial=9' >/dev/null
                        run "$@" --count 1 --reader 'virtual:ntag213?serial=8' >/dev/null
                    done
                    """, in: folder)
                let lines = outcome.errors.split(separator: "\n").map(String.init)
                let range =
                    "range-1-2.journal already contains numbers from 1 to 2: 2 of its 2 rows have tags. This run would write the same numbers to other tags. To continue that plan instead, use --extend --journal range-1-2.journal."
                let copy =
                    "p.csv.journal already belongs to a plan with the same content, p.csv: 1 of its 2 rows has a tag. This run would write the same rows to other tags. To continue that plan instead, use --journal p.csv.journal."
                // A run asks as long as the journal does not exist. Later runs do not repeat the question.
                let expected = [range, copy].flatMap { fact in
                    ["nfctool: Warning: \(fact)", "nfctool: \(fact) \(Self.question)", fact]
                }
                #expect(lines.filter { $0.contains("would write the same") } == expected, "\(outcome.errors)")
                let advice = "  To agree to this, add --repeat-rows. --yes does not include it."
                #expect(lines.filter { $0 == advice }.count == 2, "\(outcome.errors)")
                #expect(outcome.output == "status 64\nstatus 64\n")
            }
        }
    }
}
