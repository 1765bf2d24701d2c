// MIFARE Ultralight AES: AES authentication, protection, key locks — MF0AES(H)20, from public programs that use it

import Testing
@testable import VirtualPN532

@Suite struct UltralightAESTests {
    static let factoryKey = [UInt8](repeating: 0, count: 16)

    /// Calculated by `openssl enc -aes-128-cbc`, with a vector of zeros for each message.
    @Test func eachMessageIsEncipheredByItself() {
        let authentication = UltralightAESAuthentication(
            keyNumber: 0, keyBlocks: Array((0..<16).reversed()),
            rndB: bytes("B9 E2 FC 78 9B 64 BF 23 7C CC AA 20 EC 7E 6E 48"))
        #expect(authentication.challenge == bytes("10 0D EE A9 D9 FF C9 E5 42 E9 4E B9 D6 CB B3 86"))
        let token = bytes(
            "C2 0C 9B AB D6 D8 9F 66 ED 5A 40 8C A1 6B FD 9E D1 7E 21 94 35 3E FC AE 0C 43 4B 68 E8 60 26 63")
        #expect(authentication.answer(to: token) == bytes("3B E7 9B 27 90 D6 8E 54 2E 06 E7 D1 05 CE 3A D5"))
        for index in token.indices {
            var wrong = token
            wrong[index] ^= 0x01
            #expect(authentication.answer(to: Array(token.prefix(index))) == nil)
            #expect(authentication.answer(to: wrong) != bytes("3B E7 9B 27 90 D6 8E 54 2E 06 E7 D1 05 CE 3A D5"))
        }
    }

    @Test func itSaysWhatItIsAndHidesItsKeys() throws {
        let tag = try VirtualTagKind.ultralightAES.type2()
        #expect(tag.send("60") == "00 04 03 01 04 00 0F 03")
        #expect(tag.send("30 29") == "00 00 00 3C 8C 05 00 00 00 00 00 00 00 00 00 00")
        #expect(tag.send("A2 30 01 02 03 04") == "ACK")
        #expect(tag.send("A2 38 01 02 03 04") == "ACK")
        #expect(tag.send("3A 30 38") == String(flipperBytes: [UInt8](repeating: 0, count: 32) + [1, 2, 3, 4]))
        #expect(tag.contents[0x30 * 4..<0x31 * 4] == [1, 2, 3, 4])
        for command in ["1A 02", "1A", "1B FF FF FF FF", "39 00", "3C 00", "AF" + String(repeating: " 00", count: 32)] {
            #expect(tag.activate().send(command) == "NAK 0")
        }
    }

    @Test func protectionAsksForTheKeyFromTheNextPowerUpOn() throws {
        let tag = try VirtualTagKind.ultralightAES.type2()
        #expect(tag.send("A2 29 00 00 00 10") == "ACK")
        #expect(tag.send("30 10") != "NAK 0")
        #expect(tag.activate().send("30 10") == "NAK 0")
        #expect(tag.activate().send("A2 10 00 00 00 01") == "NAK 0")
        #expect(tag.activate().send("30 0C").hasPrefix("00"))
        #expect(try !tag.activate().authenticate(aesKey: [UInt8](repeating: 1, count: 16)))
        #expect(try tag.activate().authenticate(aesKey: Self.factoryKey, number: 1))
        #expect(tag.send("A2 10 00 00 00 01") == "NAK 0")
        #expect(try tag.activate().authenticate(aesKey: Self.factoryKey))
        #expect(tag.send("A2 10 00 00 00 01") == "ACK")
        #expect(tag.send("A2 2A 00 05 00 00") == "ACK")
        // PROT 0: reading is free.
        #expect(tag.activate().send("30 10").hasPrefix("00 00 00 01"))
        let loaded = try #require(try FlipperFile.parse(tag.flipperText) as? VirtualType2Tag)
        #expect(loaded.activate().send("A2 10 00 00 00 02") == "NAK 0")
    }

    @Test func wrongKeysCloseIt() throws {
        let tag = try VirtualTagKind.ultralightAES.type2()
        #expect(tag.send("A2 2A 80 05 02 00") == "ACK")
        for _ in 0..<2 { #expect(try !tag.activate().authenticate(aesKey: [UInt8](repeating: 1, count: 16))) }
        #expect(tag.activate().send("1A 00") == "NAK 4")
    }

    @Test func locksOfKeysAndConfigurationStay() throws {
        let tag = try VirtualTagKind.ultralightAES.type2()
        #expect(tag.send("A2 2D 60 00 00 00") == "ACK")
        #expect(tag.send("A2 2D 80 00 00 00") == "ACK")
        #expect(tag.send("30 2D").hasPrefix("60 00 00 00"))
        #expect(tag.send("A2 34 01 01 01 01") == "ACK")
        #expect(tag.send("A2 30 01 01 01 01") == "NAK 0")
        #expect(tag.activate().send("A2 2A C0 05 00 00") == "ACK")
        #expect(tag.activate().send("A2 29 00 00 00 04") == "NAK 0")
        #expect(tag.activate().send("A2 28 01 00 00 00") == "ACK")
        for block in ["10", "11"] { #expect(tag.activate().send("A2 \(block) 00 00 00 00") == "NAK 0") }
        #expect(tag.activate().send("A2 12 00 00 00 00") == "ACK")
    }

    @Test func aTagThatWantsCMACsRefusesPlainCommandsOnceItIsAuthenticated() throws {
        let tag = try VirtualTagKind.ultralightAES.type2()
        #expect(tag.send("A2 29 02 00 00 04") == "ACK")
        #expect(try tag.activate().authenticate(aesKey: Self.factoryKey))
        #expect(tag.send("30 04") == "NAK 0")
    }
}
