// Journals that were deleted, copied or cannot be read, and options that were forgotten when one is built again

import Foundation
import Testing

extension BuiltBinaryReturns {
    @Suite struct OtherJournalsTests {
        /// Runs a script with the function `run`, which gives the tag in a file a row of tags.csv, and returns what it
        /// printed.
        private static func outcome(of script: String, in folder: String) async throws -> Outcome {
            try await Tool.shell(
                """
                (echo id; seq 1 3) > tags.csv; uri='https://e.com/{id}'
                run() {
                    tag=$1; shift
                    nfctool provision run "$@" --quiet --count 1 --timeout 1s \
                        --reader "virtual:$tag.nfc?kind=ntag213" </dev/null
                    echo "$tag $?"
                }
                \(script)
                """, in: folder)
        }

        @Test func aMissingJournalThatWasUsedCausesAQuestion() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        run a tags.csv --uri $uri
                        mv tags.csv.journal tags.csv.journal.old
                        run b tags.csv --uri $uri --yes
                        nfctool provision status tags.csv
                        nfctool provision tags.csv --uri $uri --dry-run >/dev/null
                        nfctool provision run tags.csv --uri $uri --overwrite same --count 1 --reader virtual:a.nfc >/dev/null
                        run c tags.csv --uri $uri
                        """, in: folder)
                #expect(outcome.output == "a 75\nb 64\nc 75\n", "\(outcome.errors)")
                let fact = "The journal tags.csv.journal was used before and is missing now."
                let errors = outcome.errors.components(separatedBy: fact)
                #expect(errors.count == 4, "\(outcome.errors)")
                #expect(
                    errors[1].hasPrefix(" Tags may already have rows of this plan. Restore the journal, or build it"))
                #expect(
                    outcome.errors.contains("  It was used before. Restore it, or build it again: run the plan with"))
                #expect(errors.last?.hasPrefix(" Place all tags that are already written first.") == true)
            }
        }

        @Test func aRunWithoutAnyReaderLeavesNoTrace() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        nfctool provision run tags.csv --uri $uri --quiet --reader pn532_uart:/dev/null </dev/null
                        ls *.csv*; run a tags.csv --uri $uri
                        """, in: folder)
                #expect(outcome.output == "tags.csv\na 75\n", "\(outcome.errors)")
            }
        }

        @Test func copiesOfAJournalThatGaveRowsToOtherTagsAreNoticed() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        run a tags.csv --uri $uri
                        cp tags.csv copy.csv; cp tags.csv.journal copy.csv.journal
                        run b tags.csv --uri $uri
                        run c copy.csv --uri $uri
                        run c copy.csv --uri $uri --repeat-rows
                        run d tags.csv --uri $uri
                        """, in: folder)
                #expect(outcome.output == "a 75\nb 75\nc 64\nc 75\nd 0\n", "\(outcome.errors)")
                #expect(
                    outcome.errors.contains(
                        "tags.csv.journal is a copy of this journal, and has a tag for row 2. This run would write the same row to other tags. Use only one of the two journals."
                    ), "\(outcome.errors)")
            }
        }

        @Test func aBackupFromBeforeARowWasFreedIsNoCopyThatGaveItAway() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        run a tags.csv --uri $uri; run b tags.csv --uri $uri
                        cp tags.csv.journal backup.journal
                        nfctool provision reset 2 --plan tags.csv --yes --quiet
                        run c tags.csv --uri $uri
                        """, in: folder)
                #expect(outcome.output == "a 75\nb 75\nc 75\n", "\(outcome.errors)")
            }
        }

        @Test func newRowsThatAnEqualPlanGaveToTagsCauseAQuestion() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        (echo id; seq 8 9) > full.csv
                        run a tags.csv --uri $uri
                        cp full.csv other.csv; run b other.csv --uri $uri
                        (echo id; seq 1 3; seq 8 9) > tags.csv
                        run c tags.csv --uri $uri --extend
                        cp tags.csv whole.csv; run d whole.csv --uri $uri --repeat-rows
                        printf '10\\n' >> tags.csv; run e tags.csv --uri $uri --extend --yes
                        """, in: folder)
                #expect(outcome.output == "a 75\nb 75\nc 64\nd 75\ne 64\n", "\(outcome.errors)")
            }
        }

        /// A plan that only the run refuses would have passed the dry run before.
        @Test func aDryRunWarnsOfAllThatARunAsks() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        check() { nfctool provision run "$@" --uri $uri --dry-run 2>&1 >/dev/null | grep -c 'row'; }
                        run a tags.csv --uri $uri; check tags.csv
                        cp tags.csv copy.csv; cp tags.csv.journal copy.csv.journal
                        run b tags.csv --uri $uri; check copy.csv; rm copy.csv*
                        (echo id; seq 8 9) > other.csv; run c other.csv --uri $uri
                        (echo id; seq 1 3; seq 8 9) > tags.csv; check tags.csv --extend
                        """, in: folder)
                let lines = outcome.output.split(separator: "\n").map(String.init)
                #expect(lines == ["a 75", "0", "b 75", "1", "c 75", "2"], "\(outcome.output)\(outcome.errors)")
            }
        }

        @Test func aJournalThatIsDeletedDuringARunIsCreatedAgain() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        nfctool provision run tags.csv --uri $uri --json --timeout 4s >events \
                            --reader 'virtual:a.nfc,b.nfc,c.nfc?kind=ntag213&stream&gap=2s' &
                        until grep -q '"event":"row"' events 2>/dev/null; do sleep 0.05; done
                        rm tags.csv.journal
                        wait $!; echo "status $?"
                        nfctool provision status tags.csv --json | grep -o '"pending":[0-9]*'
                        ls tags.csv.journal*
                        """, in: folder)
                #expect(
                    outcome.output == "status 65\n\"pending\":2\ntags.csv.journal\n",
                    "\(outcome.output)\(outcome.errors)")
                #expect(
                    outcome.errors.contains(
                        "was deleted or moved during the run. It was created there again, with all its rows."),
                    "\(outcome.errors)")
            }
        }

        @Test func aQuestionIsAskedAgainIfTheFirstRunWasKilledBeforeTheAnswer() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        run a tags.csv --uri $uri
                        cp tags.csv other.csv
                        python3 - <<'END'
                        import os, pty, signal, time
                        pid, terminal = pty.fork()
                        if pid == 0:
                            os.execvp("nfctool", ["nfctool", "provision", "run", "other.csv", "--uri", "https://e.com/{id}",
                                                  "--reader", "virtual:b.nfc?kind=ntag213"])
                        text = b""
                        while b"other tags?" not in text:
                            text += os.read(terminal, 1000)
                        os.kill(pid, signal.SIGKILL)
                        os.waitpid(pid, 0)
                        END
                        ls other.csv.journal 2>/dev/null
                        run b other.csv --uri $uri
                        """, in: folder)
                #expect(outcome.output == "a 75\nb 64\n", "\(outcome.output)\(outcome.errors)")
            }
        }

        @Test func aDamagedNeighbourIsNamed() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        run a tags.csv --uri $uri
                        python3 - <<'END'
                        import sqlite3
                        journal = sqlite3.connect("tags.csv.journal")
                        journal.execute("UPDATE planRow SET fields = 'x' WHERE number = 1")
                        journal.commit()
                        END
                        (echo id; seq 1 4) > other.csv
                        nfctool provision run other.csv --uri $uri --dry-run >/dev/null
                        """, in: folder)
                #expect(outcome.output == "a 75\n", "\(outcome.errors)")
                #expect(
                    outcome.errors.contains("So nfctool cannot check whether it has rows of this plan."),
                    "\(outcome.errors)")
            }
        }

        @Test(arguments: [
            ("lock --yes", "readOnly", "--lock"), ("protect --password-file pw", "passwordNeeded", "--protect"),
        ])
        func aForgottenOptionIsNoticedWhenAJournalIsBuiltAgain(
            change: String, error: String, option: String
        ) async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        echo 1A2B3C4D > pw
                        run a tags.csv --uri $uri
                        nfctool \(change) --quiet --reader virtual:a.nfc >/dev/null; rm tags.csv.journal
                        for password in "" "--password-file pw"; do
                            nfctool provision run tags.csv --uri $uri --json --timeout 1s --overwrite same $password \
                                --reader virtual:a.nfc 2>/dev/null | grep '"event":"refused"'
                        done
                        run a tags.csv --uri $uri --overwrite same \(option) --yes --password-file pw
                        """, in: folder)
                let lines = outcome.output.split(separator: "\n")
                #expect(lines.count == 4 && lines.last == "a 75", "\(outcome.output)\(outcome.errors)")
                for line in lines.dropFirst().prefix(2) {
                    #expect(line.contains("\"error\":\"\(error)\""), "\(line)")
                    #expect(
                        line.contains("It holds the message of row 1 and ")
                            && line.contains("start again with \(option)."))
                }
            }
        }

        @Test func aTagThatWasErasedBeforeItsLockNoLongerCountsAsVerified() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        # The tag leaves in the middle of a long message.
                        uri="https://e.com/$(printf 'x%.0s' $(seq 90))/{id}"
                        run a tags.csv --uri $uri
                        nfctool erase --wipe --quiet --reader virtual:a.nfc
                        nfctool provision run tags.csv --uri $uri --lock --extend --yes --quiet --count 1 --timeout 1s \
                            --reader 'virtual:a.nfc?loss=20' </dev/null >/dev/null
                        nfctool provision status tags.csv --json | grep -o '"state":"[a-z]*"' | head -1
                        run a tags.csv --uri $uri --lock --yes
                        """, in: folder)
                #expect(outcome.output == "a 75\n\"state\":\"failed\"\na 75\n", "\(outcome.output)\(outcome.errors)")
            }
        }

        @Test func aListOfObjectsContinuesWithItsStoredOptions() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        printf '{"id":1}\\n{"id":2}\\n' > list.jsonl
                        run a list.jsonl --uri $uri; run b list.jsonl
                        """, in: folder)
                #expect(outcome.output == "a 75\nb 0\n", "\(outcome.errors)")
            }
        }

        @Test func aPasswordFromAPipeIsReadOnce() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        bash -c 'nfctool provision run tags.csv --uri https://e.com/{id} --protect --quiet --count 1 \
                            --password-file <(echo 1A2B3C4D) --reader "virtual:a.nfc?kind=ntag213"'
                        echo $?
                        """, in: folder)
                #expect(outcome.output == "75\n", "\(outcome.errors)")
            }
        }

        @Test func verifySaysThatTheListHasChanged() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        run a tags.csv --uri $uri; echo 9 >> tags.csv
                        nfctool provision verify tags.csv --count 1 --reader virtual:a.nfc >/dev/null; echo $?
                        """, in: folder)
                #expect(outcome.output == "a 75\n0\n", "\(outcome.errors)")
                #expect(
                    outcome.errors.contains("tags.csv has changed since the last run. Tags are compared with the rows"),
                    "\(outcome.errors)")
            }
        }
    }
}
