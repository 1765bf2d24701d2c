// SUN message of an NTAG 22x DNA: shown, and never overwritten

import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct SUNMessageTests {
    /// Returns an NTAG 223 DNA with these configuration blocks, and a message of 40 bytes.
    private func card(_ configuration: String, version: String = "0004040204000F03") throws -> ChipCard {
        let last = version == "0004040205001003" ? 75 : 59
        let card = ChipCard([0...last], version: version, secret: .none, cc: "E1101200", tlvs: "0300FE")
        let first = last - 18
        card.blocks[first]?[3] = 0xFF
        try Type2Tag(on: RecordingChannel(card)).writeNDEF(message(40))
        for (index, byte) in bytes(configuration).enumerated() { card.blocks[first + index / 4]?[index % 4] = byte }
        return card
    }

    @Test func itIsReadFromTheSettings() throws {
        let tag = Type2Tag(on: RecordingChannel(try card("98000804" + "80000000" + "0000000000000000" + "80000000")))
        let sun = try #require(try tag.memoryMap().sun)
        #expect(sun.isOn && sun.block == 8 && sun.byte == 3 && sun.length == 38 && !sun.hasStatus)
        #expect(sun.messageOffset == 17 && sun.isKeyLocked == true)
        #expect(sun.firstProtected == 4 && sun.protectsReading)
        #expect(tag.chip?.name == "NTAG 223 DNA")
        let status = Type2Tag(on: RecordingChannel(try card("0000003C", version: "0004040804000F03")))
        let off = try #require(try status.memoryMap().sun)
        #expect(!off.isOn && off.length == 49 && off.messageOffset == nil && off.firstProtected == nil)
        let other = Type2Tag(on: RecordingChannel(try card("0000004C", version: "0004040205001003")))
        #expect(try other.memoryMap().sun?.firstProtected == nil)
        #expect(try Type2Tag(on: RecordingChannel(ChipCard.ntag213())).memoryMap().sun == nil)
    }

    @Test(arguments: [
        ("9800083C", TagError.signedMessage), ("00000004", .passwordNeeded(block: 4)),
        ("00000008", .passwordNeeded(block: 8)),
    ])
    func nothingIsWrittenOverASignedMessageOrAGuardedOne(configuration: String, refusal: TagError) throws {
        let card = try card(configuration)
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        #expect(try tag.detect().status == .readOnly)
        #expect(throws: refusal) { try tag.writeNDEF(message(40)) }
        #expect(!channel.commands.contains { $0[0] == 0xA2 })
        #expect(try tag.readNDEF() == message(40))
    }

    /// AUTH0 precedes the settings and PROT is set, so it is not known whether the message is signed.
    @Test func nothingIsWrittenWhereTheSettingsCannotBeRead() throws {
        let card = ChipCard([0...39], version: "0004040204000F03", secret: .none, cc: "E1101200", tlvs: "0300FE")
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        #expect(try tag.detect().status == .readOnly)
        #expect(throws: TagError.unknownSUNMessage) { try tag.writeNDEF(message(40)) }
        #expect(!channel.commands.contains { $0[0] == 0xA2 })
    }

    @Test func aMessageStaysInTheUserMemoryWhateverTheContainerClaims() throws {
        let card = try card("0000003C")
        card.blocks[3] = bytes("E1103E00")
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        #expect(throws: TagError.tooLong(length: 190, capacity: 142)) { try tag.writeNDEF(message(190)) }
        #expect(!channel.commands.contains { $0[0] == 0xA2 })
    }

    @Test func theBlockBehindTheUserMemoryIsNoData() throws {
        let card = try card("0000003C")
        card.blocks[4] = bytes("03FFFFFF")
        let map = try Type2Tag(on: RecordingChannel(card)).memoryMap()
        #expect(map.blocks[39].role == .free && map.blocks[40].role == .reserved)
    }

    @Test func aLockIsRefusedBeforeABlankTagIsWritten() throws {
        let card = ChipCard([0...59], version: "0004040204000F03", secret: .none, cc: "E1101200", tlvs: "FE")
        card.blocks[41] = bytes("0000003C")
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect().isBlank)
        #expect(throws: TagError.self) { try tag.requireLock() }
    }

    @Test("The refusal of a lock names a chip whose lock bits are not known") func lockOfANamedChip() throws {
        for (chip, name) in [(ChipCard.ntag223DNA(), "NTAG 223 DNA"), (ChipCard.ntag224DNA(), "NTAG 224 DNA")] {
            let tag = Type2Tag(on: RecordingChannel(chip))
            let refusal = error { () throws(TagError) in try tag.lockForecast() }
            #expect(refusal?.description.contains("does not know the lock bits of the \(name), and") == true)
        }
    }

    @Test func aMessageThatIsNotSignedIsWritten() throws {
        let tag = Type2Tag(on: RecordingChannel(try card("0000003C")))
        try tag.writeNDEF(message(20))
        #expect(try tag.readNDEF() == message(20))
    }

    private static let chips: [(chip: @Sendable () -> ChipCard, settings: Int, credential: Type2Credential)] = [
        ({ .ntag223DNA() }, 41, Type2Secrets.credential), ({ .ntag224DNA() }, 57, .key(Type2Secrets.key)),
    ]

    /// Returns a protected chip with the password or key from ``chips``.
    private func protectedCard(_ number: Int, prot: UInt8) -> ChipCard {
        let (chip, settings, credential) = Self.chips[number]
        let card = chip()
        switch credential {
        case .password(let password): (card.pwd, card.pack) = (password.pwd, password.pack ?? [0, 0])
        case .key(let key): card.setKey(key)
        }
        card.blocks[settings] = [0, 0, 0, 4]
        card.blocks[settings + 1] = [prot, 0, 0, 0]
        return card
    }

    @Test(arguments: 0...1, [UInt8(0x00), 0x80])
    func aProtectedChipIsReadAndWrittenWithItsPasswordOrKey(number: Int, prot: UInt8) throws {
        let card = protectedCard(number, prot: prot)
        let closed = Type2Tag(on: RecordingChannel(card))
        #expect(throws: TagError.self) { try closed.writeNDEF(message(40)) }
        if prot != 0 { #expect(throws: TagError.passwordNeeded(block: 4)) { try closed.readNDEF() } }
        let tag = Type2Tag(on: RecordingChannel(card))
        let credential = Self.chips[number].credential
        #expect(try tag.attemptLimit(for: .reading, with: credential) == (prot == 0 ? nil : .unknown))
        #expect(try tag.attemptLimit(for: .writing, with: credential) == .unknown)
        try tag.authenticate(credential)
        #expect(try tag.detect().status == .readWrite)
        try tag.writeNDEF(message(40))
        #expect(try tag.readNDEF() == message(40))
        #expect(try tag.memoryMap().sun?.firstProtected == 4)
        #expect(throws: TagError.fixedProtection) {
            try tag.protect(.writing, from: 4, with: credential)
        }
    }

    @Test(arguments: 0...1) func aWrongPasswordOrKeyIsSentOnce(number: Int) throws {
        let card = protectedCard(number, prot: 0)
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        let other: Type2Credential = number == 0 ? .password(.delivered) : .key(.deliveredAES)
        #expect(throws: TagError.self) { try tag.authenticate(other) }
        #expect(channel.commands.count { $0[0] == 0x1B || $0[0] == 0x1A } == 1)
        let kind: Type2Credential = number == 0 ? .key(Type2Secrets.key) : .password(.delivered)
        #expect(throws: TagError.self) { try tag.authenticate(kind) }
        #expect(channel.commands.count { $0[0] == 0x1B || $0[0] == 0x1A } == 1)
    }

    /// CRThu/nfctester, from table 21 of the data sheet: the key is all zeros.
    @Test func theAuthenticationIsTheOneOfTheDataSheet() throws {
        let channel = RecordingChannel(ChipCard.ntag224DNA())
        try UltralightKey.deliveredAES.authenticate(
            with: .aes, on: channel, rndA: bytes("13C5DB8A5930439FC3DEF9A4C675360F"))
        #expect(
            channel.commands.last
                == bytes("AF35C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D"))
    }
}
