// Several users of one machine with the journal of a plan

import Foundation
import Testing

extension BuiltBinaryProvision {
    @Suite struct SharedJournalTests {
        /// The beginning of a shell line that runs `./program` as a user who does not own the journal.
        ///
        /// Only root can become another user. Any other user gives up the right to write the journal.
        private static let asReader =
            geteuid() == 0
            ? "chmod 644 tags.csv.journal; setpriv --reuid=65534 --regid=65534 --clear-groups"
            : "chmod 444 tags.csv.journal;"
        private static let preparation = """
            cp "$(command -v nfctool)" program; chmod 777 .; chmod 755 program
            """

        @Test(arguments: ["provision status tags.csv", "provision tags.csv --dry-run"])
        func whoMayOnlyReadTheJournalSeesItAndLeavesNoFiles(command: String) async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                #expect(try await run.provision("virtual:ntag213?serial=1", "--count", "1").status == 75)
                let line = """
                    \(Self.preparation)
                    \(Self.asReader) ./program \(command); status=$?
                    chmod 644 tags.csv.journal; ls tags.csv.journal*; exit $status
                    """
                let outcome = try await Tool.shell(line, in: run.folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output.hasSuffix("\ntags.csv.journal\n"), "\(outcome.output)")
                #expect(try await run.provision("virtual:ntag213?serial=2").status == 0)
            }
        }

        @Test func whoReadsWithoutRightsSeesWhatTheOwnerDoesNext() async throws {
            try await ProvisionRun.with { run in
                try run.plan(30)
                #expect(try await run.provision("virtual:ntag213?serial=1", "--count", "1").status == 75)
                let outcome = try await Tool.shell(
                    """
                    \(Self.preparation)
                    \(Self.asReader) ./program provision status tags.csv --watch --json >seen 2>said & reader=$!
                    for i in $(seq 100); do [ -s seen ] && break; sleep 0.1; done; chmod 644 tags.csv.journal
                    nfctool provision tags.csv --quiet --timeout 1s --reader 'virtual:ntag213*29?stream&serial=2'
                    echo "run $?"
                    for i in $(seq 100); do grep -q '"provisioned":30' seen && break; sleep 0.1; done
                    kill -0 $reader 2>/dev/null && kill $reader; wait $reader
                    grep -c '"provisioned":30' seen; cat said
                    """, in: run.folder)
                #expect(outcome.output.hasPrefix("run 0\n"), "\(outcome.output) \(outcome.errors)")
                #expect(
                    !outcome.output.contains("damaged") && !outcome.output.hasPrefix("run 0\n0"), "\(outcome.output)")
            }
        }

        @Test func aPlanWhoseRowsAnotherProcessIsWritingCausesAQuestion() async throws {
            try await ProvisionRun.with { run in
                try run.plan(2)
                let outcome = try await Tool.shell(
                    """
                    cp tags.csv copy.csv; options="--uri \(run.uri)"
                    nfctool provision tags.csv $options --timeout 0 --reader 'virtual:?mute=0' >/dev/null 2>&1 & other=$!
                    for i in $(seq 100); do [ -e tags.csv.journal ] && break; sleep 0.1; done
                    nfctool provision copy.csv $options --timeout 1s --reader virtual:ntag213; echo "run $?"
                    kill $other; wait $other
                    nfctool provision copy.csv $options --timeout 1s --quiet --reader 'virtual:ntag213*2?stream'; echo "run $?"
                    """, in: run.folder)
                #expect(outcome.output == "run 64\nrun 0\n", "\(outcome.errors)")
                #expect(outcome.errors.contains("Another process is using it."), "\(outcome.errors)")
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
