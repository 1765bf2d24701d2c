// Silence and noise prove nothing about a tag. Only answers that the tag repeats are evidence
import Glibc
import ReaderInterface
import Testing

@testable import TagTypes

func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

@Suite struct EvidenceTests {
    private static let message = TagTypesTests.message(400)

    private func card(_ bytes: [UInt8] = Self.message) -> Type2Card { .ntag215(tlv(bytes)) }

    private func tag(_ channel: NoisyChannel) -> Type2Tag { Type2Tag(on: channel, patience: .instant) }

    @Test("A tag that is being placed is read, though long answers are lost at first") func edge() throws {
        let channel = NoisyChannel(card()) { _, length, number in number < 40 && length > 20 ? .lost : .delivered }
        #expect(try tag(channel).readNDEF() == Self.message)
    }

    @Test("Half of the long frames may be lost in every command", arguments: UInt64(1)...20)
    func losses(seed: UInt64) throws {
        let channel = NoisyChannel(card(), losing: 0.5, seed: seed)
        let tag = tag(channel)
        #expect(try tag.detect().status == .readWrite)
        #expect(try tag.readNDEF() == Self.message)
        try tag.writeNDEF([1, 2, 3])
        #expect(try tag.memoryMap().blocks.allSatisfy { $0.bytes != nil })
    }

    @Test("A FAST_READ that fails is shortened for the rest of the session") func shortened() throws {
        let channel = NoisyChannel(card()) { _, length, _ in length > 100 ? .lost : .delivered }
        #expect(try tag(channel).readNDEF() == Self.message)
        let failed = channel.commands.filter { $0[0] == 0x3A && (Int($0[2]) - Int($0[1]) + 1) * 4 > 100 }
        #expect(failed.count <= 4)
        #expect(channel.delivered.contains { $0 > 60 })
    }

    @Test("A FAST_READ whose answer contains bytes twice is repeated") func duplicates() throws {
        let channel = NoisyChannel(card()) { command, _, number in
            command[0] == 0x3A && number.isMultiple(of: 2) ? .duplicated : .delivered
        }
        #expect(try tag(channel).readNDEF() == Self.message)
    }

    @Test("READ is used if the reader always repeats bytes of FAST_READ") func duplicatesAlways() throws {
        let channel = NoisyChannel(card()) { command, _, _ in command[0] == 0x3A ? .duplicated : .delivered }
        #expect(try tag(channel).readNDEF() == Self.message)
    }

    @Test("A chip that only accepts short FAST_READs is read completely", arguments: [1, 3, 8, 16])
    func limitedFastRead(limit: Int) throws {
        let limited = MuteCard(card(), to: { $0[0] == 0x3A && Int($0[2]) - Int($0[1]) >= limit })
        let tag = Type2Tag(on: RecordingChannel(limited), patience: .instant)
        #expect(try tag.readNDEF() == Self.message)
        #expect(try tag.detect().status == .readWrite)
        #expect(try tag.memoryMap().blocks.allSatisfy { $0.bytes != nil })
    }

    @Test("Continued silence is not a reliable answer, whatever the command") func lastingSilence() {
        let channel = NoisyChannel(card()) { command, _, _ in [0x30, 0x3A].contains(command[0]) ? .lost : .delivered }
        guard case .noReliableAnswer("READ", _)? = error({ () throws(TagError) in try tag(channel).readNDEF() }) else {
            Issue.record("silence was taken for evidence")
            return
        }
    }

    @Test("A write that is never answered does not count as refused") func lastingSilenceOfWrites() {
        let channel = NoisyChannel(card()) { command, _, _ in command[0] == 0xA2 ? .lost : .delivered }
        guard
            case .writeInterrupted(_, _, _, .noReliableAnswer("WRITE", _))? = error({ () throws(TagError) in
                try tag(channel).writeNDEF([1])
            })
        else {
            Issue.record("silence was taken for evidence")
            return
        }
    }

    @Test("A command that the tag did not understand is repeated") func misunderstood() throws {
        let channel = NoisyChannel(card()) { command, length, number in
            length == 0 && number % 3 == 1 && [0x30, 0xA2, 0x3A].contains(command[0]) ? .misunderstood : .delivered
        }
        let tag = tag(channel)
        try tag.writeNDEF(Self.message.reversed())
        #expect(try tag.readNDEF() == Self.message.reversed())
    }

    @Test("A NAK that is repeated after a new activation is a refusal") func refusal() {
        let card = card()
        let channel = RecordingChannel(MuteCard(card, to: { $0[0] == 0xA2 }))
        #expect(
            error { () throws(TagError) in try Type2Tag(on: channel).writeNDEF([1]) }
                == .commandFailed(command: "WRITE", offset: 16, sw: nil))
        #expect(channel.commands.count { $0[0] == 0xA2 } == 3)
    }

    @Test("A single NAK is not a refusal") func singleRefusal() throws {
        let channel = RecordingChannel(MuteCard(card(), refusals: 2, to: { $0[0] == 0xA2 }))
        try Type2Tag(on: channel).writeNDEF([1])
    }

    @Test("A password area is found by refusals, despite noise", arguments: UInt64(1)...10)
    func guarded(seed: UInt64) throws {
        let card = card()
        (card.auth0, card.protectsReading) = (60, true)
        let map = try tag(NoisyChannel(card, losing: 0.3, seed: seed)).memoryMap()
        #expect(map.blocks.firstIndex { $0.bytes == nil } == 60)
        #expect(
            error { () throws(TagError) in try tag(NoisyChannel(card, losing: 0.3, seed: seed)).readNDEF() }
                == .passwordNeeded(block: 60))
    }

    @Test("A chip that misses GET_VERSION once is still identified") func version() throws {
        let channel = NoisyChannel(card()) { _, _, number in number == 1 ? .lost : .delivered }
        let tag = tag(channel)
        _ = try tag.detect()
        #expect(tag.chip?.name == "NTAG215")
    }

    @Test("GET_VERSION without an answer is sent a third time unless the memory is that of the first Ultralight")
    func silentVersion() throws {
        func commands(of card: Type2Card, missing count: Int) throws -> (String?, [[UInt8]]) {
            let channel = NoisyChannel(card) { command, _, number in
                command[0] == 0x60 && number <= count ? .lost : .delivered
            }
            let tag = tag(channel)
            _ = try tag.detect()
            return (tag.chip?.name, Array(channel.commands.prefix(5)))
        }
        let first = try commands(of: .ultralight(), missing: .max)
        #expect(first.0 == nil)
        #expect(first.1 == ["60", "60", "300D", "3000", "3004"].map { bytes($0) })
        let blank = try commands(of: .ultralight([], cc: "00000000"), missing: .max)
        #expect(blank.1 == ["60", "60", "300D", "3000", "60"].map { bytes($0) })
        let ev1 = Type2Card(blocks: 20, cc: "E1100600", version: "0004030101000B03", tlvs: bytes("0300FE"))
        let version = try commands(of: ev1, missing: 2)
        #expect(version.0 == "MIFARE Ultralight EV1 (MF0UL11)")
        #expect(Array(version.1.prefix(4)) == ["60", "60", "300D", "60"].map { bytes($0) })
        #expect(try commands(of: card(), missing: 2).0 == "NTAG215")
        // The configuration cannot be read, but the size is not that of the first Ultralight.
        let guarded = card()
        (guarded.auth0, guarded.protectsReading) = (16, true)
        #expect(try commands(of: guarded, missing: 2).0 == "NTAG215")
    }

    @Test("A chip is identified again before a change, unless its memory is that of the first Ultralight")
    func confirmation() throws {
        func count(of card: Type2Card) throws -> Int {
            let channel = NoisyChannel(card) { command, _, _ in command[0] == 0x60 ? .lost : .delivered }
            let tag = tag(channel)
            _ = try tag.detect()
            tag.confirmChip()
            _ = try tag.detect()
            return channel.commands.count { $0[0] == 0x60 }
        }
        #expect(try count(of: .ultralight()) == 2)
        #expect(try count(of: .ultralight([], cc: "00000000")) == 6)
        #expect(try count(of: card()) == 6)
    }

    @Test("A single NAK to a password that the tag has just accepted is not a refusal") func nakToProvenPassword()
        throws
    {
        let card = ChipCard.ntag213()
        let channel = RecordingChannel(MuteCard(card, refusals: 1, to: { $0[0] == 0x1B }))
        try Type2Tag(on: channel).protect(.writing, from: 4, with: Type2Secrets.credential)
        #expect(card.auth0 == 4)
    }

    @Test("A tag that counts wrong passwords gets no second password after a NAK, and the result is uncertain")
    func nakWhereTriesCount() {
        var count = 0
        let refusing = MuteCard(ChipCard.ntag213()) { command in
            count += command[0] == 0x1B ? 1 : 0
            // The first password is sent before the tag counts attempts.
            return command[0] == 0x1B && count > 1
        }
        let failure = error { () throws(TagError) in
            try Type2Tag(on: RecordingChannel(refusing))
                .protect(.writing, from: 4, with: Type2Secrets.credential, limit: 3)
        }
        guard case .protectionInterrupted(_, _, .noReliableAnswer("PWD_AUTH", nil))? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(count == 2)
    }

    @Test("A password that a tag refuses repeatedly is wrong") func lastingNAK() {
        let channel = RecordingChannel(MuteCard(ChipCard.ntag213(), to: { $0[0] == 0x1B }))
        let failure = error { () throws(TagError) in
            try Type2Tag(on: channel).protect(.writing, from: 4, with: Type2Secrets.credential)
        }
        guard case .protectionInterrupted(_, _, .wrongPassword(.none))? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    // MARK: Other types

    @Test("Type 1: half of the long frames may be lost", arguments: UInt64(1)...10) func type1(seed: UInt64) throws {
        let card = Type1Card.topaz96()
        let tag = Type1Tag(on: NoisyChannel(card, target: .type1, losing: 0.5, seed: seed), patience: .instant)
        try tag.writeNDEF([9, 8, 7])
        #expect(try tag.readNDEF() == [9, 8, 7])
    }

    @Test("Type 4: half of the long frames may be lost", arguments: UInt64(1)...10) func type4(seed: UInt64) throws {
        let card = Type4Card()
        let channel = NoisyChannel(card, target: .type4, losing: 0.5, seed: seed)
        let tag = Type4Tag(on: channel, patience: .instant)
        try tag.writeNDEF(TagTypesTests.message(200))
        #expect(try tag.readNDEF() == TagTypesTests.message(200))
    }

    @Test("Type 4: a SELECT of the capability container is repeated after SW 6F00, which is no evidence")
    func noDiagnosis() throws {
        func channel(_ count: Int) -> RecordingChannel {
            RecordingChannel(
                StatusCard(
                    Type4Card(), count: count, to: { $0.starts(with: [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x03]) }),
                target: .type4)
        }
        #expect(try Type4Tag(on: channel(1)).detect().status == .readWrite)
        guard
            case .noReliableAnswer? = error({ () throws(TagError) in try Type4Tag(on: channel(.max)).detect() })
        else {
            Issue.record("6F00 was taken for evidence")
            return
        }
    }
}

/// Answers some commands with SW 6F00, a given number of times.
private final class StatusCard: Card {
    private let card: any Card
    private var count: Int
    private let matches: ([UInt8]) -> Bool

    init(_ card: any Card, count: Int, to matches: @escaping ([UInt8]) -> Bool) {
        (self.card, self.count, self.matches) = (card, count, matches)
    }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        guard count > 0, matches(command) else { return card.answer(command, framing: framing) }
        count -= 1
        return [0x6F, 0x00]
    }

    func reset() { card.reset() }
}
