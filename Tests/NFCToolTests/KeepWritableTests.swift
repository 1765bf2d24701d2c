// A tag whose message anyone may write, although the tag fills it in

import Testing

extension BuiltBinaryMemory {
    @Suite struct KeepWritableTests {
        @Test("read and write agree about a tag set up with --keep-writable") func textsAgree() async throws {
            let tag = ["--reader", "virtual:s.nfc?kind=ntag424"]
            try await Tool.withFolder { folder in
                let setUp = ["sdm", "setup", "https://example.com/?e={picc}&c={mac}", "--keep-writable", "--yes", "-q"]
                let done = try await Tool.run(setUp + tag, in: folder)
                #expect(done.status == 0 && done.output.isEmpty, "\(done.output)\(done.errors)")
                let read = try await Tool.run(["read"] + tag, in: folder)
                #expect(read.output.contains("writable with sdm setup, "), "\(read.output)")
                let written = try await Tool.run(["write", "--text", "x"] + tag, in: folder)
                #expect(written.status == 77, "\(written.errors)")
                #expect(written.errors.contains("would change what is written"), "\(written.errors)")
            }
        }
    }
}
