// An Ultralight C that requires its key even for the capability container — NXP MF0ICU2 7.5.8 and 9.2

import Testing

extension BuiltBinaryPasswords {
    @Suite struct ClosedUltralightCTests {
        @Test func aTagThatIsClosedFromBlock3OnOpensWithItsKey() async throws {
            try await Tool.withFolder { folder in
                func run(_ arguments: String) async throws -> Outcome {
                    try await Tool.shell("nfctool \(arguments) --reader virtual:tag.nfc", in: folder)
                }
                let written = try await Tool.shell(
                    """
                    echo 00112233445566778899AABBCCDDEEFF > key
                    nfctool write --quiet --text hello --yes --reader 'virtual:tag.nfc?kind=ultralight-c'
                    """, in: folder)
                #expect(written.status == 0, "\(written.errors)")
                let protected = try await run("protect --password-file key --from 3 --read --yes")
                #expect(protected.status == 0, "\(protected.output)\(protected.errors)")
                // This is the state on a computer that does not know the tag.
                _ = try await Tool.shell("rm -rf nfctool", in: folder)
                let closed = try await run("read")
                #expect(closed.status == 77 && closed.errors.contains("password"), "\(closed.output)\(closed.errors)")
                let info = try await run("info")
                #expect(info.output.contains("MIFARE Ultralight C"), "\(info.output)\(info.errors)")
                #expect(!info.output.contains("not a capability container"), "\(info.output)")
                let opened = try await run("read --password-file key")
                #expect(opened.status == 0 && opened.output.contains("hello"), "\(opened.output)\(opened.errors)")
                let removed = try await run("unprotect --password-file key --yes")
                #expect(removed.status == 0, "\(removed.errors)")
                #expect(try await run("read").output.contains("hello"))
            }
        }
    }
}
