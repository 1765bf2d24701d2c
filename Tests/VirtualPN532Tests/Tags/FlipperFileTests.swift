// Flipper `.nfc` files, written and read — "NFC Flipper File Formats", version 4

import Testing
@testable import VirtualPN532

@Suite struct FlipperFileTests {
    @Test(arguments: VirtualTagKind.inFiles)
    func everyKindComesBackIdentical(kind: VirtualTagKind) throws {
        let tag = try kind.file(serial: 500)
        let text = tag.flipperText
        let loaded = try FlipperFile.parse(text)
        #expect(loaded.flipperText == text)
        #expect(loaded.generation == 0)
        #expect(loaded.identifier == tag.identifier)
        if let tag = tag as? any TypeATag {
            let loaded = try #require(loaded as? any TypeATag)
            #expect(loaded.sensRes == tag.sensRes)
            #expect(loaded.selRes == tag.selRes)
        }
        switch (tag, loaded) {
        case (let tag as VirtualType2Tag, let loaded as VirtualType2Tag):
            #expect(tag.memory == loaded.memory)
        case (let tag as VirtualType4Tag, let loaded as VirtualType4Tag):
            #expect(tag.configuration == loaded.configuration && tag.ndefFile == loaded.ndefFile)
        case (let tag as VirtualType4BTag, let loaded as VirtualType4BTag):
            #expect(tag.configuration == loaded.configuration && tag.ndefFile == loaded.ndefFile)
            #expect(tag.protocolInfo == loaded.protocolInfo)
        case (let tag as VirtualType3Tag, let loaded as VirtualType3Tag):
            #expect(tag.memory == loaded.memory)
            #expect(tag.pmm == loaded.pmm)
        case (let tag as VirtualFeliCaLiteSTag, let loaded as VirtualFeliCaLiteSTag):
            #expect(tag.memory == loaded.memory)
            #expect(tag.pmm == loaded.pmm)
        case (let tag as VirtualClassicTag, let loaded as VirtualClassicTag):
            #expect(tag.memory == loaded.memory)
        case (let tag as VirtualDESFireTag, let loaded as VirtualDESFireTag):
            #expect(tag.memory == loaded.memory && tag.ats == loaded.ats)
        case (let tag as VirtualNTAG424Tag, let loaded as VirtualNTAG424Tag):
            #expect(tag.memory == loaded.memory)
        default:
            Issue.record("\(kind) came back as another type")
        }
    }

    @Test func type2StateIsKept() throws {
        let tag = try VirtualTagKind.ultralightEV1128.type2()
        for command in ["A2 05 01 02 03 04", "A2 27 AA BB CC DD", "A2 26 03 05 00 00", "A5 01 07 00 00 00"] {
            #expect(tag.send(command) == "ACK")
        }
        tag.activate().send("1B 00 00 00 00")
        let loaded = try #require(try FlipperFile.parse(tag.flipperText) as? VirtualType2Tag)
        #expect(loaded.memory == tag.memory)
        #expect(loaded.memory.failedAuthentications == 1)
        #expect(loaded.activate().send("1B AA BB CC DD") == "00 00")
    }

    /// Content of an NDEF file, and whether Flipper's own keys can express it.
    @Test(arguments: [
        ("00 00", true), ("00 03 D0 00 00", true), ("00 00 D1 01 00", false), ("00 03 D0 00 00 FF", false),
        ("FF FF 01", false),
        ("00 11 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10", true),
    ])
    func ndefFileIsKeptWhateverItsLengthFieldSays(content: String, isPlain: Bool) throws {
        let tag = try VirtualTagKind.type4.type4()
        tag.store(bytes(content))
        let text = tag.flipperText
        let loaded = try #require(try FlipperFile.parse(text) as? VirtualType4Tag)
        #expect(loaded.ndefFile == tag.ndefFile)
        #expect(text.contains("NDEF file: ") == !isPlain)
    }

    /// The example in the format's documentation: an NTAG216 that a Flipper read.
    @Test func fileOfARealFlipperLoads() throws {
        var lines = """
            Filetype: Flipper NFC device
            Version: 4
            # Device type can be ISO14443-3A, ISO14443-4A, NTAG/Ultralight, Mifare Classic, Mifare DESFire
            Device type: NTAG/Ultralight
            # UID is common for all formats
            UID: 04 85 90 54 12 98 23
            # ISO14443-3A specific data
            ATQA: 00 44
            SAK: 00
            # NTAG/Ultralight specific data
            Data format version: 2
            NTAG/Ultralight type: NTAG216
            Signature: 1B 84 EB 70 BD 4C BD 1B 1D E4 98 0B 18 58 BD 7C 72 85 B4 E4 7B 38 8E 96 CF 88 6B EE A3 43 AD 90
            Mifare version: 00 04 04 02 01 00 13 03
            Counter 0: 0
            Tearing 0: 00
            Counter 1: 0
            Tearing 1: 00
            Counter 2: 0
            Tearing 2: 00
            Pages total: 231
            Pages read: 231
            Page 0: 04 85 92 9B
            Page 1: 8A A0 61 81
            Page 2: CA 48 0F 00
            """
        for page in 3..<226 { lines += "\nPage \(page): 00 00 00 00" }
        lines += "\nPage 226: 00 00 7F BD\nPage 227: 04 00 00 E2\nPage 228: 00 05 00 00\nPage 229: 00 00 00 00"
        lines += "\nPage 230: 00 00 00 00\nFailed authentication attempts: 0\n"
        let tag = try #require(try FlipperFile.parse(lines) as? VirtualType2Tag)
        #expect(tag.sensRes == [0x44, 0x00])
        #expect(tag.activate().send("60") == "00 04 04 02 01 00 13 03")
        #expect(tag.send("3C 00").hasPrefix("1B 84 EB 70"))
        // AUTH0 E2 leaves the user memory writable. Lock byte 0 in block 2 has its block-locking bits set.
        #expect(tag.send("A2 E1 01 02 03 04") == "ACK")
        #expect(tag.send("A2 04 01 02 03 04") == "ACK")
        // The same file with the line ends of other systems.
        let again = try FlipperFile.parse(lines.split(separator: "\n").joined(separator: "\r\n"))
        #expect(again.identifier == tag.nfcID1)
    }

    @Test func type4FileOfAFlipperLoadsWithoutOurKeys() throws {
        let tag = try FlipperFile.parse(
            """
            Filetype: Flipper NFC device
            Version: 4
            Device type: Type 4 Tag
            UID: 04 48 6A 32 33 58 80
            ATQA: 03 44
            SAK: 20
            # ISO14443-4A specific data
            T0: 75
            TA(1): 77
            TB(1): 81
            TC(1): 02
            T1...Tk: 80
            # Type 4 Tag specific data
            NDEF Data Size: 18
            NDEF Data: D1 01 0E 55 00 65 78 61 6D 70 6C 65 2E 63 6F 6D
            NDEF Data: 2F 61
            """)
        let type4 = try #require(tag as? VirtualType4Tag)
        #expect(type4.sensRes == [0x44, 0x03])
        #expect(type4.activate().send("E0 80") == "06 75 77 81 02 80")
        #expect(type4.ndefFile.prefix(4) == [0x00, 0x12, 0xD1, 0x01])
        #expect(type4.ndefFile.count == 2048)
    }

    @Test func olderVersionsNameTheChipAsDeviceType() throws {
        for (version, atqa) in [("2", "44 00"), ("3", "00 44")] {
            let text = try VirtualTagKind.ntag213.file().flipperText
                .split(separator: "\n").filter { !$0.hasPrefix("NTAG/Ultralight type") }.joined(separator: "\n")
            let old = replaced(text, ["Version": version, "Device type": "NTAG213", "ATQA": atqa])
            #expect(try #require(FlipperFile.parse(old) as? any TypeATag).sensRes == [0x44, 0x00])
        }
    }

    private func replaced(_ text: String, _ values: [String: String]) -> String {
        text.split(separator: "\n").map { line in
            let key = String(line.prefix { $0 != ":" })
            return values[key].map { "\(key): \($0)" } ?? String(line)
        }.joined(separator: "\n")
    }

    /// A changed value in an NTAG213's file: key, value, reason.
    ///
    /// The error names line and key.
    @Test(arguments: [
        ("Filetype", "Flipper SubGhz", FlipperFileError.Reason.unsupported("Flipper SubGhz"), 1),
        ("Version", "1", .unsupported("1"), 2), ("Version", "x", .notNumber(upTo: .max), 2),
        ("Device type", "ISO14443-3B", .unsupported("ISO14443-3B"), 4),
        ("NTAG/Ultralight type", "NTAG210", .unsupported("NTAG210"), 12),
        ("UID", "04 01 02 03", .notBytes(expected: 7), 6), ("UID", "04 01 02 03 04 05 ZZ", .notBytes(expected: nil), 6),
        ("ATQA", "44", .notBytes(expected: 2), 8), ("SAK", "", .notBytes(expected: 1), 9),
        ("Signature", "00", .notBytes(expected: 32), 13), ("Counter 1", "16777216", .notNumber(upTo: 0xFF_FFFF), 17),
        ("Counter 2", "-1", .notNumber(upTo: 0xFF_FFFF), 19), ("Page 44", "00 00 00", .notBytes(expected: 4), 67),
        ("Page 3", "00 00 0 00", .notBytes(expected: 4), 26), ("Page 3", "+1 +1 +1 +1", .notBytes(expected: 4), 26),
        ("Pages read", "99999999999999999999", .notNumber(upTo: .max), 22),
    ])
    func errorsNameLineAndKey(key: String, value: String, reason: FlipperFileError.Reason, line: Int) throws {
        let text = replaced(try VirtualTagKind.ntag213.file().flipperText, [key: value])
        #expect(throws: FlipperFileError(line: line, key: key, reason: reason)) { try FlipperFile.parse(text) }
    }

    /// A Lite-S as Flipper writes it: blocks with the two status flags of their read.
    ///
    /// B1 needs authentication.
    @Test func flippersFeliCaFileIsLoaded() throws {
        let delivered = try VirtualTagKind.feliCaLiteSNDEF.file().flipperText
        let text = replaced(
            delivered,
            [
                "Manufacture id": "01 2E 00 00 00 00 00 01",
                "Block 1": "00 00" + String(repeating: " A5", count: 16),
                "Block 2": "01 B1" + String(repeating: " FF", count: 16),
            ])
        let tag = try #require(FlipperFile.parse(text) as? VirtualFeliCaLiteSTag)
        #expect(tag.identifier == bytes("01 2E 00 00 00 00 00 01"))
        #expect(tag[1] == [UInt8](repeating: 0xA5, count: 16))
        #expect(tag[2] == [UInt8](repeating: 0x00, count: 16))
        for (key, value) in [
            ("Data format version", "3"), ("Blocks total", "27"), ("Block 3", "00 00 01"),
            ("Manufacture parameter", "00"), ("Manufacture id", "01 2E"),
        ] {
            #expect(throws: FlipperFileError.self) { try FlipperFile.parse(replaced(text, [key: value])) }
        }
    }

    /// The FeliCa Standard file of Flipper's unit tests: "Felica_Standard_with_keys.nfc", format version 2.
    @Test func ofFeliCaStandardTheBlocksOfTheReadServiceCount() throws {
        let text = """
            Filetype: Flipper NFC device
            Version: 4
            Device type: FeliCa
            UID: 01 12 34 56 78 9A BC DE
            Data format version: 2
            Manufacture id: 01 12 34 56 78 9A BC DE
            Manufacture parameter: 0B 0B 08 20 20 20 FF FF
            Service 000: | Code 0009 | Attrib. 09 | Public  | Random | Read/Write | Key version 0003 |
            Block 0000: | Service code 0009 | Block index 00 | Data: 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 |
            Block 0001: | Service code 000B | Block index 00 | Data: A1 A2 A3 A4 A5 A6 A7 A8 A9 AA AB AC AD AE AF B0 |
            """
        let tag = try #require(FlipperFile.parse(text) as? VirtualType3Tag)
        #expect(tag.contents == bytes("A1 A2 A3 A4 A5 A6 A7 A8 A9 AA AB AC AD AE AF B0"))
        #expect(tag.memory.mostRead == 15)
        for (old, new) in [("000B | Block index 00", "000B | Block index 01"), ("AF B0", "AF"), ("000B", "000F")] {
            #expect(throws: FlipperFileError.self) { try FlipperFile.parse(text.replacing(old, with: new)) }
        }
    }

    @Test func aKindWithoutAPlaceInTheFormatIsRefused() {
        let path = "/tmp/nfctool-no-such-file-\(UInt64.random(in: 0...UInt64.max)).nfc"
        for kind in VirtualTagKind.allCases where !VirtualTagKind.inFiles.contains(kind) {
            #expect(throws: VirtualReaderError.noFileFormat(kind)) { try TagFile(path: path, kind: kind) }
        }
        #expect(
            VirtualReaderError.noFileFormat(.ntag213).description
                == "A ntag213 cannot be saved to a file: the .nfc format does not support it.")
    }

    @Test func errorsReadAsSentences() {
        #expect(
            FlipperFileError(line: 26, key: "Page 3", reason: .notBytes(expected: 4)).description
                == "Line 26, \"Page 3\": not 4 bytes in hexadecimal.")
        #expect(
            FlipperFileError(line: nil, key: "UID", reason: .missing).description
                == "\"UID\": the file does not have this key.")
    }

    @Test func claimedSizesAreNotAllocated() throws {
        let text = try VirtualTagKind.type4v3.file().flipperText
        for (key, value) in [("NDEF file size", "4000000000"), ("NDEF Data Size", "1000000"), ("NDEF file size", "3")] {
            #expect(throws: FlipperFileError.self) { try FlipperFile.parse(replaced(text, [key: value])) }
        }
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4, .classic1k, .desfire])
    func everyTruncationIsAnErrorOrATag(kind: VirtualTagKind) throws {
        let text = try kind.file().flipperText
        var loaded = 0
        for length in 0..<text.utf8.count {
            let part = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            if (try? FlipperFile.parse(part)) != nil { loaded += 1 }
        }
        // Only the part after the last necessary key can be missing.
        #expect(loaded < 250)
    }
}
