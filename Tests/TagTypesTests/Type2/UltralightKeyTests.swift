// Keys of an Ultralight C and an Ultralight AES: challenges of the data sheet, bytes in memory, counted attempts
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct UltralightKeyTests {
    private static let key = Type2Secrets.key

    // MARK: Ultralight C

    /// The example of the MF0ICU2 data sheet.
    @Test func theKeyAnswersTheChallengeOfTheDataSheet() throws {
        let channel = ScriptedChannel(
            .type2,
            [
                .exchange(.raw, command: "1A00", answer: "AF 577293FD2F34CA51"),
                .exchange(
                    .raw, command: "AF 0A638559FC7737F9F15D7862EBBE967A", answer: "00 3B884FA07C137CE1"),
            ])
        try UltralightKey.delivered.authenticate(with: .tripleDES, on: channel, rndA: bytes("A8AF3B256C75ED40"))
        #expect(channel.isFinished)
    }

    @Test(arguments: ["", "00", "AF", "AF57729", "00577293FD2F34CA51", "AF577293FD2F34CA5100"])
    func aChallengeOfAnotherShapeIsAViolation(answer: String) {
        let channel = ScriptedChannel(.type2, [.exchange(.raw, command: "1A00", answer: answer)])
        let thrown: TagError? = error { () throws(TagError) in
            try UltralightKey.delivered.authenticate(with: .tripleDES, on: channel)
        }
        guard case .protocolViolation? = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
    }

    @Test func aTagThatDoesNotKnowTheKeyIsNotTrusted() {
        let channel = ScriptedChannel(
            .type2,
            [
                .exchange(.raw, command: "1A00", answer: "AF 577293FD2F34CA51"),
                .exchange(
                    .raw, command: "AF 0A638559FC7737F9F15D7862EBBE967A", answer: "00 3B884FA07C137CE0"),
            ])
        let thrown: TagError? = error { () throws(TagError) in
            try UltralightKey.delivered.authenticate(with: .tripleDES, on: channel, rndA: bytes("A8AF3B256C75ED40"))
        }
        guard case .protocolViolation? = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
    }

    /// MF0ICU2 7.5.8 and 9.2: AUTH0 can be 03.
    ///
    /// A READ of block 0 continues at block 0 in that case, in place of block 3.
    @Test func aChipThatNeedsItsKeyFromBlock3OnIsKnownAndOpened() throws {
        let card = ChipCard.ultralightC()
        try Type2Tag(on: RecordingChannel(card)).protect(.readingAndWriting, from: 3, with: .key(Self.key))
        #expect(card.auth0 == 3 && card.protectsReading)
        let stranger = Type2Tag(on: RecordingChannel(card))
        #expect(error(stranger.detect) == .passwordNeeded(block: 3))
        #expect(stranger.chip?.name == "MIFARE Ultralight C")
        let blocks = try stranger.memoryMap().blocks
        #expect(blocks.count == 48 && blocks[2].bytes == card.blocks[2])
        #expect(blocks[3...].allSatisfy { $0.bytes == nil })
        let owner = Type2Tag(on: RecordingChannel(card))
        #expect(try owner.attemptLimit(for: .reading, with: .key(Self.key)) == Type2AttemptLimit.none)
        try owner.authenticate(.key(Self.key))
        try owner.writeNDEF(message(20))
        #expect(try owner.readNDEF() == message(20))
        try owner.unprotect(.key(Self.key))
        #expect(!card.isProtected)
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(20))
    }

    @Test func aBlock3ThatLooksLikeBlock0IsReadByItself() throws {
        let card = Type2Card.ultralight(cc: "04A1B29F")
        let state = try Type2Tag(on: RecordingChannel(card)).detect()
        #expect(state.reason == "block 3 holds 04 A1 B2 9F, which is not a capability container")
    }

    // MARK: Ultralight AES

    /// Calculated with `openssl enc -aes-128-cbc` and the key 00…0F, each message separately.
    @Test func anAESKeyAnswersTheChallenge() throws {
        let channel = ScriptedChannel(
            .type2,
            [
                .exchange(.raw, command: "1A00", answer: "AF 100DEEA9D9FFC9E542E94EB9D6CBB386"),
                .exchange(
                    .raw, command: "AF C20C9BABD6D89F66ED5A408CA16BFD9ED17E2194353EFCAE0C434B68E8602663",
                    answer: "00 3BE79B2790D68E542E06E7D105CE3AD5"),
            ])
        try Self.key.authenticate(with: .aes, on: channel, rndA: bytes("13C5DB8A5930439FC3DEF9A4C675360F"))
        #expect(channel.isFinished)
        #expect(Self.key.blocks(for: .aes) == ["0F0E0D0C", "0B0A0908", "07060504", "03020100"].map { bytes($0) })
    }

    @Test func wrongAESKeysCountUpToTenBits() throws {
        let card = ChipCard.ultralightAES()
        try Type2Tag(on: RecordingChannel(card)).protect(.writing, from: 4, with: .key(Self.key), limit: 5)
        #expect(card.blocks[42] == [0x00, 0x00, 0x05, 0x00] && card.blocks[41]?[3] == 4)
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.attemptLimit(for: .writing, with: .key(Self.key)) == .count(5))
        #expect(throws: TagError.wrongPassword(remaining: .count(4))) { try tag.authenticate(.key(.delivered)) }
        #expect(card.wrongTries == 1)
        card.blocks[42] = [0x00, 0x00, 0xFF, 0x03]
        let other = Type2Tag(on: RecordingChannel(card))
        #expect(try other.attemptLimit(for: .writing, with: .key(Self.key)) == .count(1023))
        #expect(try other.memoryMap().key?.authenticationLimit == 1023)
    }

    @Test func anAESTagKeepsALimitOfTenBits() throws {
        let card = ChipCard.ultralightAES()
        try Type2Tag(on: RecordingChannel(card)).protect(.writing, from: 4, with: .key(Self.key), limit: 1023)
        #expect(card.blocks[42] == [0x00, 0x00, 0xFF, 0x03])
        let tag = Type2Tag(on: RecordingChannel(card))
        try tag.authenticate(.key(Self.key))
        try tag.protect(.writing, from: 4, with: .key(.delivered), limit: 1023)
        #expect(card.blocks[42] == [0x00, 0x00, 0xFF, 0x03] && card.key == .delivered)
        for (chip, credential, limit) in [
            (ChipCard.ultralightAES(), Type2Credential.key(Self.key), 1023),
            (ChipCard.ntag213(), Type2Secrets.credential, 7),
        ] {
            let refusing = Type2Tag(on: RecordingChannel(chip))
            let reason = "its limit on wrong attempts is \(limit) at most, not \(limit + 1)"
            #expect(throws: TagError.unsupported(reason: reason)) {
                try refusing.protect(.writing, from: 4, with: credential, limit: limit + 1)
            }
        }
    }

    /// A chip that requires a CMAC gets no key if CFG 0 can be read.
    @Test func aChipThatWantsACMACIsSentNoKey() throws {
        let card = ChipCard.ultralightAES()
        card.blocks[41] = [0x02, 0, 0, 4]
        card.blocks[42]?[0] = 0
        let channel = RecordingChannel(card)
        for change in [false, true] {
            let thrown: TagError? = error { () throws(TagError) in
                let tag = Type2Tag(on: channel)
                if change {
                    try tag.protect(.writing, from: 4, with: .key(Self.key))
                } else {
                    try tag.authenticate(.key(Self.key))
                }
            }
            guard case .unsupported(let reason)? = thrown else {
                Issue.record("\(String(describing: thrown))")
                return
            }
            #expect(reason.contains("CMAC"))
        }
        #expect(!channel.commands.contains { [0x1A, 0xA2].contains($0[0]) })
    }

    /// NXP MF0ICU2, table 11: key 00…0F as stored in blocks 44…47.
    @Test func aKeyLiesInMemoryWithItsHalvesReversed() {
        #expect(Self.key.blocks(for: .tripleDES) == ["07060504", "03020100", "0F0E0D0C", "0B0A0908"].map { bytes($0) })
        #expect(UltralightKey.delivered.blocks(for: .tripleDES).flatMap(\.self) == Array("BREAKMEIFYOUCAN!".utf8))
        for count in 0..<16 { #expect(UltralightKey(Array(repeating: 0, count: count)) == nil) }
        for count in [0, 3, 5] { #expect(Type2Password(pwd: Array(repeating: 0, count: count)) == nil) }
        #expect(Type2Password(pwd: [0, 0, 0, 0], pack: [0]) == nil)
    }
}
