// Plans survive an interruption: the same plan, in a later activation, ends in the new message or in the old one
import Chance
import Foundation
import ReaderInterface
import Testing

@testable import TagTypes

/// A card that a write can leave torn.
protocol TearableCard: Card {
    /// The bytes of its message area.
    var memory: [UInt8] { get set }
}

extension Type2Card: TearableCard {}
extension Type5Card: TearableCard {}
extension ClassicCard: TearableCard {}
extension Type4Card: TearableCard {
    var memory: [UInt8] {
        get { ndef }
        set { ndef = newValue }
    }
}

@Suite struct WritePlanTests {
    /// A tag kept in memory, and how to place it on a reader.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let target: Target
        let card: @Sendable ([UInt8]) -> any TearableCard
        let tag: @Sendable (any TagChannel) -> any ForumTag
        /// The length of the longest test message for this tag.
        var capacity = 300
        /// The number of bytes per address in its plans.
        var addressUnit = 1
    }

    static let cases = [
        Case(testDescription: "NTAG215", target: .type2, card: { Type2Card.ntag215(tlv($0)) }) { Type2Tag(on: $0) },
        Case(
            testDescription: "NTAG215 with a Lock Control TLV", target: .type2,
            card: { Type2Card.ntag215(Type2WriteTests.lockControlTLV + tlv($0)) }, tag: { Type2Tag(on: $0) }),
        Case(
            testDescription: "Ultralight", target: .type2, card: { Type2Card.ultralight(tlv($0)) },
            tag: { Type2Tag(on: $0) }, capacity: 46),
        Case(
            testDescription: "Topaz 96", target: .type1, card: { Type1Card.topaz96($0) }, tag: { Type1Tag(on: $0) },
            capacity: 90),
        Case(testDescription: "Topaz 512", target: .type1, card: { Type1Card.topaz512($0) }, tag: { Type1Tag(on: $0) }),
        Case(
            testDescription: "FeliCa Lite-S", target: .liteS, card: { Type3Card.liteS($0) }, tag: { Type3Tag(on: $0) },
            capacity: 208, addressUnit: 16),
        Case(
            testDescription: "Type 3", target: .type3, card: { Type3Card.generic($0) }, tag: { Type3Tag(on: $0) },
            addressUnit: 16),
        Case(testDescription: "Type 4", target: .type4, card: { Type4Card(message: $0) }) { Type4Tag(on: $0) },
        Case(testDescription: "ICODE SLIX2", target: Type5Card.slix2([]).target, card: { Type5Card.slix2($0) }) {
            Type5Tag(on: $0)
        },
        Case(
            testDescription: "Type 5 with blocks of 8 bytes, of which the first is container and TLV",
            target: Type5Card.myD([]).target, card: { Type5Card.myD($0) }, tag: { Type5Tag(on: $0) }, capacity: 240),
        Case(
            testDescription: "Type 5 with a TLV head in two blocks", target: Type5Card.straddled([]).target,
            card: { Type5Card.straddled($0) }, tag: { Type5Tag(on: $0) }, capacity: 60),
        Case(
            testDescription: "Type 5 with blocks of 32 bytes", target: Type5Card.large([]).target,
            card: { Type5Card.large($0) }, tag: { Type5Tag(on: $0) }),
        Case(testDescription: "ST25DV16K", target: Type5Card.st25DV16K([]).target, card: { Type5Card.st25DV16K($0) }) {
            Type5Tag(on: $0)
        },
        Case(
            testDescription: "M24LR", target: Type5Card.m24LR64([]).target,
            card: { Type5Card.m24LR64($0, blocks: 320) }, tag: { Type5Tag(on: $0) }, capacity: 60),
        Case(testDescription: "Classic", target: .classic, card: { ClassicCard.ndef(tlv($0)) }) { ClassicTag(on: $0) },
    ]
    static let pairs = [(0, 3), (20, 0), (3, 40), (254, 255), (255, 254), (300, 256), (40, 40)]

    @Test(arguments: cases, pairs)
    func everyCutIsRecoveredFromEitherWay(tag: Case, lengths: (old: Int, new: Int)) throws {
        let (old, new) = (message(lengths.old), message(lengths.new, seed: 77))
        guard max(old.count, new.count) <= tag.capacity else { return }
        let whole = RecordingChannel(tag.card(old), target: tag.target)
        let writer = tag.tag(whole)
        let plan = try writer.planWrite(new, .throughEmpty)
        let first = whole.commands.count
        try writer.carryOut(plan, .forward)
        let stored = try JSONDecoder().decode(WritePlan.self, from: JSONEncoder().encode(plan))
        #expect(stored == plan)
        var generator = SplitMix(state: 1)
        for number in first..<whole.commands.count {
            for direction in [WritePlan.Direction.forward, .backward] {
                let card = tag.card(old)
                let before = card.memory
                let channel = RecordingChannel(card, target: tag.target, fault: .lost(at: number, after: true))
                _ = error { () throws(TagError) in
                    let tag = tag.tag(channel)
                    try tag.carryOut(try tag.planWrite(new, .throughEmpty), .forward)
                }
                // Power failed during the last command's write, so each byte is the old one, the new one, or arbitrary.
                for index in card.memory.indices
                where card.memory[index] != before[index] && plan.covers(index, unit: tag.addressUnit) {
                    if Bool.random(using: &generator) { card.memory[index] = .random(in: 0...255, using: &generator) }
                }
                try tag.tag(RecordingChannel(card, target: tag.target)).carryOut(stored, direction)
                let held = try tag.tag(RecordingChannel(card, target: tag.target)).readNDEF()
                #expect(held == (direction == .forward ? new : old), "cut at \(number), \(direction)")
            }
        }
    }

    /// The tag accepts the command that sets the length to zero, refuses a READ after that, and does not count as
    /// unchanged.
    @Test func aRefusalAfterTheLengthWasZeroedIsNoRefusalOfTheWrite() throws {
        let card = Type2Card.ultralight(tlv(message(20)))
        let channel = RecordingChannel(
            MuteCard(card, refusals: 3) { $0[0] == 0x30 && card.writes == [4] })
        let failure = error { () throws(TagError) in try Type2Tag(on: channel).writeNDEF(message(10, seed: 3)) }
        guard case .writeInterrupted(.empty, _, 10, .commandFailed)? = failure else {
            Issue.record("\(String(describing: failure))"); return
        }
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF().isEmpty)
    }

    @Test(arguments: cases, pairs)
    func aPlanThatLeavesTheOldMessageUnreadGoesForwardOnly(tag: Case, lengths: (old: Int, new: Int)) throws {
        let (old, new) = (message(lengths.old), message(lengths.new, seed: 77))
        guard max(old.count, new.count) <= tag.capacity else { return }
        let keeping = RecordingChannel(tag.card(old), target: tag.target)
        let kept = try tag.tag(keeping).planWrite(new, .throughEmpty, oldMessage: .kept)
        let card = tag.card(old)
        let channel = RecordingChannel(card, target: tag.target)
        let plan = try tag.tag(channel).planWrite(new, .throughEmpty, oldMessage: .unread)
        #expect(channel.commands.count <= keeping.commands.count)
        #expect(plan.oldMessage == nil && kept.oldMessage == old)
        #expect(plan.pieces.map(\.address) == kept.pieces.map(\.address))
        #expect(plan.head.last == kept.head.last && plan.closed == kept.closed)
        let before = card.memory
        let refusal = error { () throws(TagError) in try tag.tag(channel).carryOut(plan, .backward) }
        #expect(refusal == .unsupported(reason: "the old message was not read, so it cannot be brought back"))
        #expect(card.memory == before)
        try tag.tag(channel).carryOut(plan, .forward)
        #expect(try tag.tag(RecordingChannel(card, target: tag.target)).readNDEF() == new)
    }

    /// An interrupted write that cannot be undone leaves one of three messages, never a mixture.
    @Test(arguments: cases, pairs)
    func everyCutOfAWriteThatReadNothingLeavesOldEmptyOrNew(tag: Case, lengths: (old: Int, new: Int)) throws {
        let (old, new) = (message(lengths.old), message(lengths.new, seed: 77))
        guard max(old.count, new.count) <= tag.capacity else { return }
        let whole = RecordingChannel(tag.card(old), target: tag.target)
        try tag.tag(whole).writeNDEF(new)
        for number in whole.commands.indices {
            for after in [false, true] {
                let card = tag.card(old)
                let channel = RecordingChannel(card, target: tag.target, fault: .lost(at: number, after: after))
                _ = error { () throws(TagError) in try tag.tag(channel).writeNDEF(new) }
                let held = try tag.tag(RecordingChannel(card, target: tag.target)).readNDEF()
                #expect([old, [], new].contains(held), "cut at \(number)")
            }
        }
    }

    @Test(arguments: cases) func aPlanThatIsDoneWritesNothing(tag: Case) throws {
        let card = tag.card(message(30))
        let plan = try tag.tag(RecordingChannel(card, target: tag.target)).planWrite(
            message(40, seed: 5), .throughEmpty)
        try tag.tag(RecordingChannel(card, target: tag.target)).carryOut(plan, .forward)
        let done = card.memory
        let channel = RecordingChannel(card, target: tag.target)
        try tag.tag(channel).carryOut(plan, .forward)
        #expect(card.memory == done)
    }
}

extension WritePlan {
    /// Whether a byte of the card's memory is one that the plan writes.
    fileprivate func covers(_ address: Int, unit: Int) -> Bool {
        pieces.contains { ($0.address * unit..<$0.address * unit + $0.new.count).contains(address) }
    }
}
