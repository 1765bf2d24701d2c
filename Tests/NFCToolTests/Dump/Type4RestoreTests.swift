// A restore to a Type 4 Tag replaces a message: what a write that was interrupted kept is not lost by it

import Foundation
import Testing

extension BuiltBinaryRestores {
    @Suite struct Type4RestoreTests {
        /// A tag whose write was interrupted: it is empty, and its old message is on disk.
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
            #expect(outcome.output.contains("holds it already."))
            #expect(outcome.output.contains("PRECIOUS"))
        }

        @Test func whatARestoreReplacesIsKeptAside() async throws {
            let outcome = try await Self.run(
                """
                nfctool write -q --text good --reader 'virtual:other.nfc?kind=type4'
                nfctool dump -q good.json --reader virtual:other.nfc
                nfctool restore good.json --yes --reader virtual:tag.nfc
                ls "$XDG_STATE_HOME"/nfctool/writes
                """)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("Restored file E104"))
            #expect(outcome.output.contains(".json.superseded-1"), "\(outcome.output)")
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
    }
}
