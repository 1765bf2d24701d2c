// Writing at once: at every cut the tag holds the old message or the new one, never none
import NFCReader
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
        let card = Type2Card.ntag215(tlv(message(100)))
        var sizes: [Int] = []
        for seed in 1...6 {
            try write(message(80 + seed, seed: seed), to: card)
            #expect(try held(by: card) == message(80 + seed, seed: seed))
            sizes.append(try Type2Tag(on: RecordingChannel(card)).detect().capacity)
        }
        // Behind, before, behind; a message that has outgrown its place goes behind once more, and then there is room.
        #expect(sizes == [388, 492, 408, 320, 492, 404])
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
