// The remains of a write in one step: a plain write reuses their space, and a wipe removes them
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct ReplacedMessageTests {
    /// Returns a message with one external record that has this many bytes in total, at least 6 — NDEF, Record Layout:
    /// MB ME SR, TNF 4.
    static func record(_ count: Int, seed: Int = 0) -> [UInt8] {
        [0xD4, 0x01, UInt8(count - 4), 0x78] + message(count - 4, seed: seed)
    }

    private func atOnce(_ message: [UInt8], to card: Type2Card) throws {
        let tag = Type2Tag(on: RecordingChannel(card))
        try tag.carryOut(try tag.planWrite(message, .atOnce), .forward)
    }

    private func held(by card: Type2Card) throws -> [UInt8] { try Type2Tag(on: RecordingChannel(card)).readNDEF() }

    private func capacity(of card: Type2Card) throws -> Int {
        try Type2Tag(on: RecordingChannel(card)).detect().capacity
    }

    /// Returns an NTAG213 with its Lock Control TLV.
    private static func ntag213(_ tlvs: [UInt8]) -> Type2Card { Type2Card.ntag213(bytes("0103A00C34") + tlvs) }

    @Test(arguments: [0, 10, 40, 50])
    func aWriteAtOnceTakesNoRoomFromTheNextPlainWrite(length: Int) throws {
        let old = length == 0 ? [] : Self.record(length)
        let card = Self.ntag213(tlv(old) + bytes("0000"))
        try atOnce(Self.record(20, seed: 3), to: card)
        #expect(try capacity(of: card) == 137)
        try Type2Tag(on: RecordingChannel(card)).writeNDEF(Self.record(137, seed: 5))
        #expect(try held(by: card) == Self.record(137, seed: 5))
        #expect(Array(card.memory[16..<23]) == bytes("0103A00C340389"))
    }

    @Test(arguments: [0, 30, 60, 100], [false, true])
    func anyCutOfTheWriteThatTakesItBackLeavesTheOldMessageNoneOrTheNew(length: Int, isWiping: Bool) throws {
        let (old, new) = (Self.record(20, seed: 3), length == 0 || isWiping ? [] : Self.record(length, seed: 5))
        let first = Self.ntag213(tlv(Self.record(50)) + bytes("0000"))
        try atOnce(old, to: first)
        let (before, whole) = (first.memory, RecordingChannel(first))
        let tag = Type2Tag(on: whole)
        let plan = isWiping ? try tag.planWipe() : try tag.planWrite(new, .throughEmpty)
        let planned = whole.commands.count
        try tag.carryOut(plan, .forward)
        #expect(try held(by: first) == new)
        for number in 0..<whole.commands.count - planned + 2 {
            for after in [false, true] {
                for direction in [WritePlan.Direction.forward, .backward] {
                    let card = Self.ntag213([])
                    card.memory = before
                    _ = error { () throws(TagError) in
                        let channel = RecordingChannel(card, fault: .lost(at: number, after: after))
                        try Type2Tag(on: channel).carryOut(plan, .forward)
                    }
                    #expect([old, [], new].contains(try held(by: card)), "cut at \(number)")
                    try Type2Tag(on: RecordingChannel(card)).carryOut(plan, direction)
                    #expect(try held(by: card) == plan.message(direction))
                }
            }
        }
    }

    @Test func aWipeLeavesNothingOfAMessageThatWasReplacedAtOnce() throws {
        let card = Self.ntag213(tlv(Self.record(50)))
        try atOnce(Self.record(20, seed: 3), to: card)
        let tag = Type2Tag(on: RecordingChannel(card))
        try tag.carryOut(try tag.planWipe(), .forward)
        #expect(Array(card.memory[16..<160]) == bytes("0103A00C340300FE") + Array(repeating: 0, count: 136))
    }

    /// A TLV of another program, of an unknown kind, and a message followed by another program's data.
    static let foreign = [
        bytes("FD06 AABBCCDDEEFF"), bytes("FD08 D00000FEAABBCCDD"), bytes("4404 D0000000"),
    ]

    @Test(arguments: foreign)
    func whatAnotherProgramKeepsInATLVStaysButForAWipe(tlvs: [UInt8]) throws {
        let card = Type2Card.ntag215(tlvs + tlv(Self.record(20)))
        let capacity = try capacity(of: card)
        #expect(capacity == 496 - tlvs.count - 4)
        try Type2Tag(on: RecordingChannel(card)).writeNDEF(Self.record(30))
        #expect(Array(card.memory[16..<16 + tlvs.count]) == tlvs)
        let tag = Type2Tag(on: RecordingChannel(card))
        try tag.carryOut(try tag.planWipe(), .forward)
        let value = 16 + 2..<16 + 2 + Int(tlvs[1])
        #expect(card.memory[value].allSatisfy { $0 == 0 })
        #expect(try held(by: card) == [] && self.capacity(of: card) == capacity)
    }

    @Test func aClassicGivesItBackToo() throws {
        let card = ClassicCard.ndef(tlv(Self.record(60)))
        func tag() -> ClassicTag { ClassicTag(on: RecordingChannel(card, target: .classic)) }
        try tag().carryOut(try tag().planWrite(Self.record(200, seed: 3), .atOnce), .forward)
        #expect(try tag().detect().capacity == 716)
        try tag().writeNDEF(message(716))
        #expect(try tag().readNDEF() == message(716))
    }

    @Test func aCutHeaderIsNoMessage() {
        let whole = Self.record(30)
        #expect(ReplacedMessage(whole, unit: 4) != nil)
        for count in 1..<whole.count { #expect(ReplacedMessage(Array(whole.prefix(count)), unit: 4) == nil) }
        #expect(ReplacedMessage([], unit: 4) == nil)
    }
}
