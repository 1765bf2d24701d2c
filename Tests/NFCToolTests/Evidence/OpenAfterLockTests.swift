// Settings that remain open after a lock are shown before it is set

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct OpenAfterLockTests {
        @Test(
            "lock and write --lock say which settings stay open",
            arguments: [
                ("ntag213", "blocks 41 to 44", "a password to read it, or show its UID"),
                ("ultralight-ev1", "blocks 16 to 19", "a password to read it."),
                ("ultralight-c", "blocks 42 to 47", "a key to read it."),
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

        @Test("protect closes the configuration of a locked tag, and replaces its password")
        func closed() async throws {
            try await Tool.withFolder { folder in
                let reader = "--reader virtual:tag.nfc"
                let closed = try await Tool.shell(
                    """
                    echo 11223344 > first; echo 55667788 > second
                    nfctool write --text hello --lock --yes --quiet --reader 'virtual:tag.nfc?kind=ntag213' &&
                    nfctool protect --from 41 --password-file first \(reader)
                    """, in: folder)
                #expect(closed.status == 0, "\(closed.errors)")
                #expect(closed.output.contains("writing from block 41 onwards needs the password"), "\(closed.output)")
                let replaced = try await Tool.shell(
                    "nfctool protect --read --limit 5 --yes --old-password-file first --password-file second \(reader)",
                    in: folder)
                #expect(replaced.status == 0, "\(replaced.errors)")
                let memory = try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8)
                #expect(memory.contains("Page 41: 04 00 00 29\n") && memory.contains("Page 42: 85 "), "\(memory)")
                #expect(memory.contains("Page 43: 55 66 77 88"), "\(memory)")
                let message = try await Tool.shell("nfctool read \(reader)", in: folder)
                #expect(message.output.contains("hello"), "\(message.output)")
            }
        }
    }
}
