// A message that an NTAG 424 DNA fills in at each tap: a copy holds one tap, which the user must confirm

import Foundation
import Testing

extension BuiltBinaryMemory {
    @Suite struct FilledInCopyTests {
        /// Creates a tag in `s.nfc` that signs its URL.
        private static func withTag(_ test: (_ folder: String) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let setUp = try await Tool.run(
                    "sdm", "setup", "https://example.com/t?e={picc}&c={mac}", "--reader",
                    "virtual:s.nfc?kind=ntag424", "--yes", in: folder)
                #expect(setUp.status == 0, "\(setUp.errors)")
                try await test(folder)
            }
        }

        @Test func copyAsksFirst() async throws {
            try await Self.withTag { folder in
                let copy = ["copy", "--count", "1", "--reader", "virtual:s.nfc,ntag213?stream"]
                let asked = try await Tool.run(copy, in: folder)
                #expect(asked.status == 64, "\(asked.errors)")
                #expect(asked.errors.contains("fills in its message at each tap"), "\(asked.errors)")
                let agreed = try await Tool.run(copy + ["--yes"], in: folder)
                #expect(agreed.status == 0, "\(agreed.errors)")
            }
        }

        @Test func dumpWarnsAndRestoreAsksFirst() async throws {
            try await Self.withTag { folder in
                let dumped = try await Tool.run("dump", "s.json", "--reader", "virtual:s.nfc", in: folder)
                #expect(dumped.status == 0, "\(dumped.errors)")
                #expect(dumped.errors.contains("The tag fills in its message at each tap."), "\(dumped.errors)")
                let restore = ["restore", "s.json", "--reader", "virtual:s2.nfc?kind=ntag424&serial=2"]
                let asked = try await Tool.run(restore, in: folder)
                #expect(asked.status == 64, "\(asked.errors)")
                #expect(asked.errors.contains("filled in its message at each tap"), "\(asked.errors)")
                let agreed = try await Tool.run(restore + ["--yes"], in: folder)
                #expect(agreed.status == 0, "\(agreed.errors)")
            }
        }

        @Test func aDumpOfAMessageThatStaysAsItIsNeedsNoQuestion() async throws {
            try await Tool.withFolder { folder in
                let tag = "virtual:p.nfc?kind=ntag424"
                #expect(try await Tool.run("write", "--text", "Hi", "--reader", tag, in: folder).status == 0)
                let dumped = try await Tool.run("dump", "p.json", "--reader", tag, in: folder)
                #expect(dumped.status == 0 && !dumped.errors.contains("Warning"), "\(dumped.errors)")
                let restored = try await Tool.run(
                    "restore", "p.json", "--reader", "virtual:p2.nfc?kind=ntag424&serial=2", in: folder)
                #expect(restored.status == 0, "\(restored.errors)")
            }
        }

        @Test func checkNamesTheKeyThatMayWriteAsReadDoes() async throws {
            try await Self.withTag { folder in
                for command in [["read"], ["ndef", "check", "--tag"]] {
                    let shown = try await Tool.run(command + ["--reader", "virtual:s.nfc"], in: folder)
                    #expect(shown.output.contains("writable with key 0"), "\(command): \(shown.output)")
                }
            }
        }
    }
}
