// MIFARE Ultralight C: 3DES authentication, protection, counter — NXP data sheet MF0ICU2

import Testing
@testable import VirtualPN532

@Suite struct UltralightCTests {
    static let factoryKey = "49 45 4D 4B 41 45 52 42 21 4E 41 43 55 4F 59 46"
    /// Blocks 2C to 2F with that key.
    static let factoryKeyBlocks = "42 52 45 41 4B 4D 45 49 46 59 4F 55 43 41 4E 21"

    /// The data sheet's "3DES authentication example".
    @Test func authenticationExampleOfTheDataSheet() {
        let authentication = UltralightCAuthentication(
            keyBlocks: bytes(Self.factoryKeyBlocks), rndB: bytes("51 E7 64 60 26 78 DF 2B"))
        #expect(authentication.challenge == bytes("57 72 93 FD 2F 34 CA 51"))
        let token = bytes("0A 63 85 59 FC 77 37 F9 F1 5D 78 62 EB BE 96 7A")
        #expect(authentication.answer(to: token) == bytes("3B 88 4F A0 7C 13 7C E1"))
        for index in token.indices {
            var wrong = token
            wrong[index] ^= 0x01
            #expect(authentication.answer(to: Array(token.prefix(index))) == nil)
            // The first eight bytes contain the host's own RndA, and the rest is chained to them.
            #expect(authentication.answer(to: wrong) != bytes("3B 88 4F A0 7C 13 7C E1"))
        }
    }

    /// Authenticates as the host, and returns true if the tag has proved that it has the same key.
    private func authenticate(_ tag: VirtualType2Tag, key: String) throws -> Bool {
        let cipher = BlockCipher(algorithm: .tripleDES, key: bytes(key))
        var vector = cipher.zeroVector
        let first = bytes(tag.send("1A 00"))
        try #require(first.count == 9 && first[0] == 0xAF)
        let challenge = Array(first.dropFirst())
        let rndB = cipher.decryptCBC(challenge, vector: &vector)
        let rndA = bytes("A8 AF 3B 25 6C 75 ED 40")
        let token = cipher.encryptCBC(rndA + rndB.dropFirst() + [rndB[0]], vector: &vector)
        let second = tag.send("AF " + String(flipperBytes: token))
        guard second != "NAK 0" else { return false }
        try #require(second.hasPrefix("00 "))
        let proof = cipher.decryptCBC(Array(bytes(second).dropFirst()), vector: &vector)
        return proof == Array(rndA.dropFirst()) + [rndA[0]]
    }

    @Test func factoryKeyAuthenticatesAndEachChallengeIsAnother() throws {
        let tag = try VirtualTagKind.ultralightC.type2()
        #expect(tag.send("1A 00") != tag.activate().send("1A 00"))
        #expect(try authenticate(tag.activate(), key: Self.factoryKey))
        #expect(tag.isAuthenticated)
        tag.send("50 00")
        #expect(!tag.isAuthenticated)
    }

    @Test func wrongKeyIsNAKAndEndsTheSelection() throws {
        let tag = try VirtualTagKind.ultralightC.type2()
        #expect(try !authenticate(tag, key: "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F"))
        #expect(tag.send("30 00") == "-")
        #expect(!tag.isAuthenticated)
    }

    @Test(arguments: ["", "30 00", "AF", "AF 00", "00" + String(repeating: " 00", count: 16)])
    func anythingElseThanPart2EndsTheSelection(second: String) throws {
        let tag = try VirtualTagKind.ultralightC.type2()
        tag.send("1A 00")
        #expect(tag.send(second) == "NAK 0")
        #expect(tag.send("30 00") == "-")
    }

    @Test(arguments: ["1A", "1A 01", "1A 00 00", "AF" + String(repeating: " 00", count: 16), "60", "3A 00 03"])
    func unknownCommandsAreNAK(command: String) throws {
        #expect(try VirtualTagKind.ultralightC.type2().send(command) == "NAK 0")
    }

    @Test func lastBlocksAreAsDelivered() throws {
        let tag = try VirtualTagKind.ultralightC.type2()
        #expect(tag.send("30 28") == "00 00 00 00 00 00 00 00 30 00 00 00 00 00 00 00")
        #expect(Array(tag.contents.suffix(16)) == bytes(Self.factoryKeyBlocks))
    }

    /// The data sheet's example: READ of 29 returns 29, 2A, 2B and 00.
    @Test func keyIsNeverReadAndReadRollsOverBeforeIt() throws {
        let tag = try VirtualTagKind.ultralightC.type2()
        let block0 = String(flipperBytes: tag.contents.prefix(4))
        #expect(tag.send("30 29") == "00 00 00 00 30 00 00 00 00 00 00 00 " + block0)
        for block in ["2C", "2F", "30"] {
            #expect(try authenticate(tag.activate(), key: Self.factoryKey))
            #expect(tag.send("30 \(block)") == "NAK 0")
        }
    }

    /// The data sheet's example of "programming of 3DES key to memory".
    @Test func newKeyCountsFromTheNextActivationOn() throws {
        let tag = try VirtualTagKind.ultralightC.type2()
        for command in ["A2 2C 07 06 05 04", "A2 2D 03 02 01 00", "A2 2E 0F 0E 0D 0C", "A2 2F 0B 0A 09 08"] {
            #expect(tag.send(command) == "ACK")
        }
        let key = "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F"
        #expect(try authenticate(tag, key: Self.factoryKey))
        #expect(try authenticate(tag.activate(), key: key))
        #expect(try !authenticate(tag.activate(), key: Self.factoryKey))
    }

    private func protected(auth0: String, auth1: String) throws -> VirtualType2Tag {
        let tag = try VirtualTagKind.ultralightC.type2()
        #expect(tag.send("A2 2A \(auth0) 00 00 00") == "ACK")
        #expect(tag.send("A2 2B \(auth1) 00 00 00") == "ACK")
        return tag.activate()
    }

    @Test func auth1OfOneGuardsWritingAlone() throws {
        let tag = try protected(auth0: "10", auth1: "01")
        #expect(tag.send("30 10").hasPrefix("00"))
        #expect(tag.send("A2 0F 00 00 00 01") == "ACK")
        for block in ["10", "28", "2A", "2B", "2C"] {
            #expect(tag.activate().send("A2 \(block) 30 00 00 00") == "NAK 0")
        }
        #expect(try authenticate(tag.activate(), key: Self.factoryKey))
        #expect(tag.send("A2 10 00 00 00 01") == "ACK")
        #expect(tag.send("A2 2A 30 00 00 00") == "ACK")
        #expect(tag.activate().send("A2 10 00 00 00 02") == "ACK")
    }

    @Test func auth1OfZeroGuardsReadingTooAndReadRollsOverAtAUTH0() throws {
        let tag = try protected(auth0: "10", auth1: "00")
        let blocks0And1 = String(flipperBytes: tag.contents.prefix(8))
        #expect(tag.send("30 0E") == "00 00 00 00 00 00 00 00 " + blocks0And1)
        #expect(tag.send("30 10") == "NAK 0")
        #expect(try authenticate(tag.activate(), key: Self.factoryKey))
        #expect(tag.send("30 10").hasPrefix("00"))
        #expect(tag.send("30 2A").hasPrefix("10 00 00 00"))
    }

    @Test func auth0Below3ProtectsFrom3On() throws {
        let tag = try protected(auth0: "00", auth1: "00")
        #expect(tag.send("30 02").count == 47)
        #expect(tag.send("30 03") == "NAK 0")
        #expect(tag.activate().send("A2 02 00 00 00 00") == "ACK")
    }

    // MARK: Counter

    /// Writes to block 29, and the counter that READ shows after the field has been off.
    static let counting: [(writes: [String], value: String, kinds: [VirtualTagKind])] = [
        (["34 12 FF FF"], "34 12", [.ultralightC, .ntag203]),
        (["34 12 00 00", "0F 00 00 00", "00 00 00 00", "01 00 00 00"], "44 12", [.ultralightC, .ntag203]),
        (["00 00 00 00", "FE FF 00 00", "01 00 00 00"], "FF FF", [.ultralightC, .ntag203]),
        // Only the low nibble counts.
        (["01 00 00 00", "F3 FF FF FF"], "04 00", [.ultralightC]),
    ]

    @Test(arguments: counting)
    func oneWayCounterCounts(writes: [String], value: String, kinds: [VirtualTagKind]) throws {
        for kind in kinds {
            let tag = try kind.type2()
            for data in writes {
                let before = tag.activate().send("30 29").prefix(5)
                #expect(tag.send("A2 29 \(data)") == "ACK")
                #expect(tag.send("30 29").prefix(5) == before)
            }
            #expect(tag.activate().send("30 29").hasPrefix("\(value) 00 00"))
        }
    }

    /// The counter's value, and the writes that are refused with this value.
    static let refused: [(start: String, write: String, kinds: [VirtualTagKind])] = [
        ("FF FF 00 00", "01 00 00 00", [.ultralightC, .ntag203]),
        ("F1 FF 00 00", "0F 00 00 00", [.ultralightC, .ntag203]),
        ("01 00 00 00", "10 00 00 00", [.ntag203]), ("01 00 00 00", "01 01 00 00", [.ntag203]),
    ]

    @Test(arguments: refused)
    func oneWayCounterRefusesToPassItsEnd(start: String, write: String, kinds: [VirtualTagKind]) throws {
        for kind in kinds {
            let tag = try kind.type2()
            tag.send("A2 29 \(start)")
            #expect(tag.activate().send("A2 29 \(write)") == "NAK 0")
            #expect(tag.activate().send("30 29").hasPrefix(start))
        }
    }

    // MARK: Files

    @Test func keyAndCounterAreKeptInTheFile() throws {
        let tag = try protected(auth0: "04", auth1: "01")
        #expect(try authenticate(tag, key: Self.factoryKey))
        #expect(tag.send("A2 29 05 00 00 00") == "ACK")
        #expect(tag.flipperText.contains("NTAG/Ultralight type: Mifare Ultralight C\n"))
        #expect(tag.flipperText.contains("Pages total: 48\n"))
        #expect(tag.flipperText.contains("Page 44: 42 52 45 41\n"))
        let loaded = try #require(try FlipperFile.parse(tag.flipperText) as? VirtualType2Tag)
        #expect(try authenticate(loaded.activate(), key: Self.factoryKey))
        #expect(loaded.activate().send("30 29").hasPrefix("05 00 00 00 04 00 00 00 01"))
        #expect(loaded.send("A2 04 00 00 00 00") == "NAK 0")
    }
}
