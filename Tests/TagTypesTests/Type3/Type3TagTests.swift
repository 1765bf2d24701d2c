// Type 3 Tag: sequences, figures, interruptions, hostile numbers
import Chance
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type3TagTests {
    private func lite(_ card: Type3Card, fault: RecordingChannel.Fault? = nil) -> RecordingChannel {
        RecordingChannel(card, target: .liteS, fault: fault)
    }
    private func generic(
        _ card: Type3Card, fault: RecordingChannel.Fault? = nil, maxCommandLength: Int = 262,
        maxResponseLength: Int = 262
    ) -> RecordingChannel {
        RecordingChannel(
            card, target: .type3, fault: fault, maxCommandLength: maxCommandLength, maxResponseLength: maxResponseLength
        )
    }

    private static let idm = "012E4CD2A1B2C3D4"

    // MARK: Sequences

    @Test func aLiteSIsPolledForNDEFAndReadFourBlocksAtATime() throws {
        // The attribute information block of an empty Lite-S: Ver 10, Nbr 4, Nbw 1, Nmaxb 13, RWFlag 1. Ln is 3 here.
        let channel = ScriptedChannel(
            .liteS,
            [
                .exchange(.raw, command: "06 00 12FC 00 00", answer: "12 01 \(Self.idm) 00F1000000014300"),
                .exchange(
                    .raw, command: "16 06 \(Self.idm) 01 0B00 04 8000 8001 8002 8088",
                    answer: "4D 07 \(Self.idm) 0000 04 100401000D0000000000010000030026"
                        + "D0000000000000000000000000000000" + String(repeating: "00", count: 16)
                        + "FFFFFF01070000000000000000000000"),
            ])
        let tag = Type3Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 208, messageLength: 3))
        #expect(try tag.readNDEF() == bytes("D00000"))
        #expect(tag.chip?.name == "FeliCa Lite-S (RC-S966)")
        #expect(channel.isFinished)
    }

    @Test func allSystemsOfACardAreListed() throws {
        let card = Type3Card.generic()
        #expect(try Type3Tag(on: generic(card)).memoryMap().systemCodes.isEmpty)
        card.systems = bytes("000312FCFE00")
        #expect(try Type3Tag(on: generic(card)).memoryMap().systemCodes == ["0003", "12FC", "FE00"].map(bytes))
    }

    @Test func aMessageIsWrittenBetweenTwoWritesOfTheAttributeBlock() throws {
        let read = "01 0B00 01 80"
        let write = "01 0900 01 80"
        let ok = "0C 09 \(Self.idm) 0000"
        let empty = "10010100020000000000010000000015"
        let writing = "1001010002000000000F010000000024"
        let done = "10010100020000000000010000020017"
        let body = "D000" + String(repeating: "00", count: 14)
        func answer(_ block: String) -> String { "1D 07 \(Self.idm) 0000 01 \(block)" }
        let channel = ScriptedChannel(
            .type3,
            [
                .exchange(.raw, command: "10 06 \(Self.idm) \(read) 00", answer: answer(empty)),
                .exchange(.raw, command: "20 08 \(Self.idm) \(write) 00 \(writing)", answer: ok),
                .exchange(.raw, command: "20 08 \(Self.idm) \(write) 01 \(body)", answer: ok),
                .exchange(.raw, command: "10 06 \(Self.idm) \(read) 01", answer: answer(body)),
                .exchange(.raw, command: "20 08 \(Self.idm) \(write) 00 \(done)", answer: ok),
                .exchange(.raw, command: "10 06 \(Self.idm) \(read) 00", answer: answer(done)),
            ])
        try Type3Tag(on: channel).writeNDEF(bytes("D000"))
        #expect(channel.isFinished)
    }

    @Test func theNDEFSystemMayGoByAnotherIDm() throws {
        let card = Type3Card.generic(message(40))
        card.idmOfNDEF = bytes("112E4CD2A1B2C3D4")
        let target = Target.nfcF(
            NFCFTarget(nfcID2: Type3Card.idm, pad: bytes("0120220427674EFF"), systemCode: [0x00, 0x03]))
        #expect(try Type3Tag(on: RecordingChannel(card, target: target)).readNDEF() == message(40))
    }

    /// FeliCa cards cannot be silenced one by one, so a card behind this one may answer the poll for NDEF.
    @Test func anotherCardThatAnswersThePollForNDEFIsNotTakenForThisOne() throws {
        let other = Type3Card.generic(message(40))
        other.idmOfNDEF = bytes("0139000000000001")
        let target = Target.nfcF(
            NFCFTarget(nfcID2: Type3Card.idm, pad: bytes("0120220427674EFF"), systemCode: [0x00, 0x03]))
        let tag = Type3Tag(on: RecordingChannel(other, target: target))
        #expect(try tag.detect().status == .notSupported)
        #expect(throws: TagError.self) { try tag.writeNDEF(message(5)) }
        #expect(try Type3Tag(on: generic(Type3Card.generic(message(40)))).readNDEF() == message(40))
    }

    // MARK: Figures

    @Test func aLiteSIsReadInFiveExchangesAndWrittenIn22() throws {
        let read = lite(.liteS(message(208)))
        #expect(try Type3Tag(on: read).readNDEF() == message(208))
        #expect(read.commands.count == 5)
        let card = Type3Card.liteS()
        let write = lite(card)
        try Type3Tag(on: write).writeNDEF(message(208))
        #expect(write.commands.count == 22)
        #expect(try Type3Tag(on: lite(card)).readNDEF() == message(208))
    }

    @Test func aGenericCardIsReadAndWrittenByNbrAndNbw() throws {
        let read = generic(.generic(message(800)))
        #expect(try Type3Tag(on: read).readNDEF() == message(800))
        #expect(read.commands.count == 6)
        let card = Type3Card.generic()
        let write = generic(card)
        try Type3Tag(on: write).writeNDEF(message(800))
        #expect(write.commands.count == 16)
        #expect(card.writes.map(\.count) == [1, 8, 8, 8, 8, 8, 8, 2, 1])
    }

    @Test func aSmallReaderGetsSmallCommands() throws {
        let card = Type3Card.generic(message(300))
        let channel = generic(card, maxCommandLength: 64, maxResponseLength: 64)
        #expect(try Type3Tag(on: channel).readNDEF() == message(300))
        try Type3Tag(on: channel).writeNDEF(message(290, seed: 4))
        #expect(channel.commands.allSatisfy { $0.count <= 64 && $0[13 % $0.count] <= 3 })
        #expect(try Type3Tag(on: generic(card)).readNDEF() == message(290, seed: 4))
    }

    @Test func aCardThatTakesLessThanItSaysGetsLess() throws {
        let card = Type3Card(blocks: 101, nbr: 15, nbw: 13, limits: (4, 2), message: message(500))
        #expect(try Type3Tag(on: generic(card)).readNDEF() == message(500))
        try Type3Tag(on: generic(card)).writeNDEF(message(400, seed: 4))
        #expect(try Type3Tag(on: generic(card)).readNDEF() == message(400, seed: 4))
        #expect(card.writes.allSatisfy { $0.count <= 2 })
    }

    @Test func blocksFrom256OnAreNamedByThreeBytes() throws {
        let card = Type3Card(blocks: 400, nbr: 15, nbw: 13, message: message(5000))
        #expect(try Type3Tag(on: generic(card)).readNDEF() == message(5000))
        try Type3Tag(on: generic(card)).writeNDEF(message(5500, seed: 4))
        #expect(try Type3Tag(on: generic(card)).readNDEF() == message(5500, seed: 4))
    }

    // MARK: The attribute information block

    @Test func aCutOffWriteReadsAsEmptyAndSaysSo() throws {
        let card = Type3Card.generic(message(40))
        card.put(Type3Card.attributes(nbr: 12, nbw: 8, nmaxb: 100, writeFlag: 0x0F, length: 40), at: 0)
        let tag = Type3Tag(on: generic(card))
        var state = NDEFState(
            status: .readWrite, capacity: 1600, messageLength: 0,
            reason: "a write to it was interrupted (WriteFlag 0F)")
        state.isInterrupted = true
        #expect(try tag.detect() == state)
        #expect(state.holding(7) == NDEFState(status: .readWrite, capacity: 1600, messageLength: 7))
        #expect(try tag.readNDEF() == [])
        #expect(throws: TagError.self) { try tag.makeReadOnly() }
        try tag.writeNDEF(message(7))
        #expect(try Type3Tag(on: generic(card)).readNDEF() == message(7))
    }

    @Test(arguments: [
        ("10000800640000000000010000000000", "Nbr", "00"), ("100C0000640000000000010000000000", "Nbw", "00"),
        ("100C0800000000000000010000000000", "Nmaxb", "0000"), ("100C0800640000000001010000000000", "WriteFlag", "01"),
        ("100C0800640000000000020000000000", "RWFlag", "02"),
    ])
    func everyFieldIsChecked(hexBlock: String, field: String, found: String) throws {
        var block = bytes(hexBlock)
        let sum = block.prefix(14).reduce(0) { $0 + Int($1) }
        block.replaceSubrange(14..., with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
        let card = Type3Card.generic()
        card.put(block, at: 0)
        guard
            case .protocolViolation("\(field) of the attribute information block", found, _, _)? = error({
                () throws(TagError) in try Type3Tag(on: generic(card)).detect()
            })
        else {
            Issue.record("\(field)")
            return
        }
    }

    @Test func checksumLengthAndVersionAreChecked() throws {
        let card = Type3Card.generic()
        // The sum of the bytes is 10 + 0C + 08 + 64 + 01.
        card.memory[15] = 0x88
        #expect(
            error { () throws(TagError) in try Type3Tag(on: generic(card)).detect() }
                == .protocolViolation(
                    field: "checksum of the attribute information block", found: "0088", expected: "0089", offset: 14))
        card.put(Type3Card.attributes(nbr: 12, nbw: 8, nmaxb: 100, length: 1601), at: 0)
        #expect(
            error { () throws(TagError) in try Type3Tag(on: generic(card)).detect() }
                == .protocolViolation(field: "Ln", found: "1601", expected: "at most 1600", offset: 11))
        card.put(Type3Card.attributes(version: 0x20, nbr: 12, nbw: 8, nmaxb: 100, length: 0), at: 0)
        #expect(
            try Type3Tag(on: generic(card)).detect().reason
                == "its mapping version is 20; only 1x is supported")
    }

    // MARK: Faults

    @Test func everyAnswerCutShortIsAnError() throws {
        let card = Type3Card.liteS(message(20))
        let poll = try #require(card.answer(bytes("06 00 12FC 00 00"), framing: .raw))
        let request = "16 06 \(Self.idm) 01 0B00 04 8000 8001 8002 8088"
        let read = try #require(card.answer(bytes(request), framing: .raw))
        // The answer is truncated with the length byte unchanged, and with a matching one. It is repeated, so that it
        // does not count as noise.
        for fixes in [false, true] {
            for (code, whole) in [(UInt8(0x06), read), (0x00, poll)] {
                for count in 0..<whole.count {
                    let cut = CutCard(card, code: code, count: count, fixes: fixes)
                    let tag = Type3Tag(on: RecordingChannel(cut, target: .liteS), patience: .instant)
                    switch error(tag.detect) {
                    case .protocolViolation?, .reader(.tagLost)?, .noReliableAnswer?: break
                    // The answer with a single block is 29 bytes long, and arrives complete.
                    case nil where code == 0x06 && count >= 29: break
                    case let failure: Issue.record("\(count) bytes to \(code): \(String(describing: failure))")
                    }
                }
            }
        }
    }

    @Test func oneLostAnswerAnywhereIsMadeUpFor() throws {
        let whole = lite(.liteS(message(20)))
        try Type3Tag(on: whole).writeNDEF(message(100, seed: 3))
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type3Card.liteS(message(20))
                try Type3Tag(on: lite(card, fault: .silence(at: number, after: after))).writeNDEF(message(100, seed: 3))
                #expect(try Type3Tag(on: lite(card)).readNDEF() == message(100, seed: 3))
            }
        }
    }

    @Test func aCutAnywhereLeavesTheOldAnEmptyOrTheNewMessageAndTheErrorIsTrue() throws {
        let whole = lite(.liteS(message(60)))
        try Type3Tag(on: whole).writeNDEF(message(70, seed: 3))
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type3Card.liteS(message(60))
                let failure = error { () throws(TagError) in
                    try Type3Tag(on: lite(card, fault: .lost(at: number, after: after))).writeNDEF(message(70, seed: 3))
                }
                let held = try Type3Tag(on: lite(card)).readNDEF()
                switch failure {
                case .reader(.tagLost)?: #expect(held == message(60))
                case .writeInterrupted(.unchangedOrEmpty, _, _, _)?: #expect(held.isEmpty || held == message(60))
                case .writeInterrupted(.empty, _, _, _)?: #expect(held.isEmpty)
                case .writeInterrupted(.emptyOrNew, _, _, _)?: #expect(held.isEmpty || held == message(70, seed: 3))
                default: Issue.record("cut at \(number): \(String(describing: failure))")
                }
            }
        }
    }

    @Test func aRefusedFirstWriteIsNamedByItsStatusFlags() {
        let card = Type3Card(blocks: 5, nbr: 1, nbw: 1, limits: (1, 0), message: message(10))
        let failure = error { () throws(TagError) in try Type3Tag(on: generic(card)).writeNDEF(message(20)) }
        #expect(
            failure
                == .refused(
                    command: "Write Without Encryption", block: 0, status: FeliCaStatus(flag1: 0xFF, flag2: 0xA2)))
        #expect(
            failure?.description
                == "The card refused Write Without Encryption of block 0 with status flags FF A2 (illegal number of blocks)."
        )
    }

    /// Random blocks, with and without a valid checksum: in every case, reading ends, and ends soon.
    @Test func tenThousandRandomMemoriesEndInAnAnswerOrAnError() {
        var generator = SplitMix(state: 12)
        for round in 0..<Campaign.count(2_000, long: 10_000) {
            let card = round % 2 == 0 ? Type3Card.liteS() : Type3Card(blocks: 20, nbr: 4, nbw: 4, message: [])
            for index in card.memory.indices { card.memory[index] = .random(in: 0...255, using: &generator) }
            if round % 4 < 3 {
                card.put(
                    Type3Card.attributes(
                        nbr: .random(in: 0...255, using: &generator), nbw: .random(in: 0...255, using: &generator),
                        nmaxb: .random(in: 0...(round % 3 == 0 ? 65535 : 30), using: &generator),
                        length: .random(in: 0...400, using: &generator)), at: 0)
            }
            if card.configuration != nil, round % 6 == 0 {
                card.configuration = (0..<16).map { _ in .random(in: 0...255, using: &generator) }
            }
            let channel = round % 2 == 0 ? lite(card) : generic(card)
            let tag = Type3Tag(on: channel)
            _ = error { () throws(TagError) in try tag.detect() }
            _ = error { () throws(TagError) in try tag.readNDEF() }
            _ = error { () throws(TagError) in try tag.memoryMap() }
            _ = error { () throws(TagError) in try tag.writeNDEF(message(10)) }
            #expect(channel.commands.count < 120)
        }
    }
}

private final class CutCard: Card {
    private let card: any Card
    private let code: UInt8
    private let count: Int
    private let fixes: Bool

    init(_ card: any Card, code: UInt8, count: Int, fixes: Bool) {
        (self.card, self.code, self.count, self.fixes) = (card, code, count, fixes)
    }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        guard let answer = card.answer(command, framing: framing) else { return nil }
        guard command.dropFirst().first == code else { return answer }
        var short = Array(answer.prefix(count))
        if fixes, !short.isEmpty { short[0] = UInt8(short.count) }
        return short
    }

    func reset() { card.reset() }
}
