// A restore of the UID to a chip whose UID is fixed

import Foundation
import Testing

extension BuiltBinaryRestores {
    @Suite struct RestoreUIDTests {
        private static func tag(_ serial: Int) -> [String] {
            ["--reader", "virtual:\(serial).nfc?kind=ntag215&serial=\(serial)"]
        }

        private static func ok(_ arguments: [String], in folder: String) async throws -> Outcome {
            let outcome = try await Tool.run(arguments, in: folder)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            return outcome
        }

        @Test("A chip with a fixed UID is refused before its message changes") func fixedUID() async throws {
            try await Tool.withFolder { folder in
                _ = try await Self.ok(["write", "--text", "theirs"] + Self.tag(1), in: folder)
                _ = try await Self.ok(["dump", "one.bin"] + Self.tag(1), in: folder)
                _ = try await Self.ok(["write", "--text", "mine"] + Self.tag(2), in: folder)
                let before = try String(contentsOfFile: folder + "/2.nfc", encoding: .utf8)
                let restore = ["restore", "one.bin", "--uid-block", "--yes", "--json"] + Self.tag(2)
                let refused = try await Tool.run(restore, in: folder)
                #expect(refused.status == 78, "\(refused.errors)")
                #expect(try refused.failure()["error"] as? String == "wrongChip")
                #expect((try refused.failure()["message"] as? String)?.contains("its UID is fixed") == true)
                #expect(try String(contentsOfFile: folder + "/2.nfc", encoding: .utf8) == before)
                // No write was started.
                let pending = try await Self.ok(["recover", "--list"], in: folder)
                #expect(pending.output.contains("Nothing to recover"), "\(pending.output)")
            }
        }

        @Test("No option is suggested for blocks that the option would not change") func noFalseHint() async throws {
            try await Tool.withFolder { folder in
                _ = try await Self.ok(["write", "--text", "theirs"] + Self.tag(1), in: folder)
                _ = try await Self.ok(["dump", "one.bin"] + Self.tag(1), in: folder)
                let restored = try await Self.ok(["restore", "one.bin"] + Self.tag(2), in: folder)
                #expect(
                    restored.output.contains("blocks 1-2 differ from the dump and stay as they are."),
                    "\(restored.output)")
                // Lock bits that the tag lacks are restored with the option.
                var dump = [UInt8](try Data(contentsOf: URL(filePath: folder + "/one.bin")))
                dump[11] = 0x80
                try Data(dump).write(to: URL(filePath: folder + "/one.bin"))
                let locked = try await Self.ok(["restore", "one.bin"] + Self.tag(2), in: folder)
                #expect(locked.output.contains("add --lock-bits)"), "\(locked.output)")
            }
        }
    }
}
