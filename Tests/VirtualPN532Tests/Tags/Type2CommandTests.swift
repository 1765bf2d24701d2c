// Valid and invalid commands of Type 2 Tags — NXP data sheets NTAG213_215_216, NTAG203, NT3H1101_1201, MF0ICU1,
// MF0ICU2, MF0ULX1

import Testing
@testable import VirtualPN532

@Suite struct Type2CommandTests {
    /// "Memory content at delivery" in each data sheet: block 2 (lock bytes), and blocks 3 to 6 (CC, user memory).
    @Test(arguments: [
        (VirtualTagKind.ntag213, "E1 10 12 00 01 03 A0 0C 34 03 00 FE 00 00 00 00"),
        (.ntag215, "E1 10 3E 00 03 00 FE 00 00 00 00 00 00 00 00 00"),
        (.ntag216, "E1 10 6D 00 03 00 FE 00 00 00 00 00 00 00 00 00"),
        (.ultralight, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        (.ultralightEV1, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        (.ultralightEV1128, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        (.ultralightC, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        (.ntag203, "E1 10 12 00 01 03 A0 10 44 03 00 FE 00 00 00 00"),
        (.ntagI2C1K, "E1 10 6D 00 03 00 FE 00 00 00 00 00 00 00 00 00"),
        (.ntagI2C2K, "E1 10 EA 00 03 00 FE 00 00 00 00 00 00 00 00 00"),
    ])
    func memoryIsAsDelivered(kind: VirtualTagKind, blocks3To6: String) throws {
        #expect(try kind.type2().send("30 03") == blocks3To6)
    }

    @Test(arguments: [
        VirtualTagKind.ntag203, .ntag213, .ntag215, .ntag216, .ultralight, .ultralightC, .ultralightEV1,
        .ultralightEV1128,
    ])
    func firstBlocksHoldUIDAndCheckBytes(kind: VirtualTagKind) throws {
        let tag = try kind.type2()
        let (uid, memory) = (tag.nfcID1, tag.contents)
        #expect(uid.count == 7 && uid[0] == 0x04 && uid[3] != 0x88)
        #expect(Array(memory[0..<3] + memory[4..<8]) == uid)
        // BCC0 = CT ^ SN0 ^ SN1 ^ SN2, BCC1 = SN3 ^ SN4 ^ SN5 ^ SN6
        #expect(memory[3] == 0x88 ^ uid[0] ^ uid[1] ^ uid[2])
        #expect(memory[8] == uid[3] ^ uid[4] ^ uid[5] ^ uid[6])
        #expect(memory[9...11] == [0x48, 0x00, 0x00])
    }

    @Test(arguments: [
        (VirtualTagKind.ntag213, "00 04 04 02 01 00 0F 03", 0x2C),
        (.ntag215, "00 04 04 02 01 00 11 03", 0x86),
        (.ntag216, "00 04 04 02 01 00 13 03", 0xE6),
        (.ultralightEV1, "00 04 03 01 01 00 0B 03", 0x13),
        (.ultralightEV1128, "00 04 03 01 01 00 0E 03", 0x28),
    ])
    func versionAndLastBlock(kind: VirtualTagKind, version: String, last: Int) throws {
        let tag = try kind.type2()
        #expect(tag.send("60") == version)
        let hex = String(flipperBytes: [UInt8(last)])
        // PWD and PACK read as zero, and the READ continues at block 0.
        let blocks0To2 = String(flipperBytes: tag.contents.prefix(12))
        #expect(tag.send("30 \(hex)") == "00 00 00 00 " + blocks0To2)
        #expect(tag.send("3A \(String(flipperBytes: [UInt8(last - 1)])) \(hex)") == "00 00 00 00 00 00 00 00")
        #expect(tag.send("30 \(String(flipperBytes: [UInt8(last + 1)]))") == "NAK 0")
        #expect(tag.activate().send("3A 00 \(String(flipperBytes: [UInt8(last + 1)]))") == "NAK 0")
        #expect(tag.activate().send("A2 \(String(flipperBytes: [UInt8(last + 1)])) 00 00 00 00") == "NAK 0")
        #expect(tag.activate().send("A0 \(String(flipperBytes: [UInt8(last + 1)]))") == "NAK 0")
    }

    @Test(arguments: [
        (VirtualTagKind.ntag213, "00 00 00 BD 04 00 00 FF 00 05 00 00", "28 2A"),
        (.ntag215, "00 00 00 BD 04 00 00 FF 00 05 00 00", "82 84"),
        (.ntag216, "00 00 00 BD 04 00 00 FF 00 05 00 00", "E2 E4"),
        (.ultralightEV1128, "00 00 00 BD 00 00 00 FF 00 05 00 00", "24 26"),
    ])
    func lockAndConfigurationBlocksAsDelivered(kind: VirtualTagKind, content: String, range: String) throws {
        #expect(try kind.type2().send("3A \(range)") == content)
    }

    @Test func ultralightRollsOverAfterBlock15() throws {
        let tag = try VirtualTagKind.ultralight.type2()
        tag.send("A2 0F 01 02 03 04")
        #expect(tag.send("30 0F") == "01 02 03 04 " + String(flipperBytes: tag.contents.prefix(12)))
        #expect(tag.send("30 10") == "NAK 0")
    }

    /// By its silence, hosts distinguish it from an NTAG203, which answers NAK.
    @Test func ultralightIsSilentToGetVersionAndMuteUntilSelected() throws {
        let tag = try VirtualTagKind.ultralight.type2()
        #expect(tag.receive([0x60]).answer == .silence)
        #expect(tag.receive([0x30, 0x00]).answer == .silence)
        #expect(tag.poll(wakeUp: false))
    }

    @Test(arguments: ["3A 00 03", "1B FF FF FF FF", "3C 00", "39 00", "A5 00 01 00 00 00", "3E 00", "1A 00"])
    func ultralightKnowsOnlyItsFourCommands(command: String) throws {
        #expect(try VirtualTagKind.ultralight.type2().send(command) == "NAK 0")
    }

    @Test(arguments: [
        "", "30", "30 04 00", "A2 04", "A2 04 01 02 03", "A2 04 01 02 03 04 05", "A0", "3A 04", "3A 05 04", "3C",
        "3C 01",
        "1B", "1B FF FF FF", "39", "50", "50 01", "60 00", "E0 80", "FF", "A5 00 01 00 00 00", "3E 00",
    ])
    func malformedOrUnknownCommandLeavesTheTagMuteUntilSelected(command: String) throws {
        let tag = try VirtualTagKind.ntag215.type2()
        let before = tag.contents
        #expect(tag.send(command) == "NAK 0")
        #expect(tag.send("30 00") == "-")
        #expect(tag.contents == before)
        #expect(tag.poll(wakeUp: false))
        tag.select()
        #expect(tag.send("30 03").hasPrefix("E1"))
    }

    @Test func writeChangesOneBlockAndTakesItsProgrammingTime() throws {
        let tag = try VirtualTagKind.ntag213.type2()
        let reply = tag.receive(bytes("A2 04 DE AD BE EF"))
        #expect(reply == TagReply(.nibble(0xA), delay: .microseconds(4100)))
        #expect(tag.send("3A 04 05") == "DE AD BE EF 34 03 00 FE")
        #expect(tag.generation == 1)
        tag.send("A2 04 DE AD BE EF")
        #expect(tag.generation == 1)
    }

    @Test(arguments: ["A2 00 00 00 00 00", "A2 01 00 00 00 00", "A0 00", "A0 01"])
    func uidBlocksAreNotWritable(command: String) throws {
        #expect(try VirtualTagKind.ntag213.type2().send(command) == "NAK 0")
    }

    @Test func compatibilityWriteStoresTheFirstFourOf16Bytes() throws {
        let tag = try VirtualTagKind.ultralight.type2()
        #expect(tag.send("A0 07") == "ACK")
        #expect(tag.send("01 02 03 04 FF FF FF FF FF FF FF FF FF FF FF FF") == "ACK")
        #expect(tag.send("30 06") == "00 00 00 00 01 02 03 04 00 00 00 00 00 00 00 00")
        #expect(tag.send("A0 08") == "ACK")
        #expect(tag.send("01 02 03 04") == "NAK 0")
        #expect(tag.activate().send("30 08").hasPrefix("00 00 00 00"))
    }

    @Test func capabilityContainerBitsCanOnlyBeSet() throws {
        let tag = try VirtualTagKind.ntag213.type2()
        #expect(tag.send("A2 03 00 00 00 0F") == "ACK")
        #expect(tag.send("30 03").hasPrefix("E1 10 12 0F"))
        #expect(tag.send("A2 03 02 01 00 00") == "ACK")
        #expect(tag.send("30 03").hasPrefix("E3 11 12 0F"))
    }

    @Test func haltedTagAnswersWUPAOnly() throws {
        let tag = try VirtualTagKind.ntag213.type2()
        #expect(tag.send("50 00") == "-")
        #expect(tag.send("30 00") == "-")
        #expect(!tag.poll(wakeUp: false))
        #expect(tag.poll(wakeUp: true))
        tag.select()
        // A tag that was woken from HALT goes back to HALT after an error.
        #expect(tag.send("30 FF") == "NAK 0")
        #expect(!tag.poll(wakeUp: false))
        tag.fieldOff()
        #expect(tag.poll(wakeUp: false))
    }

    /// The signature is the text "nfctool: no NXP key signed this.", because the simulation has no NXP key.
    @Test(arguments: [VirtualTagKind.ntag213, .ntag215, .ntag216, .ultralightEV1, .ultralightEV1128])
    func signatureIsNotNXPs(kind: VirtualTagKind) throws {
        let signature = String(flipperBytes: Array("nfctool: no NXP key signed this.".utf8))
        #expect(try kind.type2().send("3C 00") == signature)
    }

    @Test(arguments: [VirtualTagKind.ntag203, .ultralight, .ultralightC, .ntagI2C1K, .ntagI2C2K])
    func chipsWithoutPasswordHaveNeitherSignatureNorCounters(kind: VirtualTagKind) throws {
        for command in ["3C 00", "39 02", "1B FF FF FF FF", "A5 00 01 00 00 00", "3E 00"] {
            #expect(try kind.type2().send(command) == "NAK 0")
        }
    }

    @Test func asciiMirrorShowsUIDAndCounterOverUserMemory() throws {
        let tag = try VirtualTagKind.ntag213.type2()
        // MIRROR_CONF 11, MIRROR_BYTE 1, MIRROR_PAGE 0C; NFC_CNT_EN.
        tag.send("A2 29 D4 00 0C FF")
        tag.send("A2 2A 10 05 00 00")
        tag.activate()
        let text = String(flipperBytes: Array("04105".utf8))
        #expect(tag.send("3A 0C 12").hasPrefix("00 " + text))
        let uid = tag.nfcID1.map { String(flipperBytes: [$0]) }.joined()
        let shown = bytes(tag.send("3A 0C 12"))
        #expect(String(decoding: shown[1..<22], as: UTF8.self) == uid + "x000001")
        #expect(tag.contents[48..<76].allSatisfy { $0 == 0 })
        #expect(tag.counters[2] == 1)
    }

    /// MIRROR_CONF and MIRROR_BYTE, MIRROR_PAGE and ACCESS, followed by the position of the mirrored text, and which
    /// text it is.
    @Test(arguments: [
        ("40 00 04", "00", 16, "UID"), ("70 00 0C", "00", 51, "UID"), ("80 00 04", "10", 16, "000001"),
        ("C0 00 04", "10", 16, "UIDx000001"),
        // Without NFC_CNT_EN, there is no counter to show.
        ("C0 00 04", "00", 16, "UID"), ("80 00 04", "00", 16, ""),
        // A counter that the password protects is shown after PWD_AUTH.
        ("C0 00 04", "18", 16, "UID"),
        // Pages below 4 disable the mirror. A text must not go beyond the user memory.
        ("40 00 03", "00", 12, ""), ("70 00 24", "00", 147, ""), ("90 00 26", "10", 153, "000001"),
        ("B0 00 26", "10", 155, ""),
    ])
    func mirrorIsWhereItsConfigurationSays(cfg0: String, access: String, offset: Int, shown: String) throws {
        let tag = try VirtualTagKind.ntag213.type2()
        tag.send("A2 29 \(cfg0) FF")
        tag.send("A2 2A \(access) 05 00 00")
        tag.activate()
        let uid = tag.nfcID1.map { String(flipperBytes: [$0]) }.joined()
        let text = Array(shown.replacing("UID", with: uid).utf8)
        var expected = Array(tag.contents.prefix(160))
        expected.replaceSubrange(offset..<offset + text.count, with: text)
        #expect(tag.send("3A 00 27") == String(flipperBytes: expected))
        // The memory itself does not change, and READ shows the same text.
        #expect(tag.send("30 04") == String(flipperBytes: expected[16..<32]))
        #expect(tag.contents[12..<16] == [0xE1, 0x10, 0x12, 0x00])
    }

    @Test func protectedCounterIsMirroredAfterThePassword() throws {
        let tag = try VirtualTagKind.ntag213.type2()
        tag.send("A2 29 C0 00 04 FF")
        tag.send("A2 2A 18 05 00 00")
        tag.activate().send("1B FF FF FF FF")
        #expect(String(decoding: bytes(tag.send("3A 04 09"))[14..<21], as: UTF8.self) == "x000001")
    }
}
