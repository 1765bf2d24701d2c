// Passwords and keys: order of writes, proofs, refusals, and a fault at every command
import Hexadecimal
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type2ProtectionTests {
    static let password = Type2Password(pwd: [0x11, 0x22, 0x33, 0x44], pack: [0x55, 0x66]) ?? .delivered
    static let credential = Type2Credential.password(password)
    static let key = UltralightKey(Array(0..<16)) ?? .delivered

    /// The chips with a password or key, and what protects them in these tests.
    static var protectable: [(ChipCard, Type2Credential)] {
        [
            (.ntag213(), credential), (.ntag215(), credential), (.ev1(), credential), (.ntagI2CPlus2k(), credential),
            (.ultralightC(), .key(key)), (.ultralightAES(), .key(key)),
        ]
    }

    // MARK: Order

    @Test func protectingAnNTAG213ProvesThePasswordBeforeItIsAskedFor() throws {
        let channel = RecordingChannel(ChipCard.ntag213())
        try Type2Tag(on: channel).protect(.readingAndWriting, from: 4, with: Self.credential, limit: 3)
        let changes = channel.commands.filter { [0xA2, 0x1B].contains($0[0]) }.map { $0.hex }
        #expect(
            changes == [
                "A22B11223344", "A22C55660000", "1B11223344", "A22A83000000", "1B11223344", "A22900000004",
                "1B11223344",
            ])
    }

    @Test func unprotectingAnNTAG213OpensItBeforeThePasswordChanges() throws {
        let card = ChipCard.ntag213()
        try Type2Tag(on: RecordingChannel(card)).protect(.readingAndWriting, from: 4, with: Self.credential)
        let channel = RecordingChannel(card)
        try Type2Tag(on: channel).unprotect(Self.credential)
        let changes = channel.commands.filter { $0[0] == 0xA2 || $0 == bytes("1BFFFFFFFF") }
        #expect(
            changes.map { $0.hex } == [
                "A229000000FF", "A22A00000000", "A22BFFFFFFFF", "A22C00000000", "1BFFFFFFFF",
            ])
    }

    @Test func protectionAndItsRemovalWorkOnEveryChipThatHasIt() throws {
        for (card, credential) in Self.protectable {
            let delivered = card.blocks
            try Type2Tag(on: RecordingChannel(card)).protect(.readingAndWriting, from: 6, with: credential)
            #expect(card.auth0 == 6 && card.protectsReading)
            #expect(card.blocks[3] == delivered[3])
            let stranger = Type2Tag(on: RecordingChannel(card))
            #expect(throws: TagError.self) { try stranger.writeNDEF([0xD0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00]) }
            let owner = Type2Tag(on: RecordingChannel(card))
            try owner.authenticate(credential)
            try owner.writeNDEF(message(40))
            #expect(try owner.readNDEF() == message(40))
            try owner.unprotect(credential)
            #expect(!card.isProtected)
            #expect(card.pwd == [0xFF, 0xFF, 0xFF, 0xFF] && card.pack == [0x00, 0x00])
            if case .key = card.secret { #expect(card.key == .delivered) }
            if case .aes = card.secret { #expect(card.key == .deliveredAES && card.access == 0x80) }
        }
    }

    @Test func aProtectedTagGetsAnotherPasswordAfterAuthentication() throws {
        let card = ChipCard.ntag213()
        try Type2Tag(on: RecordingChannel(card)).protect(.writing, from: 4, with: Self.credential, limit: 2)
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(throws: TagError.passwordNeeded(block: 4)) {
            try tag.protect(.writing, from: 4, with: .password(.delivered))
        }
        try tag.authenticate(Self.credential)
        let other = try #require(Type2Password(pwd: [9, 8, 7, 6]))
        try tag.protect(.writing, from: 8, with: .password(other))
        #expect(card.pwd == [9, 8, 7, 6] && card.auth0 == 8 && card.access == 0)
    }

    @Test func theProtectionIsOpenedAgainAfterEachSelection() throws {
        let card = ChipCard.ntag213()
        try Type2Tag(on: RecordingChannel(card)).protect(.readingAndWriting, from: 4, with: Self.credential)
        let clean = RecordingChannel(card)
        try open(clean)
        let authentication = try #require(clean.commands.firstIndex { $0[0] == 0x1B })
        for at in authentication + 1..<clean.commands.count {
            try open(RecordingChannel(card, fault: .silence(at: at, after: false)))
        }
    }

    private func open(_ channel: RecordingChannel) throws {
        let tag = Type2Tag(on: channel)
        try tag.authenticate(Self.credential)
        _ = try tag.readNDEF()
        let map = try tag.memoryMap()
        #expect(map.blocks.allSatisfy { $0.bytes != nil })
    }

    // MARK: Refusals

    @Test func aWrongPasswordNamesTheTriesThatRemain() throws {
        let card = ChipCard.ntag213()
        try Type2Tag(on: RecordingChannel(card)).protect(.writing, from: 4, with: Self.credential, limit: 3)
        let tag = Type2Tag(on: RecordingChannel(card))
        for remaining in [2, 1, 0] {
            #expect(throws: TagError.wrongPassword(remaining: .count(remaining))) {
                try tag.authenticate(.password(.delivered))
            }
        }
        #expect(card.wrongTries == 3)
        #expect(throws: TagError.wrongPassword(remaining: .count(0))) { try tag.authenticate(Self.credential) }
    }

    @Test func aWrongPasswordWithoutALimitIsJustWrong() throws {
        let card = ChipCard.ntag213()
        try Type2Tag(on: RecordingChannel(card)).protect(.writing, from: 4, with: Self.credential)
        #expect(throws: TagError.wrongPassword(remaining: .none)) {
            try Type2Tag(on: RecordingChannel(card)).authenticate(.password(.delivered))
        }
        let wrong = try #require(UltralightKey(Array(repeating: 7, count: 16)))
        #expect(throws: TagError.wrongPassword(remaining: .none)) {
            try Type2Tag(on: RecordingChannel(ChipCard.ultralightC())).authenticate(.key(wrong))
        }
    }

    // MARK: Purpose and risk

    /// What the password of these chips is asked for: writing, or reading, too.
    private func protected(_ index: Int, _ access: ProtectedAccess, limit: Int = 0) throws -> ChipCard {
        let (card, credential) = Self.protectable[index]
        try Type2Tag(on: RecordingChannel(card)).protect(access, from: 4, with: credential, limit: limit)
        return card
    }

    @Test func readingATagThatProtectsOnlyWritingTakesNoPassword() throws {
        for (index, (_, credential)) in Self.protectable.enumerated() {
            let channel = RecordingChannel(try protected(index, .writing))
            let tag = Type2Tag(on: channel)
            #expect(try tag.attemptLimit(for: .reading, with: credential) == nil)
            #expect(try tag.attemptLimit(for: .writing, with: credential) == Type2AttemptLimit.none)
            _ = try tag.readNDEF()
            #expect(!channel.commands.contains { $0[0] == 0x1B || $0[0] == 0xAF })
        }
    }

    @Test func readingATagThatProtectsReadingTakesThePassword() throws {
        for (index, (_, credential)) in Self.protectable.enumerated() {
            let tag = Type2Tag(on: RecordingChannel(try protected(index, .readingAndWriting)))
            #expect(try tag.attemptLimit(for: .reading, with: credential) != nil)
            try tag.authenticate(credential)
            #expect(try tag.attemptLimit(for: .reading, with: credential) == nil)
            #expect(tag.openedBy == credential)
        }
    }

    @Test func theLimitIsTheOneThatTheTagShows() throws {
        let shown = Type2Tag(on: RecordingChannel(try protected(0, .writing, limit: 3)))
        #expect(try shown.attemptLimit(for: .writing, with: Self.credential) == .count(3))
        let hidden = Type2Tag(on: RecordingChannel(try protected(0, .readingAndWriting, limit: 3)))
        #expect(try hidden.attemptLimit(for: .writing, with: Self.credential) == .unknown)
        let open = Type2Tag(on: RecordingChannel(ChipCard.ntag213()))
        #expect(try open.attemptLimit(for: .writing, with: Self.credential) == nil)
    }

    @Test(arguments: [ProtectedAccess.writing, .readingAndWriting])
    func whereWrongPasswordsCountAPasswordWithoutAnAnswerIsSentOnce(access: ProtectedAccess) throws {
        for wasCarriedOut in [false, true] {
            let card = try protected(0, access, limit: 3)
            let clean = RecordingChannel(card)
            try Type2Tag(on: clean).authenticate(Self.credential)
            let at = try #require(clean.commands.firstIndex { $0[0] == 0x1B })
            let channel = RecordingChannel(card, fault: .silence(at: at, after: wasCarriedOut))
            #expect(throws: TagError.passwordUnanswered) { try Type2Tag(on: channel).authenticate(Self.credential) }
            #expect(channel.commands.count { $0[0] == 0x1B } == 1)
        }
    }

    @Test func aPasswordThatTheTagAcceptedBeforeIsSentAgainAfterSilence() throws {
        let card = try protected(0, .writing, limit: 3)
        let clean = RecordingChannel(card)
        try Type2Tag(on: clean).authenticate(Self.credential)
        let at = try #require(clean.commands.firstIndex { $0[0] == 0x1B })
        let channel = RecordingChannel(card, fault: .silence(at: at, after: false))
        try Type2Tag(on: channel).authenticate(Self.credential, isProven: true)
    }

    @Test func silenceIsNeverAWrongPassword() throws {
        for (index, code) in [(0, 0x1B), (4, 0x1A)] as [(Int, UInt8)] {
            let channel = RecordingChannel(try protected(index, .writing), fault: .deaf(to: code))
            let credential = Self.protectable[index].1
            let thrown: TagError? = error { () throws(TagError) in
                try Type2Tag(on: channel).authenticate(credential)
            }
            // An Ultralight C that never answers AUTHENTICATE is not recognised.
            guard index == 0 else {
                #expect(thrown != nil && thrown != .wrongPassword(remaining: .none))
                continue
            }
            #expect(thrown == .reader(.noAnswer))
        }
    }

    @Test func aWrongPasswordIsSentOnceWhereItCounts() throws {
        let card = try protected(0, .writing, limit: 3)
        let channel = RecordingChannel(card)
        #expect(throws: TagError.wrongPassword(remaining: .count(0))) {
            try Type2Tag(on: channel).authenticate(.password(.delivered), after: 2)
        }
        #expect(channel.commands.count { $0[0] == 0x1B } == 1)
        #expect(card.wrongTries == 1)
    }

    /// NXP NTAG213_215_216, ACK and NAK values: 1 is a parity or CRC error, 4 that too many passwords were wrong.
    @Test func theCodeOfARefusalTellsAClosedTagFromABrokenFrame() throws {
        func authenticate(_ code: UInt8) throws -> TagError? {
            let channel = CodedRefusals(RecordingChannel(try protected(0, .writing, limit: 3)), code)
            return error { () throws(TagError) in try Type2Tag(on: channel).authenticate(.password(.delivered)) }
        }
        #expect(try authenticate(0x4) == .wrongPassword(remaining: .count(0)))
        #expect(try authenticate(0x1) == .passwordUnanswered)
        #expect(try authenticate(0x0) == .wrongPassword(remaining: .count(2)))
    }

    @Test func aTagThatAnswersWithAnotherPACKThanGivenIsClosedAgain() throws {
        let card = try protected(0, .writing, limit: 3)
        card.pack = [0xAA, 0xBB]
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        let wrong = try #require(Type2Password(pwd: Self.password.pwd, pack: [0xCC, 0xDD]))
        #expect(throws: TagError.foreignPACK) { try tag.authenticate(.password(wrong)) }
        #expect(channel.commands.count { $0[0] == 0x1B } == 1)
        #expect(tag.openedBy == nil)
        #expect(throws: TagError.passwordNeeded(block: 5)) { try tag.writeNDEF([]) }
    }

    @Test func whatCannotBeProtectedIsRefusedBeforeAnyWrite() throws {
        let frozen = ChipCard.ntag213()
        frozen.blocks[42]?[0] = 0x40
        let locked = ChipCard.ntag213()
        locked.blocks[2]?[2] = 0x80
        let lockedKey = ChipCard.ultralightC()
        lockedKey.blocks[40]?[1] = 0x80
        let (frozenAES, lockedAES) = (ChipCard.ultralightAES(), ChipCard.ultralightAES())
        frozenAES.blocks[42]?[0] = 0xC0
        lockedAES.blocks[45]?[0] = 0x40
        let rows: [(ChipCard, Type2Credential, Int, Int)] = [
            (frozenAES, .key(Self.key), 4, 0), (lockedAES, .key(Self.key), 4, 0),
            (.ultralightAES(), Self.credential, 4, 0), (.ultralightAES(), .key(Self.key), 4, 8),
            (frozen, Self.credential, 4, 0), (locked, Self.credential, 4, 0), (lockedKey, .key(Self.key), 4, 0),
            (.ntag203(), Self.credential, 4, 0), (.ntagI2C2k(), Self.credential, 4, 0),
            (.ntag213(), .key(Self.key), 4, 0), (.ultralightC(), Self.credential, 4, 0),
            (.ntag213(), Self.credential, 40, 0), (.ntag213(), Self.credential, -1, 0),
            (.ntag213(), Self.credential, 4, 8), (.ultralightC(), .key(Self.key), 2, 0),
            (.ultralightC(), .key(Self.key), 4, 1),
        ]
        for (card, credential, block, limit) in rows {
            let channel = RecordingChannel(card)
            let thrown: TagError? = error { () throws(TagError) in
                try Type2Tag(on: channel).protect(.writing, from: block, with: credential, limit: limit)
            }
            switch thrown {
            case .unsupported?, .readOnly?: break
            default: Issue.record("\(String(describing: thrown)) from block \(block)")
            }
            #expect(!channel.commands.contains { $0[0] == 0xA2 })
        }
    }

    // MARK: Faults

    /// Whatever the fault, the tag is open or its password is the one we know, and what is reported as done is done.
    @Test func aFaultAtAnyCommandLeavesNoUnknownPasswordAndNoFalseReport() throws {
        var cases = 0
        for index in Self.protectable.indices {
            for isRemoval in [false, true] {
                let credential = Self.protectable[index].1
                let clean = RecordingChannel(try prepared(index, isRemoval))
                try run(isRemoval, credential, on: clean)
                for at in 0..<clean.commands.count {
                    for fault in [
                        RecordingChannel.Fault.lost(at: at, after: false), .lost(at: at, after: true),
                        .silence(at: at, after: false), .silence(at: at, after: true),
                    ] {
                        let card = try prepared(index, isRemoval)
                        let thrown: TagError? = error { () throws(TagError) in
                            try run(isRemoval, credential, on: RecordingChannel(card, fault: fault))
                        }
                        check(card, credential, thrown, isRemoval)
                        cases += 1
                    }
                }
            }
        }
        #expect(cases > 400)
    }

    private func prepared(_ index: Int, _ isRemoval: Bool) throws -> ChipCard {
        let (card, credential) = Self.protectable[index]
        if isRemoval {
            try Type2Tag(on: RecordingChannel(card)).protect(.readingAndWriting, from: 4, with: credential)
        }
        return card
    }

    private func run(
        _ isRemoval: Bool, _ credential: Type2Credential, on channel: RecordingChannel
    ) throws(TagError) {
        let tag = Type2Tag(on: channel)
        if isRemoval {
            try tag.unprotect(credential)
        } else {
            try tag.protect(.readingAndWriting, from: 4, with: credential)
        }
    }

    private func check(_ card: ChipCard, _ credential: Type2Credential, _ thrown: TagError?, _ isRemoval: Bool) {
        let isSecretKnown =
            switch credential {
            case .password(let password): card.pwd == password.pwd && card.pack == password.pack
            case .key(let key): card.key == key
            }
        #expect(!card.isProtected || isSecretKnown)
        guard let thrown else {
            #expect(card.isProtected != isRemoval)
            #expect(isSecretKnown != isRemoval)
            return
        }
        guard case .protectionInterrupted(let done, let missing, _) = thrown else { return }
        #expect(!missing.isEmpty)
        if done.contains("protection from block 4") { #expect(card.auth0 == 4) }
        if done.contains("no block protected") { #expect(!card.isProtected) }
        if done.contains("access rules"), !isRemoval { #expect(card.protectsReading) }
        if done.contains("password") || done.contains("key") { #expect(isSecretKnown != isRemoval) }
    }

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

    // MARK: Ultralight AES

    /// Calculated by `openssl enc -aes-128-cbc` with the key 00…0F, each message by itself.
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

    /// A chip that wants a CMAC gets no key where CFG 0 can be read.
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

    /// NXP MF0ICU2, table 11: key 00…0F as it lies in blocks 44…47.
    @Test func aKeyLiesInMemoryWithItsHalvesReversed() {
        #expect(Self.key.blocks(for: .tripleDES) == ["07060504", "03020100", "0F0E0D0C", "0B0A0908"].map { bytes($0) })
        #expect(UltralightKey.delivered.blocks(for: .tripleDES).flatMap(\.self) == Array("BREAKMEIFYOUCAN!".utf8))
        for count in 0..<16 { #expect(UltralightKey(Array(repeating: 0, count: count)) == nil) }
        for count in [0, 3, 5] { #expect(Type2Password(pwd: Array(repeating: 0, count: count)) == nil) }
        #expect(Type2Password(pwd: [0, 0, 0, 0], pack: [0]) == nil)
    }
}

/// A channel whose target refuses with a code of its own.
private final class CodedRefusals: TagChannel {
    private let inner: RecordingChannel
    private let code: UInt8
    var target: Target { inner.target }
    var maxCommandLength: Int { inner.maxCommandLength }
    var maxResponseLength: Int { inner.maxResponseLength }

    init(_ inner: RecordingChannel, _ code: UInt8) {
        self.inner = inner
        self.code = code
    }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        try inner.transceive(command, framing: framing, timeout: timeout)
    }

    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        let answer = try inner.exchangeFrame(command, timeout: timeout)
        return answer == .nibble(0x0) ? .nibble(code) : answer
    }

    func reselect() throws(ReaderError) { try inner.reselect() }
}
