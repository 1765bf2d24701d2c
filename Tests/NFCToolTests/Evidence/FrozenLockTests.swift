// Tags whose lock can never be finished, because block-locking bits are set: no command starts it

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct FrozenLockTests {
        /// Creates a folder with an NTAG213 on which the lock bits of blocks 4 to 39 are clear and frozen.
        private static func withTag(_ body: (_ folder: String, _ memory: String) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let written = try await Tool.shell(
                    """
                    nfctool write --quiet --text hello --reader 'virtual:tag.nfc?kind=ntag213' &&
                    sed -i -E 's/^(Page 2: .. ..) 00 00/\\1 06 00/; s/^Page 40: .*/Page 40: 00 00 3F BD/' tag.nfc
                    """, in: folder)
                #expect(written.status == 0, "\(written.errors)")
                let memory = try memory(in: folder)
                #expect(memory.contains("Page 40: 00 00 3F BD"))
                try await body(folder, memory)
            }
        }

        private static func memory(in folder: String) throws -> String {
            try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8)
                .split(separator: "\n").filter { $0.hasPrefix("Page ") }.joined(separator: "\n")
        }

        @Test(
            "A lock that cannot succeed is refused before its first step",
            arguments: ["lock --yes", "write --text x --lock --yes", "write --text x --lock --dry-run"])
        func refused(command: String) async throws {
            try await Self.withTag { folder, memory in
                let outcome = try await Tool.shell("nfctool \(command) --reader virtual:tag.nfc", in: folder)
                #expect(outcome.status == 77, "\(outcome.output)")
                #expect(
                    outcome.errors.contains("the lock bits of blocks 4 to 39 can never be set"), "\(outcome.errors)")
                #expect(outcome.errors.contains("Nothing was changed."), "\(outcome.errors)")
                #expect(try Self.memory(in: folder) == memory)
            }
        }

        @Test("provision gives no row with a lock to such a tag") func provision() async throws {
            try await Self.withTag { folder, memory in
                let outcome = try await Tool.shell(
                    """
                    printf 'uri\\nhttps://example.com\\n' > tags.csv
                    nfctool provision tags.csv --lock --yes --overwrite always --timeout 1s --json \
                        --reader virtual:tag.nfc
                    """, in: folder)
                #expect(outcome.status == 75, "\(outcome.errors)")
                #expect(outcome.output.contains(#""error":"cannotLock""#), "\(outcome.output)")
                #expect(outcome.output.contains("can never be set"), "\(outcome.output)")
                #expect(try Self.memory(in: folder) == memory)
            }
        }
    }
}
