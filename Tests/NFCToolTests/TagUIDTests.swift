// The UID of `--uid`

import Testing

@testable import nfctool

@Suite struct TagUIDTests {
    @Test(arguments: ["04A1B2C3", "04:a1:b2:c3", "04 A1 B2 C3", "04-A1-B2-C3", "0:4A1B2C3"])
    func aUIDIsReadWithOrWithoutSeparators(text: String) {
        #expect(TagUID(argument: text)?.bytes == [0x04, 0xA1, 0xB2, 0xC3])
    }

    @Test(arguments: ["", ":", "04A", "0G", "04.A1", "０４A1B2C3", "000102030405060708090A"])
    func whatIsNoUIDIsRefused(text: String) {
        #expect(TagUID(argument: text) == nil)
    }
}

extension BuiltBinary {
    @Suite struct TagUIDLengthTests {
        /// The virtual reader has a tag, so a command that looks for a UID would wait.
        @Test(arguments: ["0410", "041057", "0410571F00", "04A1B2C3D4E5F60708"])
        func aLengthThatNoTagHasIsRefused(uid: String) async throws {
            let outcome = try await Tool.run("read", "--uid", uid, "--reader", "virtual")
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("--uid needs the whole UID of a tag: 4, 7, 8 or 10 bytes."))
        }
    }
}
