// A plan whose journal was lost, and tags that already hold its rows

import Foundation
import Testing

extension BuiltBinaryReturns {
    @Suite struct LostJournalTests {
        /// Provisions the tags of the plans one.csv and two.csv.
        private static let twoPlans = """
            for name in one two; do
                printf 'id\\n%s\\n' $name > $name.csv
                nfctool provision $name.csv --text '{id}' --quiet --timeout 1s --reader virtual:ntag213
            done
            """

        @Test(arguments: ["", "--lock --yes"])
        func writtenTagsGetTheirOwnRowsAgain(options: String) async throws {
            try await ProvisionRun.with { run in
                try run.plan(4)
                let outcome = try await Tool.shell(
                    """
                    run() { nfctool provision tags.csv --uri '\(run.uri)' --json --timeout 1s \(options) "$@" 2>/dev/null; }
                    for name in a b c d; do
                        nfctool format --reader "virtual:$name.nfc?kind=ntag213" --quiet
                    done
                    run --reader 'virtual:a.nfc,b.nfc,c.nfc?stream' >/dev/null
                    sha256sum a.nfc b.nfc c.nfc >before; rm tags.csv.journal
                    run --repeat-rows --reader virtual:c.nfc >refused; echo "status $?"
                    run --overwrite same --reader 'virtual:c.nfc,a.nfc,b.nfc,d.nfc?stream' >again; echo "status $?"
                    sha256sum --check --quiet before && echo unchanged
                    """, in: run.folder)
                #expect(outcome.output == "status 75\nstatus 0\nunchanged\n", "\(outcome.errors)")
                let refused = try refusal(in: "refused", of: run)
                #expect(refused?["error"] as? String == "sameContent")
                let message = "It already holds the message of row 3, but is not in the journal."
                #expect(refused?["message"] as? String == message)
                #expect(ProvisionRun.rows(try events(in: "again", of: run)) == [3, 1, 2, 4])
            }
        }

        @Test func aCopyOfAProvisionedTagIsRefusedWithItsRow() async throws {
            try await ProvisionRun.with { run in
                try run.plan(3)
                let outcome = try await Tool.shell(
                    """
                    run() { nfctool provision tags.csv --uri 'https://e.com/{id}' --json --timeout 1s "$@" 2>/dev/null; }
                    run --count 1 --reader 'virtual:a.nfc?kind=ntag213' >/dev/null
                    nfctool write --quiet --uri https://e.com/101 --reader 'virtual:copy.nfc?kind=ntag213'
                    run --overwrite same --reader virtual:copy.nfc >copy
                    nfctool provision verify tags.csv --count 1 --json --timeout 1s --reader virtual:copy.nfc >verified 2>&1
                    nfctool lock --yes --quiet --reader virtual:copy.nfc
                    run --overwrite same --reader virtual:copy.nfc >locked
                    nfctool read --json --reader virtual:a.nfc | sed -E 's/.*"uid":"([0-9A-F]+)".*/\\1/'
                    """, in: run.folder)
                let fact = "It holds the same message as tag \(outcome.output.dropLast()), which has row 1."
                let copy = try #require(try refusal(in: "copy", of: run))
                #expect(copy["error"] as? String == "rowTaken" && copy["message"] as? String == fact, "\(copy)")
                let locked = try #require(try refusal(in: "locked", of: run))
                #expect(locked["error"] as? String == "readOnly", "\(locked)")
                #expect((locked["message"] as? String)?.hasSuffix(" \(fact)") == true, "\(locked)")
                let verified = try String(contentsOfFile: "\(run.folder)/verified", encoding: .utf8)
                #expect(verified.contains(#""unknownTag""#) && verified.contains(fact), "\(verified)")
            }
        }

        @Test func twoReadersGiveCrossedTagsTheirOwnRows() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:a.nfc,b.nfc?stream&kind=ntag213").status == 0)
                try FileManager.default.removeItem(atPath: run.folder + "/tags.csv.journal")
                let (status, events) = try await run.provision(
                    "virtual:b.nfc", "--reader", "virtual:a.nfc", "--overwrite", "same")
                #expect(status == 0 && Set(ProvisionRun.rows(events)) == [1, 2], "\(events)")
                #expect(!events.contains { $0["event"] as? String == "refused" }, "\(events)")
            }
        }

        @Test func onlyJournalsOfPlansThatAreGoneAreSuggested() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    \(Self.twoPlans)
                    cp one.csv new.csv
                    nfctool provision status new.csv
                    mv one.csv old.csv
                    nfctool provision status new.csv
                    printf 'id\\n#REF!\\n' > bad.csv
                    nfctool provision bad.csv --text '{id}' --quiet --dry-run | tail -1
                    """, in: folder)
                let suggestion = "  If the plan was renamed, name its journal:  --journal one.csv.journal\n"
                let errors = outcome.errors.components(separatedBy: suggestion)
                #expect(errors.count == 2 && !errors[0].contains("two.csv"), "\(outcome.errors)")
                #expect(errors[0].contains("If no tag has a row of this plan yet, start it"), "\(outcome.errors)")
                // --quiet does not hide a damaged cell.
                #expect(outcome.errors.hasSuffix("contains the spreadsheet error #REF! instead of a value.\n"))
            }
        }

        @Test func aPlanAndAJournalThatDoNotBelongTogetherAreRefused() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    \(Self.twoPlans)
                    cp one.csv renamed.csv
                    mkdir sub; printf 'id\\ncorrected\\n' > sub/one.csv
                    for plan in one.csv renamed.csv sub/one.csv two.csv missing.csv; do
                        nfctool provision status $plan --journal one.csv.journal --quiet >/dev/null; echo "$plan $?"
                    done
                    nfctool provision reset 1 --plan two.csv --journal one.csv.journal --yes; echo "reset $?"
                    nfctool provision status one.csv --json | grep -o '"pending":[0-9]*'
                    """, in: folder)
                #expect(
                    outcome.output == """
                        one.csv 0
                        renamed.csv 0
                        sub/one.csv 0
                        two.csv 64
                        missing.csv 64
                        reset 64
                        "pending":0

                        """, "\(outcome.errors)")
                let error = """
                    nfctool: one.csv.journal is the journal of one.csv, not of two.csv.
                      Name only the journal, or leave out --journal to use the journal of two.csv.

                    """
                #expect(outcome.errors.components(separatedBy: error).count == 3, "\(outcome.errors)")
            }
        }

        private func refusal(in file: String, of run: ProvisionRun) throws -> [String: Any]? {
            try events(in: file, of: run).first { $0["event"] as? String == "refused" }
        }

        private func events(in file: String, of run: ProvisionRun) throws -> [[String: Any]] {
            let text = try String(contentsOfFile: "\(run.folder)/\(file)", encoding: .utf8)
            return try text.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }
    }
}
