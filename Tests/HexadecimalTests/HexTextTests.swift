// Hexadecimal text that users paste

import Hexadecimal
import Testing

@Suite struct HexTextTests {
    @Test(arguments: [
        ("", ""), ("d1 01:02\n", "D10102"), ("\t00\r\nFF", "00FF"), ("0A0b", "0A0B"),
    ])
    func hexTextIsRead(_ text: String, _ hex: String) throws {
        #expect(try HexText.bytes(text.utf8).hex == hex)
    }

    @Test(arguments: [
        ("0", 1, true), ("0 0", 1, true), ("000", 3, true), ("0x", 1, false), ("0x00", 1, false), ("g0", 0, false),
        ("00-00", 2, false), ("00 é", 3, false),
    ])
    func hexTextErrorsNameTheOffset(_ text: String, _ offset: Int, _ isCutOff: Bool) {
        #expect(throws: HexTextError(offset: offset, isCutOff: isCutOff)) { try HexText.bytes(text.utf8) }
    }

    @Test func whatMayStandBetweenBytesIsForTheCallerToSay() throws {
        #expect(try HexText.bytes("04 A1".utf8, separators: " ") == [0x04, 0xA1])
        #expect(throws: HexTextError(offset: 2, isCutOff: false)) {
            try HexText.bytes("04:A1".utf8, separators: " ")
        }
        #expect(throws: HexTextError(offset: 2, isCutOff: false)) { try HexText.bytes("04 A1".utf8, separators: "") }
    }
}
