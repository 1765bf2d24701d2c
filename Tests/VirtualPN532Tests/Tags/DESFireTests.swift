// MIFARE DESFire EV1 — NXP MF3ICDx21_41_81; ISO/IEC 7816-4

import Testing

@testable import VirtualPN532

/// A card above the block protocol.
struct DESFireBench {
    var card: DESFireCard

    init(_ memory: DESFireMemory = .desfire(uid: octets("04010203040506"))) { card = DESFireCard(memory: memory) }

    /// Sends a command, and returns the unchanged answer.
    ///
    /// For native commands, this is status and data, and for others, data and status words.
    mutating func send(_ command: String) -> String { hex(card.execute(octets(command)) { $0 }) }

    /// Authenticates with a key of zeros, or with another key.
    ///
    /// Returns the last status and the reader's half of the session.
    mutating func authenticate(
        _ authentication: DESFireAuthentication, _ number: UInt8 = 0, key: BlockCipher? = nil
    ) -> (status: UInt8?, session: DESFireSession?) {
        let key = key ?? DESFireKey.blank(authentication.algorithm).cipher
        var vector = key.zeroVector
        let first = card.execute([authentication.rawValue, number]) { $0 }
        guard first.first == 0xAF else { return (first.first, nil) }
        let challenge = key.decryptCBC(Array(first.dropFirst()), vector: &vector)
        let random = (0..<UInt8(key.blockSize)).map { 0xA0 + $0 }
        let token = random + challenge.dropFirst() + challenge.prefix(1)
        let isLegacy = authentication == .legacy
        let sent = isLegacy ? LegacyReader.chained(token, key: key) : key.encryptCBC(token, vector: &vector)
        let second = card.execute([0xAF] + sent) { $0 }
        guard second.first == 0x00 else { return (second.first, nil) }
        if isLegacy { vector = key.zeroVector }
        let proof = key.decryptCBC(Array(second.dropFirst()), vector: &vector)
        #expect(proof == Array(random.dropFirst() + random.prefix(1)))
        return (0x00, DESFireSession(authentication, keyNumber: number, key: key, reader: random, card: challenge))
    }

    /// Creates the application of AN11004: CC and NDEF file.
    mutating func makeNDEF() {
        #expect(send("CA 010000 0F 21 10E1 D2760000850101") == "00")
        #expect(send("5A 010000") == "00")
        #expect(send("CD 01 03E1 00 EEEE 0F0000") == "00")
        #expect(send("CD 02 04E1 00 EEEE 000400") == "00")
    }
}

@Suite struct DESFireTests {
    @Test func targetDataIsTheDataSheets() {
        let bench = ChipBench([VirtualTagKind.desfire.make(uid: octets("04010203040506"))])
        let answer = bench.answer("4A 01 00")
        #expect(answer == "4B 01 01 03 44 20 07 04 01 02 03 04 05 06 06 75 77 81 02 80")
    }

    @Test func versionComesInThreeFramesNativeAndWrapped() {
        var bench = DESFireBench()
        #expect(bench.send("60") == "AF 04 01 01 01 00 1A 05")
        #expect(bench.send("AF") == "AF 04 01 01 01 04 1A 05")
        #expect(bench.send("AF").hasPrefix("00 04 01 02 03 04 05 06"))
        #expect(bench.send("90 60 00 00 00") == "04 01 01 01 00 1A 05 91 AF")
        #expect(bench.send("90 AF 00 00 00") == "04 01 01 01 04 1A 05 91 AF")
        #expect(bench.send("90 AF 00 00 00").hasSuffix("91 00"))
        #expect(bench.send("AF") == "1C")
    }

    @Test func blankCardHasNoApplicationAndFreeSettings() {
        var bench = DESFireBench()
        #expect(bench.send("6A") == "00")
        #expect(bench.send("45") == "00 0F 01")
        #expect(bench.send("64 00") == "00 00")
        #expect(bench.send("6E") == "00 00 1F 00")
        #expect(bench.send("5A 010000") == "A0")
        #expect(bench.send("6F") == "9D")
    }

    /// Command and status on a blank card.
    @Test(arguments: [
        ("CA 0100", "7E"), ("CA 000000 0F 01", "DE"), ("CA 010000 0F 00", "9E"), ("CA 010000 0F 0F", "9E"),
        ("CA 010000 0F 41", "9E"), ("DA 010000", "A0"), ("FC", "AE"), ("0A 01", "40"), ("AA 00", "AE"), ("71 00", "1C"),
        ("5A 00", "7E"), ("C4 00 00", "AE"), ("3D 01 000000 010000 00", "F0"), ("BD 01 000000 000000", "F0"),
        ("", "7E"), ("90 6A 00 00", "91 00"), ("90 6A 01 00 00", "91 7E"), ("90", "91 7E"),
    ])
    func errorsHaveTheirStatus(command: String, status: String) {
        var bench = DESFireBench()
        #expect(bench.send(command) == status)
        #expect(bench.card.generation == 0)
    }

    @Test func ndefApplicationIsMadeAndReadByISOCommands() {
        var bench = DESFireBench()
        bench.makeNDEF()
        #expect(bench.send("6F") == "00 01 02")
        #expect(bench.send("61") == "00 03 E1 04 E1")
        #expect(bench.send("F5 02") == "00 00 00 EE EE 00 04 00")
        #expect(bench.send("CD 02 05E1 00 EEEE 010000") == "DE")
        #expect(bench.send("CD 03 04E1 00 EEEE 010000") == "DE")
        #expect(bench.send("CD 03 00 EEEE 010000") == "9E")
        #expect(bench.send("CD 03 05E1 00 EEEE 00FF00") == "0E")
        #expect(bench.send("3D 01 000000 0F0000 000F20003B0034 0406E10404000000") == "00")
        bench.card.powerOff()
        #expect(bench.send("00 A4 00 0C 02 E1 04") == "6A 82")
        #expect(bench.send("00 A4 04 00 07 D2760000850101 00") == "90 00")
        #expect(bench.send("00 B0 00 00 0F") == "69 86")
        #expect(bench.send("00 A4 00 0C 02 E1 03") == "90 00")
        #expect(bench.send("00 B0 00 00 0F") == "00 0F 20 00 3B 00 34 04 06 E1 04 04 00 00 00 90 00")
        #expect(bench.send("00 A4 00 0C 02 E1 04") == "90 00")
        #expect(bench.send("00 D6 00 02 03 D0 00 00") == "90 00")
        #expect(bench.send("00 B0 00 00 05") == "00 00 D0 00 00 90 00")
        #expect(bench.send("00 D6 03 FF 02 01 02") == "6A 84")
        #expect(bench.send("00 B0 04 00 01") == "6B 00")
        #expect(bench.send("00 B0 82 02 01") == "D0 90 00")
    }

    @Test func dataGoOnInFurtherFrames() {
        var bench = DESFireBench()
        bench.makeNDEF()
        #expect(bench.send("3D 02 020000 640000" + String(repeating: "11", count: 52)) == "AF")
        #expect(bench.send("AF" + String(repeating: "22", count: 48)) == "00")
        let first = octets(bench.send("BD 02 020000 640000"))
        #expect(first.count == 60 && first[0] == 0xAF)
        let second = octets(bench.send("AF"))
        #expect(second.count == 42 && second[0] == 0x00)
        let data = first.dropFirst() + second.dropFirst()
        #expect(Array(data) == [UInt8](repeating: 0x11, count: 52) + [UInt8](repeating: 0x22, count: 48))
        // Too many bytes, an empty frame, and the end of the file.
        #expect(bench.send("3D 02 000000 020000 010203") == "7E")
        #expect(bench.send("3D 02 000000 020000 01") == "AF")
        #expect(bench.send("AF") == "7E")
        #expect(bench.send("3D 02 FF0300 020000 0102") == "BE")
        #expect(bench.send("BD 02 000400 000000") == "BE")
        #expect(bench.send("BD 02 FF0300 000000") == "00 00")
    }

    @Test func anotherCommandEndsAChain() {
        var bench = DESFireBench()
        bench.makeNDEF()
        #expect(bench.send("3D 02 000000 020000 01") == "AF")
        #expect(bench.send("6F") == "00 01 02")
        #expect(bench.send("AF 02") == "1C")
    }

    @Test(arguments: [DESFireAuthentication.legacy, .iso])
    func masterKeyFormats(authentication: DESFireAuthentication) throws {
        var bench = DESFireBench()
        bench.makeNDEF()
        #expect(bench.send("5A 000000") == "00")
        let result = bench.authenticate(authentication)
        #expect(result.status == 0)
        var session = try #require(result.session)
        session.absorb([0xFC])
        #expect(bench.send("FC") == hex([0x00] + session.seal([])))
        #expect(bench.card.memory.applications.count == 1)
    }

    @Test func wrongKeyIsRefused() {
        var bench = DESFireBench()
        let wrong = BlockCipher(algorithm: .tripleDES, key: [UInt8](repeating: 0x22, count: 16))
        for authentication in [DESFireAuthentication.legacy, .iso] {
            #expect(bench.authenticate(authentication, key: wrong).status == 0xAE)
            #expect(bench.send("FC") == "AE")
        }
    }

    /// Access rights of a file in an AES application, the key, and the statuses of reading and writing.
    ///
    /// 9D means that no key is permitted, and AE that this key is not permitted.
    @Test(arguments: [
        (UInt16(0xEEE0), UInt8?.none, "00", "00"), (0xE000, nil, "00", "AE"), (0xE000, 0, "00", "00"),
        (0xE000, 1, "00", "AE"), (0x1200, 1, "00", "AE"), (0x1200, 2, "AE", "00"), (0x1230, 3, "00", "00"),
        (0x1230, nil, "AE", "AE"), (0xFFF0, 0, "9D", "9D"), (0xEFF0, 0, "00", "9D"), (0xFFE0, nil, "00", "00"),
    ])
    func accessRights(rights: UInt16, key: UInt8?, read: String, write: String) {
        for (command, status) in [("BD 01 000000 010000", read), ("3D 01 000000 010000 55", write)] {
            var bench = DESFireBench()
            #expect(bench.send("CA 010000 0F 84") == "00")
            #expect(bench.send("5A 010000") == "00")
            #expect(bench.send("CD 01 00" + hex(rights.bigEndianBytes.reversed()) + "200000") == "00")
            if let key { #expect(bench.authenticate(.aes, key).status == 0) }
            #expect(bench.send(command).hasPrefix(status))
            let isWritten = bench.card.memory.applications[1].files[0].content[0] == 0x55
            #expect(isWritten == (command.hasPrefix("3D") && write == "00"))
        }
    }

    /// The key settings at the card level, and the operations that need the master key with them: MF3ICDx21_41_81,
    /// "PICC master key settings".
    @Test(arguments: [
        (UInt8(0x0F), "00", "00"), (0x0B, "AE", "00"), (0x0D, "00", "AE"), (0x09, "AE", "AE"),
    ])
    func cardSettingsGuardCreationAndListing(settings: UInt8, create: String, list: String) {
        var memory = DESFireMemory.desfire(uid: octets("04010203040506"))
        memory.applications[0].keySettings = settings
        var bench = DESFireBench(memory)
        #expect(bench.send("6A") == list)
        #expect(bench.send("45").prefix(2) == list)
        #expect(bench.send("CA 010000 0F 01") == create)
        #expect(bench.authenticate(.legacy).status == 0)
        #expect(bench.send("CA 020000 0F 01") == "00")
        #expect(bench.send("45") == "00 \(hex([settings])) 01")
    }

    @Test func aKeyIsChangedByItselfAndThenAloneGivesAccess() throws {
        var bench = DESFireBench()
        let session = try #require(bench.authenticate(.legacy).session)
        let key = octets("00102030405060708090A0B0B0A09080")
        let plain = key + Checksum.typeA(key) + [UInt8](repeating: 0, count: 6)
        #expect(session.cipher.isSingleDES)
        #expect(bench.send("C4 00" + hex(LegacyReader.chained(plain, key: session.cipher))) == "00")
        #expect(bench.send("FC") == "AE")
        #expect(bench.authenticate(.legacy).status == 0xAE)
        #expect(bench.authenticate(.iso, key: BlockCipher(algorithm: .tripleDES, key: key)).status == 0)
    }

    @Test func everyTruncationOfACommandIsAnError() {
        for command in [
            "CA 020000 0F 21 11E1 D2760000850102", "CD 03 05E1 00 EEEE 010000", "BD 01 000000 010000",
            "3D 01 000000 010000 00", "DA 010000", "5A 010000", "5F 01 00 EEEE", "F5 01",
        ] {
            let bytes = octets(command)
            for length in 1..<bytes.count {
                var bench = DESFireBench()
                bench.makeNDEF()
                if command.hasPrefix("CA") { _ = bench.send("5A 000000") }
                let answer = bench.card.execute(Array(bytes.prefix(length))) { $0 }
                // These are also complete: CreateApplication without identifiers or with a shorter name, and WriteData
                // with more to follow.
                let isWhole = command.hasPrefix("CA") && (length == 6 || length >= 8) || bytes[0] == 0x3D && length == 8
                #expect((answer[0] == 0x00 || answer[0] == 0xAF) == isWhole, "\(command) \(length)")
            }
        }
    }

    @Test func aTornUpdateStoresItsBeginning() throws {
        var lengths: Set<Int> = []
        for serial in 0..<48 {
            var bench = DESFireBench(.desfire(uid: [0x04, 0x11, 0x57, 0x1F, 0x00, UInt8(serial), 0x80]))
            bench.makeNDEF()
            let memory = bench.card.memory
            let tag = VirtualDESFireTag(
                nfcID1: [0x04, 0x11, 0x57, 0x1F, 0x00, UInt8(serial), 0x80], memory: memory,
                ats: VirtualDESFireTag.desfireATS)
            tag.activate().send("E0 80")
            tag.send("02 00 A4 04 00 07 D2 76 00 00 85 01 01 00")
            tag.send("03 00 A4 00 0C 02 E1 04")
            tag.receiveTorn(bytes("02 00 D6 00 02 08 01 01 01 01 01 01 01 01"))
            let body = try #require(tag.file([0xE1, 0x04]))[2..<10]
            let stored = body.prefix { $0 == 0x01 }.count
            #expect(body.dropFirst(stored).allSatisfy { $0 == 0 })
            lengths.insert(stored)
            #expect(tag.send("B2") == "-")
        }
        #expect(lengths.isSubset(of: Set(0...8)) && lengths.count > 4)
    }

    @Test func randomCommandsNeverTrap() throws {
        var random = TearNoise(seed: [0xDE, 0x5F])
        let codes = octets("CA DA 6A FC 6E 45 64 6F 61 F5 5F CD DF BD 3D 5A 60 AF 0A 1A AA C4 54 00 90")
        var statuses: Set<UInt8> = []
        for round in 0..<40 {
            var bench = DESFireBench()
            bench.makeNDEF()
            if round % 2 == 0 { _ = bench.authenticate(.iso) }
            for _ in 0..<500 {
                let code = codes.randomElement(using: &random) ?? 0
                let length = Int.random(in: 0...24, using: &random)
                let data = (0..<length).map { _ in
                    UInt8.random(in: 0...255, using: &random) >> UInt8.random(in: 0...7, using: &random)
                }
                let answer = bench.card.execute([code] + data) { $0 }
                #expect(!answer.isEmpty)
                statuses.insert(answer[0])
                #expect(bench.card.memory.freeSize >= 0)
            }
        }
        #expect(statuses.count > 10)
    }
}
