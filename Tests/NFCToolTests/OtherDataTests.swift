// Data of another program after the message: write reports these bytes, and undo restores them

import Foundation
import Testing

extension BuiltBinaryMemory {
    @Suite struct OtherDataTests {
        /// Creates an NTAG215 with the message D101015400 and a proprietary TLV after it.
        private static func withTag(_ test: (_ folder: String) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let made = try await Tool.shell(
                    """
                    nfctool write --quiet --uri https://a.b --no-journal --reader 'virtual:p.nfc?kind=ntag215' &&
                    sed -i 's/^Page 4: .*/Page 4: 03 05 D1 01/; s/^Page 5: .*/Page 5: 01 54 00 FD/
                    s/^Page 6: .*/Page 6: 04 CA FE BA/; s/^Page 7: .*/Page 7: BE FE 00 00/' p.nfc
                    """, in: folder)
                #expect(made.status == 0, "\(made.errors)")
                try await test(folder)
            }
        }

        private static func page(_ number: Int, in folder: String) throws -> String? {
            let file = try String(contentsOfFile: folder + "/p.nfc", encoding: .utf8)
            return file.split(separator: "\n").first { $0.hasPrefix("Page \(number): ") }.map(String.init)
        }

        @Test(arguments: [["--text", "a longer text"], ["--uri", "https://a.b", "--append"]])
        func undoBringsItBack(options: [String]) async throws {
            try await Self.withTag { folder in
                let written = try await Tool.run(
                    ["write", "--force", "--reader", "virtual:p.nfc"] + options, in: folder)
                #expect(written.status == 0, "\(written.errors)")
                #expect(written.errors.contains("held 6 bytes of another program after its message"))
                #expect(written.errors.contains("nfctool undo brings them back"))
                #expect(try Self.page(6, in: folder) != "Page 6: 04 CA FE BA")
                let undone = try await Tool.run("undo", "--reader", "virtual:p.nfc", in: folder)
                #expect(undone.status == 0, "\(undone.errors)")
                #expect(try Self.page(4, in: folder) == "Page 4: 03 05 D1 01")
                #expect(try Self.page(5, in: folder) == "Page 5: 01 54 00 FD")
                #expect(try Self.page(6, in: folder) == "Page 6: 04 CA FE BA")
                #expect(try Self.page(7, in: folder)?.hasPrefix("Page 7: BE FE") == true)
            }
        }

        @Test func aDryRunCountsIt() async throws {
            try await Self.withTag { folder in
                let command = ["write", "--text", "a longer text", "--dry-run", "--reader", "virtual:p.nfc"]
                let shown = try await Tool.run(command, in: folder)
                #expect(
                    shown.output.contains(
                        "6 bytes after the message, which belong to another program, would be overwritten."))
                let json = try await Tool.run(command + ["--json"], in: folder).json()
                #expect(json["otherDataLength"] as? Int == 6)
            }
        }
    }
}
