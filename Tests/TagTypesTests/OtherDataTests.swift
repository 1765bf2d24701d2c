// TLVs of other programs after the message: those that a write replaces, and how they are restored — NFC Forum T2T, TLV
// Blocks
import Testing

@testable import TagTypes

@Suite struct OtherDataTests {
    private static let old = message(5)
    private static let other = bytes("FD 04 CAFEBABE")

    private static func card(_ after: String) -> Type2Card {
        Type2Card.ntag215([0x03, UInt8(old.count)] + old + bytes(after))
    }

    private static func plan(_ new: [UInt8], on card: Type2Card, followedBy trail: [UInt8] = []) throws -> WritePlan {
        try Type2Tag(on: RecordingChannel(card)).planWrite(new, .throughEmpty, oldMessage: .kept, followedBy: trail)
    }

    @Test(
        arguments: [
            ("FE", nil), ("00FE", nil), ("FE FD04CAFEBABE", nil), ("54657874", nil), ("FD00FE", nil),
            // Longer than the data area, and a message that was replaced in one step.
            ("FDFFFE000000", nil), ("FD06 D4010178 01FE FE", nil),
            ("FD04CAFEBABE FE", "FD04CAFEBABE"), ("000000 FD02CAFE 00 FD01BA FE", "000000FD02CAFE00FD01BA"),
            ("FDFF0003CAFEBA 0000", "FDFF0003CAFEBA"), ("FD02CAFE 0303D00000FE", "FD02CAFE"),
        ] as [(String, String?)])
    func onlyWholeProprietaryTLVsBeforeTheTerminatorCount(after: String, other: String?) throws {
        let plan = try Self.plan(message(40, seed: 9), on: Self.card(after))
        #expect(plan.displaced == other.map { bytes($0) })
    }

    /// A shorter message only hides these TLVs, and a longer one overwrites them.
    @Test(arguments: [0, 2, 5, 40]) func theyComeBackWithTheOldMessage(length: Int) throws {
        let card = Self.card("FD04CAFEBABE FE")
        let before = card.memory
        let plan = try Self.plan(message(length, seed: 9), on: card)
        let displaced = try #require(plan.displaced)
        try Type2Tag(on: RecordingChannel(card)).carryOut(plan, .forward)
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(length, seed: 9))
        let back = try Self.plan(Self.old, on: card, followedBy: displaced)
        try Type2Tag(on: RecordingChannel(card)).carryOut(back, .forward)
        let end = 16 + 2 + Self.old.count + Self.other.count + 1
        #expect(Array(card.memory[16..<end]) == Array(before[16..<end]))
        // The TLVs are now where the plan puts them, so the same plan displaces none.
        #expect(try Self.plan(Self.old, on: card, followedBy: displaced).displaced == nil)
    }

    @Test func aWriteThatIsTakenBackHalfwayLosesNothing() throws {
        let card = Self.card("FD04CAFEBABE FE")
        let before = card.memory
        let plan = try Self.plan(message(9, seed: 9), on: card)
        try Type2Tag(on: RecordingChannel(card)).carryOut(plan, .forward)
        try Type2Tag(on: RecordingChannel(card)).carryOut(plan, .backward)
        #expect(Array(card.memory[16..<32]) == Array(before[16..<32]))
    }

    @Test func aWriteInOneStepReportsThemToo() throws {
        let plan = try Type2Tag(on: RecordingChannel(Self.card("FD04CAFEBABE FE"))).planWrite(message(9), .atOnce)
        #expect(plan.displaced == Self.other)
    }

    @Test func aPlanThatReadsNoOldMessageDoesNotLookForThem() throws {
        let tag = Type2Tag(on: RecordingChannel(Self.card("FD04CAFEBABE FE")))
        #expect(try tag.planWrite(message(9), .throughEmpty, oldMessage: .unread).displaced == nil)
    }
}
