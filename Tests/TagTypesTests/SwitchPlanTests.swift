// Writing in one step: after every interruption, the tag holds the old message or the new one
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct SwitchPlanTests {
    private static let cards: [@Sendable ([UInt8]) -> Type2Card] = [
        { Type2Card.ntag215(tlv($0)) }, { Type2Card.ntag213(bytes("0103A00C34") + tlv($0)) },
    ]

    private func write(_ message: [UInt8], to card: Type2Card, _ fault: RecordingChannel.Fault? = nil) throws(TagError)
    {
        let tag = Type2Tag(on: RecordingChannel(card, fault: fault))
        try tag.carryOut(try tag.planWrite(message, .atOnce), .forward)
    }

    private func held(by card: Type2Card) throws -> [UInt8] {
        try Type2Tag(on: RecordingChannel(card)).readNDEF()
    }

    @Test(arguments: 0...1, [(20, 30), (30, 20), (0, 5), (7, 7), (40, 39)])
    func anyCutLeavesTheOldOrTheNewMessage(card: Int, lengths: (old: Int, new: Int)) throws {
        let (old, new) = (message(lengths.old), message(lengths.new, seed: 9))
        let whole = RecordingChannel(Self.cards[card](old))
        let tag = Type2Tag(on: whole)
        try tag.carryOut(try tag.planWrite(new, .atOnce), .forward)
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Self.cards[card](old)
                let failure = error { () throws(TagError) in try write(new, to: card, .lost(at: number, after: after)) }
                let found = try held(by: card)
                switch failure {
                case .reader(.tagLost)?, .writeInterrupted(.unchanged, _, _, _)?: #expect(found == old)
                case .writeInterrupted(.unchangedOrNew, _, new.count, .reader(.tagLost))?:
                    #expect([old, new].contains(found))
                default: Issue.record("\(String(describing: failure)) at \(number)")
                }
            }
        }
    }

    @Test func theTwoPlacesAreUsedInTurn() throws {
        let card = Type2Card.ntag215(tlv(ReplacedMessageTests.record(100)))
        var isBehind: [Bool] = []
        for seed in 1...6 {
            let message = ReplacedMessageTests.record(80 + seed, seed: seed)
            try write(message, to: card)
            #expect(try held(by: card) == message)
            #expect(try Type2Tag(on: RecordingChannel(card)).detect().capacity == 492)
            isBehind.append(card.memory[16] == 0xFD)
        }
        // The messages are placed after, before and after the old one. A message that no longer fits into the place
        // before goes after the others, and the next one goes back.
        #expect(isBehind == [true, false, true, true, true, true])
    }

    /// Two earlier messages, each in a separate proprietary TLV; NULL TLVs; and a TLV that ends within a unit.
    static let crowded = [
        bytes("FD06") + ReplacedMessageTests.record(6) + bytes("FD0E") + ReplacedMessageTests.record(14),
        bytes("FD06") + ReplacedMessageTests.record(6) + bytes("000000000000 00000000"),
        bytes("FD0C") + ReplacedMessageTests.record(12),
    ]

    @Test(arguments: crowded, [5, 12, 16])
    func aCutBetweenProprietaryTLVsLeavesTheOldOrTheNewMessage(before: [UInt8], length: Int) throws {
        let (old, new) = (message(20), message(length, seed: 9))
        let whole = RecordingChannel(Type2Card.ntag215(before + tlv(old)))
        let tag = Type2Tag(on: whole)
        let plan = try tag.planWrite(new, .atOnce)
        try tag.carryOut(plan, .forward)
        #expect(try Type2Tag(on: RecordingChannel(Type2Card.ntag215(before + tlv(old)))).readNDEF() == old)
        for number in 0..<whole.commands.count {
            let card = Type2Card.ntag215(before + tlv(old))
            _ = error { () throws(TagError) in try write(new, to: card, .lost(at: number, after: true)) }
            #expect([old, new].contains(try held(by: card)), "cut at \(number)")
        }
        // If a unit that does not switch is torn, no message is lost.
        for piece in plan.body {
            let card = Type2Card.ntag215(before + tlv(old))
            for index in piece.new.indices { card.memory[piece.address + index] = 0xFF }
            #expect(try held(by: card) == old, "torn at \(piece.address)")
        }
    }

    @Test(arguments: [bytes("0300FE"), bytes("FD1E") + ReplacedMessageTests.record(30, seed: 5) + tlv(message(20))])
    func aCutWhileGoingBackLeavesTheOldOrTheNewMessage(tlvs: [UInt8]) throws {
        let new = message(25, seed: 9)
        let old = try Type2Tag(on: RecordingChannel(Type2Card.ntag215(tlvs))).readNDEF()
        let first = Type2Card.ntag215(tlvs)
        let tag = Type2Tag(on: RecordingChannel(first))
        let plan = try tag.planWrite(new, .atOnce)
        try tag.carryOut(plan, .forward)
        let switched = first.memory
        let whole = RecordingChannel(first)
        try Type2Tag(on: whole).carryOut(plan, .backward)
        #expect(first.memory == Type2Card.ntag215(tlvs).memory)
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type2Card.ntag215(tlvs)
                card.memory = switched
                let channel = RecordingChannel(card, fault: .lost(at: number, after: after))
                let failure = error { () throws(TagError) in try Type2Tag(on: channel).carryOut(plan, .backward) }
                let found = try held(by: card)
                switch failure {
                case .reader(.tagLost)?: #expect(found == new)
                case .writeInterrupted(.new, _, _, .reader(.tagLost))?: #expect(found == old)
                case .writeInterrupted(.unchangedOrNew, _, _, .reader(.tagLost))?: #expect([old, new].contains(found))
                default: Issue.record("\(String(describing: failure)) at \(number)")
                }
                try Type2Tag(on: RecordingChannel(card)).carryOut(plan, .backward)
                #expect(try held(by: card) == old)
            }
        }
    }

    @Test func aTLVOfAnotherProgramTakesNoMessage() throws {
        let foreign = bytes("FD12 AABBCCDDEEFF00112233445566778899AABB")
        let card = Type2Card.ntag215(foreign + tlv(ReplacedMessageTests.record(20)))
        for seed in 1...3 {
            try write(ReplacedMessageTests.record(10, seed: seed), to: card)
            #expect(try held(by: card) == ReplacedMessageTests.record(10, seed: seed))
            #expect(Array(card.memory[16..<36]) == foreign)
        }
    }

    @Test func aMessageOver254BytesSwitchesToo() throws {
        let card = Type2Card.ntag216(tlv(message(400)))
        try write(message(300, seed: 3), to: card)
        #expect(try held(by: card) == message(300, seed: 3))
        try write(message(10, seed: 4), to: card)
        #expect(try held(by: card) == message(10, seed: 4))
    }

    @Test func withoutRoomForBothNothingIsWritten() throws {
        let card = Type2Card.ntag213(bytes("0103A00C34") + tlv(message(100)))
        let failure = error { () throws(TagError) in try write(message(60), to: card) }
        #expect(failure == .noRoomBeside(length: 60, room: 34))
        #expect(card.writes.isEmpty)
    }

    @Test func typesWithoutTLVsSaySo() throws {
        let tag = Type4Tag(on: RecordingChannel(Type4Card(), target: .type4))
        #expect(
            error { () throws(TagError) in try tag.planWrite([1], .atOnce) }
                == .unsupported(reason: "a Type 4 Tag has room for one message only"))
    }
}
