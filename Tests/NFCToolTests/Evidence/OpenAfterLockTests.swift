// What a lock leaves open is said before it is set

import Testing

extension BuiltBinary {
    @Suite struct OpenAfterLockTests {
        @Test(
            "lock and write --lock say which settings stay open",
            arguments: [
                ("ntag213", "blocks 41 to 44", "a password before it is read, or show its UID"),
                ("ultralight-ev1", "blocks 16 to 19", "a password before it is read."),
                ("ultralight-c", "blocks 42 to 47", "a key before it is read."),
            ])
        func said(kind: String, blocks: String, words: String) async throws {
            try await Tool.withFolder { folder in
                let reader = "--reader 'virtual:tag.nfc?kind=\(kind)'"
                let locked = try await Tool.shell(
                    "nfctool write --quiet --text hello --yes \(reader) && nfctool lock --yes \(reader)", in: folder)
                #expect(locked.status == 0, "\(locked.errors)")
                #expect(locked.errors.contains("The configuration in \(blocks) stays open"), "\(locked.errors)")
                #expect(locked.errors.contains(words), "\(locked.errors)")
                let other = reader.replacing("tag.nfc", with: "other.nfc")
                let sealed = try await Tool.shell("nfctool write --text hello --lock --yes \(other)", in: folder)
                #expect(sealed.status == 0 && sealed.errors.contains(words), "\(sealed.errors)")
            }
        }
    }
}
