// A restore to a Type 4 Tag replaces a message: content kept by an interrupted write is not lost

import Foundation
import Testing

extension BuiltBinaryRestores {
    @Suite struct Type4RestoreTests {
        /// A tag whose write was interrupted, so that it is empty and its old message is on disk.
        private static let torn = """
            set -e
            nfctool write -q --text PRECIOUS --reader 'virtual:tag.nfc?kind=type4'
            nfctool write --text "$(printf 'n%.0s' $(seq 300))" --no-wait --reader 'virtual:tag.nfc?tear=13' || echo $?
            nfctool dump -q torn.json --reader virtual:tag.nfc

            """

        private static func run(_ lines: String) async throws -> Outcome {
            try await Tool.withFolder { folder in try await Tool.shell(torn + lines, in: folder) }
        }

        @Test func aDumpOfWhatTheTagHoldsChangesNothing() async throws {
            let outcome = try await Self.run(
                """
                nfctool restore torn.json --reader virtual:tag.nfc
                nfctool recover --rollback --quiet --reader virtual:tag.nfc
                nfctool read --reader virtual:tag.nfc
                """)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("75\n"))
            #expect(outcome.output.contains("already holds the dump."))
            #expect(outcome.output.contains("PRECIOUS"))
        }

        @Test func whatARestoreReplacesComesBackByUndo() async throws {
            let outcome = try await Self.run(
                """
                nfctool write -q --text good --reader 'virtual:other.nfc?kind=type4'
                nfctool dump -q good.json --reader virtual:other.nfc
                nfctool restore good.json --yes --reader virtual:tag.nfc
                nfctool recover --list
                nfctool undo --reader virtual:tag.nfc
                """)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("Restored file E104"))
            #expect(outcome.output.contains("Nothing to recover"), "\(outcome.output)")
            #expect(outcome.output.contains("Undid the last write") && outcome.output.contains("PRECIOUS"))
        }

        @Test func aDumpWithABrokenMessageIsRefusedBeforeTheFirstWrite() async throws {
            let outcome = try await Self.run(
                """
                set +e
                nfctool recover --rollback --quiet --reader virtual:tag.nfc
                cp tag.nfc before.nfc
                nfctool dump -q tag.json --reader virtual:tag.nfc
                python3 - <<'END'
                text = open('tag.json').read()
                broken = text.replace('D1010B', 'D101FB')
                assert broken != text
                open('broken.json', 'w').write(broken)
                END
                nfctool restore broken.json --yes --reader virtual:tag.nfc; echo "ended with $?"
                cmp tag.nfc before.nfc && echo unchanged
                """)
            #expect(outcome.output.contains("ended with 65"), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("the NDEF message is broken ("), "\(outcome.errors)")
            #expect(outcome.output.hasSuffix("unchanged\n"), "\(outcome.output)")
        }

        @Test func aRefusedDumpLeavesTheWayBackOfAnEarlierWrite() async throws {
            let outcome = try await Tool.withFolder { folder in
                try await Tool.shell(
                    """
                    nfctool write -q --text PRECIOUS --reader 'virtual:small.nfc?kind=ntag424'
                    nfctool write --text "$(printf 'n%.0s' $(seq 200))" --no-wait --reader 'virtual:small.nfc?tear=13'; echo $?
                    nfctool write -q --text "$(printf 'L%.0s' $(seq 600))" --reader 'virtual:large.nfc?kind=type4'
                    nfctool dump -q large.json --reader virtual:large.nfc
                    nfctool restore large.json --yes --reader virtual:small.nfc; echo $?
                    nfctool recover --rollback -q --reader virtual:small.nfc && nfctool read --reader virtual:small.nfc
                    """, in: folder)
            }
            #expect(outcome.output.hasPrefix("75\n78\n"), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("PRECIOUS"), "\(outcome.output)\(outcome.errors)")
        }

        /// A torn length shows only a part of the message.
        private static let partial = """
            nfctool apdu -q 00A4040007D276000085010100=9000 00A4000C02E104=9000 00D60000020050=9000 --reader virtual:tag.nfc
            nfctool write -q --text good --reader 'virtual:other.nfc?kind=type4'
            nfctool dump -q good.json --reader virtual:other.nfc
            set +e

            """

        @Test func aPartOfAMessageThatAnInterruptedWriteLeftIsNamedAndReplaced() async throws {
            let outcome = try await Self.run(
                Self.partial + """
                    nfctool read --reader virtual:tag.nfc; echo "read $?"
                    nfctool restore good.json --yes --reader virtual:tag.nfc; echo "restore $?"
                    nfctool read --reader virtual:tag.nfc
                    """)
            #expect(outcome.output.contains("read 75\n"), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("was interrupted") && outcome.errors.contains("nfctool recover"))
            #expect(outcome.output.contains("restore 0\n"), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("good"))
        }

        @Test func aBrokenMessageOfAnotherComputerIsReplaced() async throws {
            let outcome = try await Self.run(
                Self.partial + """
                    rm -r "$XDG_STATE_HOME"/nfctool/writes; cp tag.nfc second.nfc; cp tag.nfc third.nfc; echo id > p.csv; echo 1 >> p.csv
                    nfctool restore good.json --yes --reader virtual:tag.nfc; echo "restore $?"
                    nfctool provision p.csv --uri 'https://example.com/{id}' --timeout 1s --reader virtual:second.nfc; echo "provision $?"
                    nfctool provision p.csv --uri 'https://example.com/{id}' --overwrite always --timeout 5s --reader virtual:third.nfc
                    echo "replaced $?"
                    """)
            #expect(outcome.output.contains("restore 0\n"), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("provision 75\n"), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("broken message"), "\(outcome.output)")
            #expect(!outcome.output.contains("Set it aside"), "\(outcome.output)")
            #expect(outcome.output.contains("replaced 0\n"), "\(outcome.output)\(outcome.errors)")
        }
    }
}
