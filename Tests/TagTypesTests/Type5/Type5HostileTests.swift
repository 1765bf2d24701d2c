// Answers that no tag should give end in errors, never in a trap or a loop
import Chance
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type5HostileTests {
    private static let patience = Patience(attempts: 2, time: .zero, pause: .zero)

    private static func everything(_ tag: Type5Tag) {
        _ = try? tag.detect()
        _ = try? tag.readNDEF()
        _ = try? tag.memoryMap()
        _ = try? tag.writeNDEF(message(30, seed: 9))
        _ = try? tag.carryOut(try tag.planWipe(), .forward)
        _ = try? tag.initialise()
        _ = try? tag.makeReadOnly()
        _ = try? tag.writeBlocks([(number: 3, bytes: [1, 2, 3, 4])])
    }

    private static func channel(_ seed: Int, _ card: Type5Card) -> VicinityChannel {
        let channel = VicinityChannel(card)
        var generator = SplitMix(state: UInt64(seed))
        channel.distort = { _, answer in
            var answer = answer
            switch Int.random(in: 0...9, using: &generator) {
            case 0: return nil
            case 1: return []
            case 2: return Array(answer.prefix(Int.random(in: 0...answer.count, using: &generator)))
            case 3: return answer + [UInt8](repeating: 0xAA, count: Int.random(in: 1...300, using: &generator))
            case 4: return [0x01]
            case 5: return [0x01, .random(in: 0...255, using: &generator)]
            case 6:
                answer[.random(in: 0..<answer.count, using: &generator)] = .random(in: 0...255, using: &generator)
                return answer
            default: return answer
            }
        }
        return channel
    }

    @Test(arguments: 0..<60) func distortedAnswersNeverTrap(seed: Int) {
        let cards = [Type5Card.slix2(message(20)), .myD(message(20)), .large(message(20)), .straddled(message(20))]
        let tag = Type5Tag(on: Self.channel(seed, cards[seed % cards.count]), patience: Self.patience)
        Self.everything(tag)
    }

    /// Every request gets this answer.
    @Test(arguments: [
        "", "00", "01", "010F", "0000", "00E1", "00E14001", "00E140FF0F", "00E240FF0F03FF", "00E2400001000000FF",
        "00E14000010000FFFF", "00E1400401030000FE", "000F", "000F4433221108010004E0 D5AF FFFF 01",
        "000F4433221108010004E0 D5AF 0000 01", "000F4433221108010004E0 D5AFFFFF1F01",
    ])
    func oneAnswerToEverythingNeverTraps(answer: String) {
        let channel = VicinityChannel(.slix2([]))
        channel.distort = { _, _ in bytes(answer) }
        Self.everything(Type5Tag(on: channel, patience: Self.patience))
    }

    /// Half of the long frames are lost, in both directions.
    ///
    /// Requests are carried out nevertheless.
    @Test(arguments: UInt64(1)...10) func halfOfTheLongFramesMayBeLost(seed: UInt64) throws {
        let card = Type5Card.slix2(message(200))
        let patience = Patience(attempts: 40, time: .zero, pause: .zero)
        let channel = NoisyChannel(card, target: card.target, losing: 0.5, seed: seed)
        #expect(try Type5Tag(on: channel, patience: patience).readNDEF() == message(200))
        try Type5Tag(on: channel, patience: patience).writeNDEF(message(90, seed: 3))
        try Type5Tag(on: channel, patience: patience).makeReadOnly()
        #expect(try Type5Tag(on: VicinityChannel(card)).readNDEF() == message(90, seed: 3))
        #expect(card.locks.count == 79)
    }

    @Test func theSystemInformationOfAnotherTagIsNotTaken() {
        let channel = VicinityChannel(.slix2(message(20)))
        channel.distort = { command, answer in
            command[1] == 0x2B ? Array(answer.prefix(2)) + [0xFF] + answer.dropFirst(3) : answer
        }
        #expect(error { () throws(TagError) in try Type5Tag(on: channel).detect() } == .reader(.tagLost))
    }

    @Test func aSizeThatTheBlocksContradictDoesNotCount() throws {
        let card = Type5Card.formatted(blocks: 64, cc: "E1401F01", message(40))
        card.uid = bytes("E07F 0111 22334455")
        let channel = VicinityChannel(card)
        // 64 blocks of 8 bytes, according to its answer.
        channel.distort = { command, answer in
            var answer = answer
            if command[1] == 0x2B { answer[13] = 7 }
            return answer
        }
        let tag = Type5Tag(on: channel)
        #expect(try tag.readNDEF() == message(40))
        #expect(try tag.detect().capacity == 246)
    }

    @Test func runsThatAreTooLongOrUnevenAreReadBlockByBlock() throws {
        for answer in [{ $0 + [0] }, { Array($0.dropLast()) }, { $0 + $0 }] as [@Sendable ([UInt8]) -> [UInt8]] {
            let channel = VicinityChannel(.slix2(message(40)))
            channel.distort = { command, found in command[1] == 0x23 ? answer(found) : found }
            #expect(try Type5Tag(on: channel).readNDEF() == message(40))
        }
    }

    @Test(arguments: 1...40) func aShortAnswerToAnyCommandIsNoTrap(length: Int) {
        let channel = VicinityChannel(.slix2(message(40)))
        channel.distort = { _, answer in Array(answer.prefix(length)) }
        Self.everything(Type5Tag(on: channel, patience: Self.patience))
    }
}
