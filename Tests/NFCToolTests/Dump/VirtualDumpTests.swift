// Dumps in every format as virtual tags, which keep what is written to them

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct VirtualDumpTests {
        @Test(arguments: [
            ("ntag213", "json"), ("ntag215", "bin"), ("ntag213", "eml"), ("ntag216", "hex"), ("classic1k-ndef", "mct"),
            ("classic1k-ndef", "mfd"), ("felica-lite-s-ndef", "json"),
        ])
        func aWriteToAVirtualTagChangesItsDump(kind: String, ending: String) async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=\(kind)"]
                #expect(try await Tool.run(["write", "--text", "before"] + tag, in: folder).status == 0)
                // Mere memory has no place for a signature, and would lose none.
                #expect(try await Tool.run(["dump", "copy.\(ending)"] + tag, in: folder).status == 0)
                let copy = ["--reader", "virtual:copy.\(ending)"]
                let written = try await Tool.run(["write", "--text", "after"] + copy, in: folder)
                #expect(written.status == 0, "\(written.errors)")
                #expect(try await Tool.run("read", "copy.\(ending)", in: folder).output.contains("after"))
                #expect(try await Tool.run(["read"] + tag, in: folder).output.contains("before"))
            }
        }

        @Test func aFileThatWouldLoseItsSignatureIsNotChanged() async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=ntag215"]
                #expect(try await Tool.run(["write", "--text", "before"] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["dump", "plain.bin"] + tag, in: folder).status == 0)
                let path = URL(fileURLWithPath: folder + "/signed.bin")
                let signed = try Data(contentsOf: URL(fileURLWithPath: folder + "/plain.bin")) + Data(1...32)
                try signed.write(to: path)
                let refused = try await Tool.run(
                    "write", "--text", "after", "--reader", "virtual:signed.bin", in: folder)
                #expect(refused.status == 65 && refused.errors.contains("signature"))
                #expect(try Data(contentsOf: path) == signed)
            }
        }

        @Test func aBrokenDumpIsNoTag() async throws {
            try await Tool.withFolder { folder in
                try "+Sector: 99\n".write(toFile: folder + "/a.mct", atomically: true, encoding: .utf8)
                let refused = try await Tool.run("read", "--reader", "virtual:a.mct", "--json", in: folder).failure()
                #expect(refused["error"] as? String == "badFile")
            }
        }
    }
}
