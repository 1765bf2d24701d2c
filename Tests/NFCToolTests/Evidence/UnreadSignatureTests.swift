// A signature that nfctool does not read is not reported as missing

import Testing

extension BuiltBinary {
    @Suite struct UnreadSignatureTests {
        @Test(
            "info does not say that a chip has no signature if it may have one",
            arguments: ["st25tv02k-ndef", "classic1k-ndef", "ntag215?version=none"])
        func notRead(kind: String) async throws {
            let info = try await Tool.run("info", "--reader", "virtual:\(kind)")
            #expect(info.status == 0, "\(info.errors)")
            #expect(info.output.contains("not read by nfctool"), "\(info.output)")
            #expect(!info.output.contains("not supported by this chip"), "\(info.output)")
        }
    }
}
