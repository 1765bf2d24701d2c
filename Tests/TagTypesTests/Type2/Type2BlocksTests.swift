// Type 2 Tag: raw blocks
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type2BlocksTests {
    private static let blocks: [(number: Int, bytes: [UInt8])] = [
        (9, bytes("09090909")), (5, bytes("05050505")), (4, bytes("0103A00C")), (20, bytes("14141414")),
    ]

    @Test func blocksAreWrittenInTheOrderGivenAndThoseThatHoldTheirBytesAreNot() throws {
        let card = Type2Card.ntag213()
        let channel = RecordingChannel(card)
        try Type2Tag(on: channel).writeBlocks(Self.blocks)
        #expect(card.writes == [9, 5, 20])
        #expect(Array(card.memory[20..<24]) == bytes("05050505"))
        // GET_VERSION and one FAST_READ, followed by WRITE and reading back for each block.
        #expect(channel.commands.count == 8)
    }

    /// Bits of the capability container cannot be cleared, so the block reads back differently.
    @Test func aBlockThatDoesNotHoldItsBytesIsAnError() {
        let card = Type2Card.ntag213()
        let failure = error { () throws(TagError) in
            try Type2Tag(on: RecordingChannel(card)).writeBlocks([(3, bytes("E1100000")), (9, bytes("09090909"))])
        }
        #expect(failure == .commandFailed(command: "WRITE", offset: 12, sw: nil))
        #expect(card.writes == [3])
    }

    @Test(arguments: [(45, "00000000"), (-1, "00000000"), (5, "000000"), (5, "")])
    func aBlockTheTagDoesNotHaveIsRefusedBeforeAnyWrite(number: Int, data: String) {
        let card = Type2Card.ntag213()
        let failure = error { () throws(TagError) in
            try Type2Tag(on: RecordingChannel(card)).writeBlocks([(9, bytes("09090909")), (number, bytes(data))])
        }
        #expect(failure == .unsupported(reason: "it has no \(data.count / 2)-byte block \(number)"))
        #expect(card.writes.isEmpty)
    }

    @Test func aFixedUIDIsFoundOutWithoutAChange() {
        let card = Type2Card.ntag213()
        let before = card.memory
        let tag = Type2Tag(on: RecordingChannel(card))
        let other: [(number: Int, bytes: [UInt8])] = [(5, bytes("05050505")), (0, bytes("04000000"))]
        let failure = error { () throws(TagError) in try tag.requireWritableUID(other) }
        #expect(failure == .unsupported(reason: "its UID is fixed: it refuses to write block 0"))
        // No write is tried if the UID stays the same.
        let same: [(number: Int, bytes: [UInt8])] = [(5, bytes("05050505")), (0, Array(before[0..<4]))]
        #expect(error { () throws(TagError) in try tag.requireWritableUID(same) } == nil)
        #expect(card.memory == before && card.writes.isEmpty)
    }

    @Test func aCutAtAnyCommandLeavesTheFirstBlocksNewAndTheOthersOld() throws {
        let whole = RecordingChannel(Type2Card.ntag213())
        try Type2Tag(on: whole).writeBlocks(Self.blocks)
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type2Card.ntag213()
                let tag = Type2Tag(on: RecordingChannel(card, fault: .lost(at: number, after: after)))
                #expect(error { () throws(TagError) in try tag.writeBlocks(Self.blocks) } != nil)
                #expect([9, 5, 20].starts(with: card.writes))
                for (number, bytes) in Self.blocks {
                    let isNew = card.writes.contains(number) || number == 4
                    #expect((Array(card.memory[number * 4..<number * 4 + 4]) == bytes) == isNew)
                }
            }
        }
    }

    @Test func oneLostAnswerIsSurvived() throws {
        for number in 1..<8 {
            for after in [false, true] {
                let card = Type2Card.ntag213()
                let channel = RecordingChannel(card, fault: .silence(at: number, after: after))
                try Type2Tag(on: channel).writeBlocks(Self.blocks)
                #expect(Array(card.memory[80..<84]) == bytes("14141414"))
            }
        }
    }

    @Test func tagsWithoutBlocksRefuse() {
        let tag = UnhandledTag(on: RecordingChannel(Type2Card.ntag213()))
        #expect(
            error { () throws(TagError) in try tag.writeBlocks([]) }
                == .unsupported(reason: "its memory cannot be written block by block"))
    }
}
