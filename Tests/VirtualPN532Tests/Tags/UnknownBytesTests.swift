// Tags from files that do not contain all bytes — "NFC Flipper File Formats", `??`, `Pages read` and status flags

import Testing
@testable import VirtualPN532

@Suite struct UnknownBytesTests {
    private static let unknownBlock = Array(repeating: "??", count: 16).joined(separator: " ")

    private static func text(_ kind: VirtualTagKind, _ values: [String: String]) throws -> String {
        try kind.file().flipperText.split(separator: "\n").map { line in
            let key = String(line.prefix { $0 != ":" })
            return values[key].map { "\(key): \($0)" } ?? String(line)
        }.joined(separator: "\n") + "\n"
    }

    private static func line(_ key: String, of text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(key + ":") }.map(String.init)
    }

    @Test func aSectorWithoutKeysStaysUnknownAfterAWriteToAnother() throws {
        let trailer = "?? ?? ?? ?? ?? ?? FF 07 80 69 ?? ?? ?? ?? ?? ??"
        let text = try Self.text(.classic1k, ["Block 9": Self.unknownBlock, "Block 11": trailer])
        let tag = try #require(try FlipperFile.parse(text) as? VirtualClassicTag)
        tag.store([UInt8](repeating: 0x5A, count: 16), at: 4)
        let saved = tag.flipperText
        #expect(Self.line("Block 9", of: saved) == "Block 9: " + Self.unknownBlock)
        #expect(Self.line("Block 11", of: saved) == "Block 11: " + trailer)
        #expect(Self.line("Block 4", of: saved)?.hasPrefix("Block 4: 5A 5A") == true)
        #expect(tag.memory.key(.a, of: 2) == nil && tag.memory.key(.b, of: 2) == nil)
        #expect(try #require(FlipperFile.parse(saved) as? VirtualClassicTag).memory == tag.memory)
        // Writing makes bytes known.
        tag.store([UInt8](repeating: 0xFF, count: 6), at: 11)
        #expect(tag.memory.key(.a, of: 2) == [UInt8](repeating: 0xFF, count: 6))
    }

    @Test(arguments: [
        ["Block 9": UnknownBytesTests.unknownBlock],
        ["Block 11": "FF FF FF FF FF FF ?? ?? ?? ?? FF FF FF FF FF FF"],
        // The access bits at delivery let key A read key B.
        ["Block 11": "FF FF FF FF FF FF FF 07 80 69 ?? ?? ?? ?? ?? ??"],
    ])
    func aBlockThatAKnownKeyOpensMustBeKnown(values: [String: String]) throws {
        let text = try Self.text(.classic1k, values)
        let key = try #require(values.keys.first)
        #expect(throws: FlipperFileError(line: nil, key: key, reason: .unknown)) { try FlipperFile.parse(text) }
    }

    @Test func pagesThatWereNotReadAreNotInvented() throws {
        let text = try Self.text(.ntag213, ["Pages read": "20"])
        #expect(throws: FlipperFileError(line: nil, key: "Page 20", reason: .unknown)) { try FlipperFile.parse(text) }
    }

    @Test func anUnknownPasswordFitsNothing() throws {
        let text = try Self.text(.ntag213, ["Pages read": "43"])
        let tag = try #require(try FlipperFile.parse(text) as? VirtualType2Tag)
        for password in ["00 00 00 00", "FF FF FF FF"] {
            #expect(tag.activate().send("1B " + password) == "NAK 0")
        }
        tag.activate().send("A2 04 01 02 03 04")
        #expect(Self.line("Pages read", of: tag.flipperText) == "Pages read: 43")
        tag.send("A2 2B 01 02 03 04")
        tag.send("A2 2C 05 06 00 00")
        #expect(Self.line("Pages read", of: tag.flipperText) == "Pages read: 45")
        #expect(tag.activate().send("1B 01 02 03 04") == "05 06")
    }

    @Test func anUnknownKeyOfAnUltralightCFitsNothing() throws {
        let text = try Self.text(.ultralightC, ["Pages read": "44"])
        let tag = try #require(try FlipperFile.parse(text) as? VirtualType2Tag)
        #expect(tag.contents.suffix(16).allSatisfy { $0 == 0 })
        let cipher = BlockCipher(algorithm: .tripleDES, key: [UInt8](repeating: 0, count: 16))
        var vector = cipher.zeroVector
        let challenge = Array(bytes(tag.activate().send("1A 00")).dropFirst())
        let rndB = cipher.decryptCBC(challenge, vector: &vector)
        let token = cipher.encryptCBC([UInt8](0..<8) + rndB.dropFirst() + [rndB[0]], vector: &vector)
        #expect(tag.send("AF " + String(flipperBytes: token)) == "NAK 0")
        #expect(Self.line("Pages read", of: tag.flipperText) == "Pages read: 44")
    }

    @Test func anUnreadFeliCaBlockKeepsItsStatusFlags() throws {
        let unread = "01 B1" + String(repeating: " 00", count: 16)
        let text = try Self.text(.feliCaLiteS, ["Block 2": unread, "Blocks read": "27"])
        let tag = try #require(try FlipperFile.parse(text) as? VirtualFeliCaLiteSTag)
        let read = [0x10, 0x06] + tag.idm + bytes("01 0B 00 01 80 02")
        let answer = bytes(tag.send(String(flipperBytes: read)))
        #expect(answer.suffix(2) == [0x01, 0xB1])
        tag.store([UInt8](repeating: 0x5A, count: 16), at: 3)
        let saved = tag.flipperText
        #expect(Self.line("Block 2", of: saved) == "Block 2: " + unread)
        #expect(Self.line("Blocks read", of: saved) == "Blocks read: 27")
    }

    @Test func theConfigurationOfAFeliCaMustBeKnown() throws {
        let text = try Self.text(.feliCaLiteS, ["Block 23": "01 B1" + String(repeating: " 00", count: 16)])
        #expect {
            try FlipperFile.parse(text)
        } throws: { error in
            let error = error as? FlipperFileError
            return error?.key == "Block 23" && error?.reason == .unknown
        }
    }
}
