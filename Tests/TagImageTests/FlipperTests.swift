// Flipper's .nfc files, versions 2…4
import Chips
import TagImage
import Testing

@Suite struct FlipperTests {
    @Test func everyFieldOfAnUltralightIsRead() throws {
        let image = try image(Fixture.flipperUltralight11, .nfc)
        #expect(image.kind == .type2(.ultralight11))
        #expect(image.identifier == bytes("04A1B2C3D4E580"))
        #expect(image.atqa == [0x00, 0x44] && image.sak == 0x00)
        #expect(image.version == bytes("0004030101000B03"))
        #expect(image.signature == Array(1...32))
        #expect(
            image.counters == [
                0: .init(value: 7, tearing: 0xBD), 1: .init(value: 0, tearing: 0xBD), 2: .init(value: 0xFFFFFF),
            ])
        #expect(image.failedAuthentications == 3)
        #expect(image.blocks.count == 20)
        #expect(image[block: 3] == bytes("E1100600"))
        #expect(image[block: 18] == nil && image[block: 17] == bytes("00050000"))
    }

    @Test(arguments: [Fixture.flipperUltralight11, Fixture.flipperClassic, Fixture.flipperFeliCa])
    func whatWasReadIsWrittenByteForByte(file: String) throws {
        #expect(try text(image(file, .nfc), .nfc) == file)
    }

    /// Version 2 has the low byte of ATQA first, and version 3 the high byte.
    @Test(arguments: [(2, "44 00"), (3, "00 44"), (4, "00 44")])
    func oldVersionsNameTheChipAsTheDeviceTypeAndVersion2TurnsATQARound(version: Int, atqa: String) throws {
        let image = try image(Fixture.flipperNTAG213(version: version, atqa: atqa), .nfc)
        #expect(image.kind == .type2(.ntag213))
        #expect(image.atqa == [0x00, 0x44])
        #expect(image.blocks.count == 45 && image.blocks.allSatisfy { $0.bytes != nil })
        #expect(image.signature.isEmpty && image.counters.isEmpty)
        let rewritten = try text(image, .nfc)
        #expect(rewritten.hasPrefix("Filetype: Flipper NFC device\nVersion: 4\nDevice type: NTAG/Ultralight\n"))
        #expect(try TagImage(Array(rewritten.utf8), format: .nfc) == image)
    }

    @Test func linesMayEndWithCarriageReturnAndCommentsAreSkipped() throws {
        let file = "# made by hand\n\n" + Fixture.flipperUltralight11
        #expect(
            try image(file.replacing("\n", with: "\r\n"), .nfc) == image(Fixture.flipperUltralight11, .nfc))
    }

    @Test func anNTAG210IsToldFromAnUltralightByItsVersion() throws {
        let file = Fixture.flipperUltralight11.replacing("00 04 03 01 01 00 0B 03", with: "00 04 04 01 01 00 0B 03")
        let image = try image(file, .nfc)
        #expect(image.kind == .type2(.ntag210))
        #expect(try text(image, .nfc) == file)
    }

    @Test func unknownKeysAndBlocksOfAClassicStayUnknown() throws {
        let image = try image(Fixture.flipperClassic, .nfc)
        #expect(image.kind == .classic1K && image.sak == 0x08 && image.atqa == [0x00, 0x04])
        #expect(image[block: 4] == nil && image[block: 7] == nil)
        #expect(image.keys[1] == .init(a: bytes("A0A1A2A3A4A5"), b: nil))
        #expect(image[block: 11] == bytes("FFFFFFFFFFFF FF078069 000000000000"))
        #expect(image.keys[2] == .init(a: bytes("FFFFFFFFFFFF"), b: nil))
        #expect(image.keys.count == 16)
    }

    @Test func keyMapsOfDataFormat1SayWhatIsKnown() throws {
        let image = try image(Fixture.flipperClassicKeyMaps, .nfc)
        #expect(image.keys[0] == .init(a: bytes("FFFFFFFFFFFF"), b: bytes("FFFFFFFFFFFF")))
        #expect(image.keys[1]?.b == nil && image.keys[1]?.a == bytes("A0A1A2A3A4A5"))
        #expect(image.keys[2] == .init(a: nil, b: nil))
        #expect(image[block: 4] == [UInt8](repeating: 0, count: 16))
        #expect(image[block: 8] == nil && image[block: 63] == nil)
    }

    /// REG is block 0E, RC 80, D_ID 83, CK 87, CRC_CHECK A0.
    @Test func feliCaBlocksHaveTheNumbersOfTheTag() throws {
        let image = try image(Fixture.flipperFeliCa, .nfc)
        #expect(image.kind == .feliCaLite && image.parameter == bytes("00F1000000014300"))
        #expect(image.blocks.map(\.number).suffix(5) == [0x88, 0x90, 0x91, 0x92, 0xA0])
        #expect(image[block: 0x83]?.prefix(8) == image.identifier[...])
        #expect(image[block: 0x87] == nil && image.blocks.count { $0.bytes == nil } == 1)
        #expect(image[block: 0xA0]?.first == 0xAA)
    }

    /// The replacements in the Ultralight file, and the resulting errors.
    @Test(arguments: [
        (
            "Flipper NFC device", "Flipper RFID key",
            "It is not a dump in a known format: a Flipper file begins with \"Filetype: Flipper NFC device\"."
        ),
        ("Version: 4\n", "Version: 5\n", "The value of Version is 5, which is not supported."),
        ("Version: 4\n", "", "The value of Version is missing, which is not supported."),
        ("type: NTAG/Ultralight", "type: ST25TB", "Line 3, Device type, is ST25TB, which is not supported."),
        ("Mifare Ultralight 11", "NTAG 999", "Line 8, NTAG/Ultralight type, is NTAG 999, which is not supported."),
        (
            "Pages total: 20", "Pages total: 21",
            "Line 17, Pages total, is 21; expected 20, the number of \"Page …\" lines."
        ),
        ("Pages total: 20", "Pages total: 4000000000", "Line 17, Pages total, is 4000000000; expected 1…512."),
        ("Pages read: 18", "Pages read: 21", "Line 18, Pages read, is 21; expected 0…20."),
        ("Page 3: E1 10 06 00", "Page 3: E1 10 06", "Line 22, Page 3, is E1 10 06; expected 4 bytes in hexadecimal."),
        (
            "Page 3: E1 10 06 00", "Page 3: E1 10 06 0",
            "Line 22, Page 3, is E1 10 06 0; expected 4 bytes in hexadecimal."
        ),
        ("Page 3:", "Page 2:", "Line 22, Page 2, is a duplicate; expected one such line."),
        ("Page 3: E1", "Page 3 E1", "Line 22, the colon, is missing; expected \"key: value\"."),
        (
            "UID: 04 A1", "UID: 05 A1",
            "The value of UID is 05 A1 B2 C3 D4 E5 80; expected 04 A1 B2 C3 D4 E5 80, as in the memory."
        ),
        ("UID: 04 A1", "UID: A1", "Line 4, UID, is A1 B2 C3 D4 E5 80; expected 4 or 7 or 10 bytes in hexadecimal."),
        ("SAK: 00\n", "", "The value of SAK is missing; expected a line with this key."),
        (
            "04 03 01 01 00 0B", "04 04 02 01 00 0F",
            "The value of Pages total is 20; expected 45, because the Mifare version identifies NTAG213."
        ),
        (
            "Ultralight 11", "Ultralight 21",
            "The value of Mifare version is that of MIFARE Ultralight EV1 (MF0UL11); expected that of MIFARE Ultralight EV1 (MF0UL21)."
        ),
        ("Counter 2: 16777215", "Counter 2: 16777216", "Line 15, Counter 2, is 16777216; expected 0…16777215."),
        ("attempts: 3", "attempts: -1", "Line 39, Failed authentication attempts, is -1; expected 0…2147483647."),
    ])
    func aBrokenFileIsRefusedWithTheLine(old: String, new: String, message: String) {
        #expect(refusal(Array(Fixture.flipperUltralight11.replacing(old, with: new).utf8), .nfc) == message)
    }

    @Test(arguments: [
        ("Block 63", "Block 64", "The value of Block 63 is missing; expected a line with this key."),
        (
            "\nBlock 63: FF", "\n# Block 63: FF",
            "Line 7, Mifare Classic type, is 64; expected 63, the number of \"Block …\" lines."
        ),
        ("type: 1K", "type: 8K", "Line 7, Mifare Classic type, is 8K, which is not supported."),
        (
            "type: 1K", "type: 2K",
            "Line 7, Mifare Classic type, is 128; expected 64, the number of \"Block …\" lines."
        ),
        ("22 08 04 00", "22 08 ?? 00", "Line 9, Block 0, is only partly known; expected all of its bytes, or only ??."),
        (
            "22 08 04 00", "22 08 0400",
            "Line 9, Block 0, is DE AD BE EF 22 08 0400 62 63 64 65 66 67 68 69; expected 16 bytes in hexadecimal, or ??."
        ),
    ])
    func aBrokenClassicIsRefusedWithTheLine(old: String, new: String, message: String) {
        #expect(refusal(Array(Fixture.flipperClassic.replacing(old, with: new).utf8), .nfc) == message)
    }

    @Test(arguments: [
        (
            "Blocks read: 27", "Blocks read: 28",
            "The value of Blocks read is 28; expected 27, the number of blocks with status 00 00."
        ),
        (
            "Blocks total: 28", "Blocks total: 27",
            "Line 8, Blocks total, is 27; expected 28, the number of \"Block …\" lines."
        ),
        (
            "Manufacture id: 01", "Manufacture id: 02",
            "The value of Manufacture id is 02 2E 3D 4C 5B 6A 79 88; expected the UID 01 2E 3D 4C 5B 6A 79 88."
        ),
    ])
    func aBrokenFeliCaIsRefused(old: String, new: String, message: String) {
        #expect(refusal(Array(Fixture.flipperFeliCa.replacing(old, with: new).utf8), .nfc) == message)
    }

    @Test func aType4TagWithALongMessageIsRefusedForItsDeviceType() {
        let file = """
            Filetype: Flipper NFC device
            Version: 4
            Device type: Type 4 Tag
            UID: 04 6F D6 A0 BE FE 3E
            NDEF Data Size: 18
            NDEF Data: D1 01 0E 55 00 65 78 61 6D 70 6C 65 2E 63 6F 6D
            NDEF Data: 2F 61
            """
        #expect(
            refusal(Array(file.utf8), .nfc) == "Line 3, Device type, is Type 4 Tag, which is not supported.")
    }

    @Test func whatTheFormatHasNoRoomForIsNotWritten() throws {
        var hole = try image(Fixture.flipperUltralight11, .nfc)
        hole.blocks[5].bytes = nil
        #expect(
            throws: TagImageError.notExpressible(
                .nfc, reason: "block 5 could not be read, but block 6 could; only JSON can hold this")
        ) {
            try hole.bytes(.nfc)
        }
        #expect(
            throws: TagImageError.notExpressible(.nfc, reason: "the format cannot hold the memory of a Type 4 Tag")
        ) {
            try image(Fixture.ownType4, .json).bytes(.nfc)
        }
    }

    /// Files of virtual tags have a separate type for a Classic 2K.
    @Test func aClassic2KIsReadFromTheFileOfAVirtualTagAndNotWrittenForFlipper() throws {
        var memory = [UInt8](repeating: 0, count: 2048)
        memory.replaceSubrange(0..<8, with: bytes("DEADBEEF22190400"))
        let image = try TagImage(memory, format: .bin)
        #expect(
            throws: TagImageError.notExpressible(
                .nfc, reason: "Flipper supports MIFARE Mini, Classic 1K and 4K, but not MIFARE Classic 2K")
        ) {
            try image.bytes(.nfc)
        }
        let written = try image.virtualTagText()
        #expect(written.contains("SAK: 19\nMifare Classic type: 2K\n"))
        let again = try TagImage(Array(written.utf8), format: .nfc)
        #expect(again.kind == .classic2K && again.blocks == image.blocks && again.keys == image.keys)
    }
}
