// Authentication by a password or key: when it is needed, how many times it is sent, and what a refusal means
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type2AuthenticationTests {
    private static let credential = Type2Secrets.credential

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

    /// Returns the operations for which these chips require the password: writing, or also reading.
    private func protected(_ index: Int, _ access: ProtectedAccess, limit: Int = 0) throws -> ChipCard {
        let (card, credential) = Type2Secrets.protectable[index]
        try Type2Tag(on: RecordingChannel(card)).protect(access, from: 4, with: credential, limit: limit)
        return card
    }

    @Test func readingATagThatProtectsOnlyWritingTakesNoPassword() throws {
        for (index, (_, credential)) in Type2Secrets.protectable.enumerated() {
            let channel = RecordingChannel(try protected(index, .writing))
            let tag = Type2Tag(on: channel)
            #expect(try tag.attemptLimit(for: .reading, with: credential) == nil)
            #expect(try tag.attemptLimit(for: .writing, with: credential) == Type2AttemptLimit.none)
            _ = try tag.readNDEF()
            #expect(!channel.commands.contains { $0[0] == 0x1B || $0[0] == 0xAF })
        }
    }

    @Test func readingATagThatProtectsReadingTakesThePassword() throws {
        for (index, (_, credential)) in Type2Secrets.protectable.enumerated() {
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
            let credential = Type2Secrets.protectable[index].1
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

    /// NXP NTAG213_215_216, ACK and NAK values: 1 is a parity or CRC error, and 4 means that too many passwords were
    /// wrong.
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
        let wrong = try #require(Type2Password(pwd: Type2Secrets.password.pwd, pack: [0xCC, 0xDD]))
        #expect(throws: TagError.foreignPACK) { try tag.authenticate(.password(wrong)) }
        #expect(channel.commands.count { $0[0] == 0x1B } == 1)
        #expect(tag.openedBy == nil)
        #expect(throws: TagError.passwordNeeded(block: 5)) { try tag.writeNDEF([]) }
    }
}

/// A channel whose target refuses with a given NAK code.
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
