// Type 1 Tag: sequences, figures, interruptions, hostile numbers
import Chance
import Hexadecimal
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type1TagTests {
    private func channel(
        _ card: Type1Card, fault: RecordingChannel.Fault? = nil, maxResponseLength: Int = 262
    ) -> RecordingChannel {
        RecordingChannel(card, target: .type1, fault: fault, maxResponseLength: maxResponseLength)
    }

    // MARK: Sequences

    /// The bytes with which a Topaz 96 is sold (ACS ACR122U API 2.04 §7.4 begins its RALL in the same way), and a
    /// message.
    private static let topaz96 =
        "1148 8A4A4CD29C398025 E1100E00 0303D000 00FE000000000000"
        + String(repeating: "0000000000000000", count: 11) + "0160000000000000"

    @Test func aTopaz96IsReadWithRALLAlone() throws {
        let channel = ScriptedChannel(.type1, [.exchange(.handled, command: "00", answer: Self.topaz96)])
        let tag = Type1Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 90, messageLength: 3))
        #expect(try tag.readNDEF() == bytes("D00000"))
        #expect(tag.chip == Chip(name: "Topaz 96 (BCM20203T96)", evidence: [0x11, 0x48]))
        #expect(channel.isFinished)
    }

    @Test func aTopaz96IsWrittenByteByByteTheLengthFirstAndLast() throws {
        let closed = "1148 8A4A4CD29C398025 E1100E00 030041FE 00FE000000000000" + Self.topaz96.suffix(11 * 16 + 16)
        let open = closed.replacing("030041FE", with: "030141FE")
        let channel = ScriptedChannel(
            .type1,
            [
                .exchange(.handled, command: "00", answer: Self.topaz96),
                .exchange(.handled, command: "53 0D 00", answer: "00"),
                .exchange(.handled, command: "53 0E 41", answer: "41"),
                .exchange(.handled, command: "53 0F FE", answer: "FE"),
                .exchange(.handled, command: "00", answer: closed),
                .exchange(.handled, command: "53 0D 01", answer: "01"),
                .exchange(.handled, command: "00", answer: open),
            ])
        try Type1Tag(on: channel).writeNDEF([0x41])
        #expect(channel.isFinished)
    }

    @Test func aTopaz512IsReadByTheCommandsAReaderCarriesWithTheAddressCheckedWhereItIsLeftOn() throws {
        let card = Type1Card.topaz512(message(100))
        let all = ([0x12, 0x4C] + card.memory.prefix(120)).spacedHex
        let zeros = [UInt8](repeating: 0x00, count: 8)
        let blocks = (0x10...0x12).map { (block: Int) -> ScriptedChannel.Step in
            let number = UInt8(block)
            let command: [UInt8] = [0x02, number] + zeros + Type1Card.uid
            let answer: [UInt8] = [number] + card.memory[block * 8..<block * 8 + 8]
            return .exchange(.raw, command: command.spacedHex, answer: answer.spacedHex)
        }
        let channel = ScriptedChannel(
            .type1,
            [
                .exchange(.handled, command: "00", answer: all),
                .exchange(.handled, command: "10 00", answer: ([0x00] + card.memory.prefix(128)).spacedHex),
            ] + blocks)
        let tag = Type1Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 462, messageLength: 100))
        #expect(try tag.readNDEF() == message(100))
        #expect(channel.isFinished)
    }

    @Test func anAnswerForAnotherAddressIsRefused() throws {
        let card = Type1Card.topaz512(message(100))
        let channel = ScriptedChannel(
            .type1,
            [
                .exchange(.handled, command: "00", answer: ([0x12, 0x4C] + card.memory.prefix(120)).spacedHex)
            ]
                + [ScriptedChannel.Step].repeatedly(
                    .exchange(.handled, command: "10 00", answer: ([0x10] + card.memory.prefix(128)).spacedHex)))
        #expect(
            error { () throws(TagError) in try Type1Tag(on: channel).detect() }
                == .protocolViolation(
                    field: "the address in the answer to command 10", found: "10", expected: "00", offset: 0))
    }

    @Test func anotherTagInTheFieldIsNotTakenForThisOne() {
        let other = Target.jewel(JewelTarget(sensRes: [0x0C, 0x00], uid: [1, 2, 3, 4]))
        let channel = ScriptedChannel(other, [.exchange(.handled, command: "00", answer: Self.topaz96)])
        #expect(error { () throws(TagError) in try Type1Tag(on: channel).detect() } == .reader(.tagLost))
    }

    // MARK: Figures

    @Test func readingTakesOneCommandForTopaz96AndOneABlockForTheDynamicMemoryOfTopaz512() throws {
        let small = channel(Type1Card.topaz96(message(90)))
        #expect(try Type1Tag(on: small).readNDEF() == message(90))
        #expect(small.commands.count == 1)
        let large = channel(Type1Card.topaz512(message(460)))
        #expect(try Type1Tag(on: large).readNDEF() == message(460))
        #expect(large.commands.count == 2 + 48)
    }

    @Test func writing460BytesTakes112CommandsAndProvesThem() throws {
        let card = Type1Card.topaz512()
        let channel = channel(card)
        try Type1Tag(on: channel).writeNDEF(message(460))
        #expect(channel.commands.count == 112)
        #expect(try Type1Tag(on: self.channel(card)).readNDEF() == message(460))
    }

    @Test func writing90BytesToATopaz96Takes93Exchanges() throws {
        let card = Type1Card.topaz96()
        let channel = channel(card)
        try Type1Tag(on: channel).writeNDEF(message(90))
        #expect(channel.commands.count == 93)
        #expect(try Type1Tag(on: self.channel(card)).readNDEF() == message(90))
    }

    @Test(arguments: [0, 1, 80, 81, 254, 255, 300, 462])
    func everyLengthIsWrittenAndReadBack(length: Int) throws {
        let card = Type1Card.topaz512(message(33, seed: 5))
        let before = Array(card.memory[104..<128])
        try Type1Tag(on: channel(card)).writeNDEF(message(length))
        #expect(try Type1Tag(on: channel(card)).readNDEF() == message(length))
        #expect(Array(card.memory[104..<128]) == before)
        #expect(Array(card.memory[8..<22]) == bytes("E1103F00 0103F23033 0203F00203"))
    }

    // MARK: Readers that support less

    @Test func aReaderThatDoesNotCarryDynamicMemoryIsNamedAndNothingIsWritten() throws {
        let card = Type1Card.topaz512(message(50), reader: .rcS956)
        let tag = Type1Tag(on: channel(card), patience: .instant)
        #expect(try tag.readNDEF() == message(50))
        let failure = error { () throws(TagError) in try tag.writeNDEF(message(300)) }
        // A command that the reader does not support is as silent as noise.
        #expect(failure == .noReliableAnswer(command: "READ8", offset: 344))
        #expect(try tag.memoryMap().blocks.count { $0.bytes == nil } == 48)
        #expect(card.writes.isEmpty)
    }

    // MARK: Faults

    @Test func everyAnswerOfATopaz512CutShortIsAnError() {
        let card = Type1Card.topaz512(message(200))
        for (command, full) in [("00", [0x12, 0x4C] + card.memory.prefix(120)), ("10 00", Array(card.memory[..<128]))] {
            for count in 0..<full.count {
                var script: [ScriptedChannel.Step] = []
                if command != "00" {
                    script.append(
                        .exchange(.handled, command: "00", answer: ([0x12, 0x4C] + card.memory.prefix(120)).spacedHex))
                }
                script += [ScriptedChannel.Step].repeatedly(
                    .exchange(.handled, command: command, answer: full.prefix(count).spacedHex))
                let failure = error { () throws(TagError) in try Type1Tag(on: ScriptedChannel(.type1, script)).detect()
                }
                guard case .protocolViolation = failure else {
                    Issue.record("\(count) bytes of \(command): \(String(describing: failure))")
                    return
                }
            }
        }
    }

    @Test func oneLostAnswerAnywhereIsMadeUpFor() throws {
        let whole = channel(Type1Card.topaz512(message(20)))
        try Type1Tag(on: whole).writeNDEF(message(120, seed: 3))
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type1Card.topaz512(message(20))
                try Type1Tag(on: channel(card, fault: .silence(at: number, after: after))).writeNDEF(
                    message(120, seed: 3))
                #expect(try Type1Tag(on: channel(card)).readNDEF() == message(120, seed: 3))
            }
        }
    }

    @Test func aCutAnywhereLeavesTheOldAnEmptyOrTheNewMessageAndTheErrorIsTrue() throws {
        for make in [{ Type1Card.topaz512(message(60)) }, { Type1Card.topaz96(message(60)) }] {
            let whole = channel(make())
            try Type1Tag(on: whole).writeNDEF(message(70, seed: 3))
            for number in 0..<whole.commands.count {
                for after in [false, true] {
                    let card = make()
                    let failure = error { () throws(TagError) in
                        try Type1Tag(on: channel(card, fault: .lost(at: number, after: after))).writeNDEF(
                            message(70, seed: 3))
                    }
                    let held = try Type1Tag(on: channel(card)).readNDEF()
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
    }

    /// Random memories with both headers: in every case, reading ends, and ends soon.
    @Test func tenThousandRandomMemoriesEndInAnAnswerOrAnError() {
        var generator = SplitMix(state: 11)
        for round in 0..<Campaign.count(2_000, long: 10_000) {
            let card = round % 2 == 0 ? Type1Card.topaz512() : Type1Card.topaz96()
            for index in card.memory.indices.dropFirst(8) where !(112..<128 ~= index) {
                card.memory[index] = .random(in: 0...255, using: &generator)
            }
            // Most random memories have no capability container, so add one, and a known TLV.
            if round % 4 < 3 {
                card.memory.replaceSubrange(8..<10, with: [0xE1, 0x10])
                card.memory[11] = 0
                card.memory[12] = UInt8.random(in: 0...3, using: &generator)
            }
            let channel = channel(card)
            let tag = Type1Tag(on: channel)
            _ = error { () throws(TagError) in try tag.detect() }
            _ = error { () throws(TagError) in try tag.readNDEF() }
            _ = error { () throws(TagError) in try tag.memoryMap() }
            #expect(channel.commands.count < 260)
            _ = error { () throws(TagError) in try tag.writeNDEF(message(10)) }
            #expect(channel.commands.count < 340)
        }
    }
}
