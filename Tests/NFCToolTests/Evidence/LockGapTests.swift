// Gaps in a lock are shown before the question, and only a permanent lock is called permanent — Docs/Tags.md

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct LockGapTests {
        /// Writes a message to a new tag and locks it.
        private static func locked(_ kind: String, _ body: (Outcome) throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let reader = "virtual:tag.nfc?kind=\(kind)"
                let written = try await Tool.run(
                    ["write", "--uri", "https://a.b", "--yes", "-q", "--reader", reader], in: folder)
                #expect(written.status == 0, "\(written.errors)")
                let outcome = try await Tool.run(["lock", "--yes", "--reader", "virtual:tag.nfc"], in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                try body(outcome)
            }
        }

        @Test(
            "A lock that other commands or hardware can undo is not called permanent",
            arguments: [
                ("classic1k-magic", "can still write every block through its backdoor"),
                ("ntag-i2c-1k", "A microcontroller on the I²C side of the chip can still write the message"),
            ])
        func notPermanent(kind: String, gap: String) async throws {
            try await Self.locked(kind) { outcome in
                #expect(outcome.errors.contains(gap), "\(outcome.errors)")
                #expect(outcome.errors.contains("nfctool cannot undo it."), "\(outcome.errors)")
                for claim in ["cannot be undone", "permanently", "never be written again"] {
                    #expect(!(outcome.errors + outcome.output).contains(claim), "\(outcome.errors)")
                }
                #expect(outcome.output.contains("nfctool cannot write it again"), "\(outcome.output)")
            }
        }

        @Test(
            "A lock names the commands that can still hide or destroy the tag",
            arguments: [
                ("icode-slix2-ndef", "hide or destroy"), ("em4233", "hide or destroy"), ("st25tn01k", "destroy"),
            ])
        func silencing(kind: String, verbs: String) async throws {
            try await Self.locked(kind) { outcome in
                #expect(
                    outcome.errors.contains("The lock does not cover the commands that \(verbs) the tag"),
                    "\(outcome.errors)")
            }
        }

        @Test("A genuine card and an ordinary chip have no gap in their lock") func noGap() async throws {
            for kind in ["classic1k-ndef", "icode-slix"] {
                try await Self.locked(kind) { outcome in
                    #expect(outcome.errors.contains("This cannot be undone."), "\(outcome.errors)")
                    #expect(!outcome.errors.contains("can still"), "\(outcome.errors)")
                    #expect(!outcome.errors.contains("does not cover"), "\(outcome.errors)")
                }
            }
        }
    }
}
