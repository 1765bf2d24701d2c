// Bytes and numbers as hexadecimal text

import Hexadecimal
import Testing

@Suite struct HexDigitsTests {
    @Test func bytesAreTwoUpperCaseDigitsEach() {
        let bytes: [UInt8] = [0x00, 0x0A, 0x9F, 0xFF]
        #expect(bytes.hex == "000A9FFF")
        #expect(bytes.spacedHex == "00 0A 9F FF")
        #expect(bytes[1...2].spacedHex == "0A 9F")
    }

    @Test func noBytesAreAnEmptyText() {
        #expect([UInt8]().hex.isEmpty)
        #expect([UInt8]().spacedHex.isEmpty)
    }

    @Test func numbersHaveAllTheirDigits() {
        #expect(UInt8(0x4).hex == "04")
        #expect(UInt16(0x0E1).hex == "00E1")
        #expect(UInt16.max.hex == "FFFF")
        #expect(UInt32.zero.hex == "00000000")
    }

    @Test func everyByteIsReadBackInEitherCase() throws {
        let bytes = (0...255).map { UInt8($0) }
        #expect(try HexText.bytes(bytes.hex.utf8) == bytes)
        #expect(try HexText.bytes(bytes.spacedHex.lowercased().utf8) == bytes)
    }
}
