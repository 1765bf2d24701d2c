// Several users of one machine with the journal of a plan

import Foundation
import Testing

extension BuiltBinaryProvision {
    @Suite struct SharedJournalTests {
        /// Runs a shell line as a user who may read the folder but change nothing in it.
        ///
        /// `$nfctool` is the program. Only root can become another user. Any other user gives up the right to write.
        private static func asReader(_ line: String, in folder: String) async throws -> Outcome {
            let isRoot = geteuid() == 0
            return try await Tool.shell(
                """
                set -e; cp "$(command -v nfctool)" program; export XDG_STATE_HOME=/nonexistent
                chmod 755 . program; chmod \(isRoot ? "644" : "444") tags.csv.journal; \(isRoot ? "" : "chmod 555 .")
                set +e; \(isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "") ./program \(line)
                status=$?; chmod 755 .; chmod 644 tags.csv.journal; rm -f program; exit $status
                """, in: folder)
        }

        @Test func whoMayOnlyReadTheJournalSeesItAndDoesNotHinderItsOwner() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:ntag213?serial=1", "--count", "1").status == 75)
                for command in ["provision status tags.csv", "provision tags.csv --dry-run"] {
                    let outcome = try await Self.asReader(command, in: run.folder)
                    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
                    let names = try FileManager.default.contentsOfDirectory(atPath: run.folder)
                    #expect(names.filter { $0.hasPrefix("tags.csv.journal") } == ["tags.csv.journal"], "\(command)")
                }
                #expect(try await run.provision("virtual:ntag213?serial=2").status == 0)
            }
        }

        @Test func whoMayNotReadTheJournalIsToldWhoseItIs() async throws {
            try await ProvisionRun.with { run in
                try run.plan(1)
                #expect(try await run.provision("virtual:ntag213").status == 0)
                let outcome = try await Tool.shell(
                    """
                    cp "$(command -v nfctool)" program; chmod 755 . program
                    \(geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "chmod 000 tags.csv.journal;") \
                    ./program provision status tags.csv; status=$?; rm program; id -un; exit $status
                    """, in: run.folder)
                #expect(outcome.status == 65)
                let owner = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
                #expect(outcome.errors.contains("Permission denied (13)."), "\(outcome.errors)")
                #expect(outcome.errors.contains("belongs to \(owner)."), "\(outcome.errors)")
                #expect(!outcome.errors.contains("--journal FILE"), "\(outcome.errors)")
            }
        }
    }
}
