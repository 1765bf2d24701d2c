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
