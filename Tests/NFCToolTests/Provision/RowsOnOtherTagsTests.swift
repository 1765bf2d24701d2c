// Plans whose rows other tags already have, in another folder or with another recipe, and locks of damaged rows

import Foundation
import Testing

extension BuiltBinaryReturns {
    @Suite struct RowsOnOtherTagsTests {
        private static let asking =
            "Cannot ask for confirmation: standard input is not a terminal. Nothing was changed."

        /// Runs a script with the function `run`, which writes one tag, and returns what it printed.
        private static func outcome(of script: String, in folder: String) async throws -> Outcome {
            try await Tool.shell(
                """
                serial=0
                run() {
                    serial=$((serial + 1))
                    nfctool provision run "$@" --quiet --count 1 --timeout 1s --reader "virtual:ntag213?serial=$serial" </dev/null
                    echo "status $?"
                }
                \(script)
                """, in: folder)
        }

        @Test func aPlanThatWasMovedToAnotherFolderIsRecognised() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        mkdir old new; (echo id; seq 1 3) > old/tags.csv
                        cd old; run tags.csv --uri 'https://e.com/{id}/{random:16}'
                        mv tags.csv ../new; cd ../new
                        nfctool provision status tags.csv
                        run tags.csv --uri 'https://e.com/{id}/{random:16}' --yes
                        nfctool provision run tags.csv --uri 'https://e.com/{id}/{random:16}' --dry-run >/dev/null
                        rm ../old/tags.csv.journal
                        run tags.csv --uri 'https://e.com/{id}/{random:16}'
                        """, in: folder)
                #expect(outcome.output == "status 75\nstatus 64\nstatus 75\n", "\(outcome.errors)")
                let place = URL(filePath: folder).resolvingSymlinksInPath().path + "/old/tags.csv.journal"
                let fact =
                    "\(place) already belongs to a plan with the same content, tags.csv: 1 of its 3 rows has a tag. This run would write the same rows to other tags, with other random digits. To continue that plan instead, use --journal \(place)."
                #expect(outcome.errors.contains("nfctool: \(fact) Write the same rows to other tags? \(Self.asking)"))
                #expect(outcome.errors.contains("nfctool: Warning: \(fact)\n"), "\(outcome.errors)")
                let advice = "\n  If the plan was moved, name its journal:  --journal \(place)\n"
                #expect(outcome.errors.contains(advice), "\(outcome.errors)")
            }
        }

        @Test(arguments: [
            ("code,id\n1,x\n3,y\n2,z\n", "--uri 'https://e.com/{code}'", "https://e.com/{id}", "rows 1 and 3"),
            ("uri\nhttps://e.com/2\nhttps://e.com/9\n", "", "https://e.com/{id}", "row 1"),
            // A message with a UID is compared with the row in the same place.
            ("code\n1\n3\n2\n", "--uri 'https://e.com/{code}?{uid}'", "https://e.com/{id}?{uid}", "row 1"),
        ])
        func messagesThatTagsHoldAreRecognisedWhateverMadeThem(
            list: String, options: String, earlier: String, rows: String
        ) async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        (echo id; seq 1 3) > tags.csv; printf '\(list)' > other.csv
                        run tags.csv --uri '\(earlier)'; run tags.csv --uri '\(earlier)'
                        run other.csv \(options)
                        """, in: folder)
                #expect(outcome.output == "status 75\nstatus 75\nstatus 64\n", "\(outcome.errors)")
                let isOne = rows == "row 1"
                let tags = isOne ? "a tag for row 1" : "tags for \(rows)"
                let removal =
                    isOne
                    ? "the same row to other tags. Remove this row" : "the same rows to other tags. Remove these rows"
                #expect(
                    outcome.errors.contains(
                        "tags.csv.journal already has \(tags) of this plan: 2 of its 3 rows have tags. This run would write \(removal) from this plan."
                    ), "\(outcome.errors)")
            }
        }

        @Test func otherMessagesOfTheSameListCauseNoQuestion() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        (echo id; seq 1 3) > tags.csv; (echo code; seq 1 3) > other.csv
                        run tags.csv --uri 'https://e.com/{id}'
                        run other.csv --uri 'https://f.com/{code}'
                        cp other.csv third.csv; run third.csv --uri 'https://e.com/{code}/{random:16}'
                        """, in: folder)
                #expect(outcome.output == "status 75\nstatus 75\nstatus 75\n", "\(outcome.errors)")
            }
        }

        @Test func damagedRowsAreLockedOnlyWithForce() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        printf 'id,lock\\n1.23457E+12,yes\\n2,yes\\n1.5E+12,no\\n' > tags.csv
                        run tags.csv --uri 'https://e.com/{id}' --yes
                        ls
                        run tags.csv --uri 'https://e.com/{id}' --yes --force
                        # The tag of row 1 is locked now, so only the new row is asked about.
                        printf '5.5E+15,yes\n' >> tags.csv
                        run tags.csv --uri 'https://e.com/{id}' --yes --extend
                        """, in: folder)
                #expect(outcome.output == "status 64\ntags.csv\nstatus 75\nstatus 64\n", "\(outcome.errors)")
                #expect(outcome.errors.contains("nfctool: Row 4 seems to be damaged, and its tag"), "\(outcome.errors)")
                #expect(
                    outcome.errors.contains(
                        """
                        nfctool: Row 1 seems to be damaged, and its tag will be locked permanently. Lock damaged text into tags? \(Self.asking)
                          To agree to this, add --force. --yes does not include it.

                        """), "\(outcome.errors)")
            }
        }

        @Test func randomDigitsAreNotRecognisedAgain() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    nfctool provision run --range 1-2 --uri 'https://e.com/{random:16}' --dry-run --overwrite same
                    """, in: folder)
                let note =
                    "With --overwrite same, tags of an earlier journal are not recognised: this journal gives each row other random digits."
                #expect((outcome.output + outcome.errors).contains(note), "\(outcome.output)\(outcome.errors)")
            }
        }

        @Test func releaseSaysThatTheTagIsLocked() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Self.outcome(
                    of: """
                        (echo id; seq 1 2) > tags.csv
                        run tags.csv --uri 'https://e.com/{id}' --lock --yes
                        nfctool provision release 1
                        """, in: folder)
                #expect(
                    outcome.errors.contains(
                        " holds row 1. It was locked permanently. If you free the row, a second tag could carry the same row."
                    ), "\(outcome.errors)")
            }
        }
    }
}
