// C-APDU encoding, R-APDU decoding, GET RESPONSE, Le, chaining
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct APDUTests {
    /// The four cases of ISO/IEC 7816-4, short form.
    @Test(
        arguments: [
            (0x6100, "256 more bytes available"), (0x6105, "5 more bytes available"),
            (0x6C00, "wrong Le, 256 bytes available"), (0x6A82, "file or application not found"),
        ] as [(UInt16, String)])
    func aStatusWordHasAMeaning(value: UInt16, meaning: String) { #expect(StatusWord(value).meaning == meaning) }

    @Test(arguments: [
        (CommandAPDU(ins: 0x20, p1: 1, p2: 2), "00200102"),
        (CommandAPDU(ins: 0xB0, p1: 0, p2: 0, ne: 256), "00B0000000"),
        (CommandAPDU(ins: 0xD6, p1: 0, p2: 4, data: [0xAA]), "00D6000401AA"),
        (CommandAPDU(ins: 0xA4, p1: 4, p2: 0, data: [1, 2], ne: 15), "00A404000201020F"),
    ])
    func commandsAreEncoded(command: CommandAPDU, hex: String) {
        #expect(command.bytes == bytes(hex))
    }

    @Test func whatTheShortFormCannotCarryIsNotEncoded() {
        #expect(CommandAPDU(ins: 0, p1: 0, p2: 0, data: Array(repeating: 0, count: 256)).bytes == nil)
        #expect(CommandAPDU(ins: 0, p1: 0, p2: 0, ne: 257).bytes == nil)
        #expect(CommandAPDU(ins: 0, p1: 0, p2: 0, ne: 0).bytes == nil)
    }

    @Test func anAnswerNeedsItsStatusBytes() {
        #expect(ResponseAPDU(bytes: []) == nil)
        #expect(ResponseAPDU(bytes: [0x90]) == nil)
        #expect(ResponseAPDU(bytes: bytes("AA9000")) == ResponseAPDU(data: [0xAA], sw: .success))
    }

    @Test func moreBytesAreFetchedWithGETRESPONSE() throws {
        let channel = ScriptedChannel(
            .type4,
            [
                .exchange(.handled, command: "00B0000004", answer: "0102 6102"),
                .exchange(.handled, command: "00C0000002", answer: "0304 9000"),
            ])
        let answer = try APDUExchange(over: channel).send(CommandAPDU(ins: 0xB0, p1: 0, p2: 0, ne: 4))
        #expect(answer == ResponseAPDU(data: [1, 2, 3, 4], sw: .success))
    }

    @Test func aWrongLeIsCorrectedOnce() throws {
        let channel = ScriptedChannel(
            .type4,
            [
                .exchange(.handled, command: "00B0000010", answer: "6C02"),
                .exchange(.handled, command: "00B0000002", answer: "6C02"),
            ])
        #expect(
            try APDUExchange(over: channel).send(CommandAPDU(ins: 0xB0, p1: 0, p2: 0, ne: 16)).sw.rawValue == 0x6C02)
        #expect(channel.isFinished)
    }

    @Test func anEndlessChainOfAnswersIsAnError() {
        final class Endless: Card {
            func reset() {}
            func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? { bytes("6100") }
        }
        let channel = RecordingChannel(Endless(), target: .type4)
        let failure = error { () throws(TagError) in
            try APDUExchange(over: channel).send(CommandAPDU(ins: 0xB0, p1: 0, p2: 0, ne: 1))
        }
        guard case .protocolViolation("the chain of answers", _, _, _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(channel.commands.count == APDUExchange.maxAnswers)
    }

    @Test func longDataIsChained() {
        let command = CommandAPDU(ins: 0xD6, p1: 0, p2: 0, data: [1, 2, 3])
        let parts = command.chained(length: 2).map { $0.bytes ?? [] }
        #expect(parts == [bytes("10D600000201 02"), bytes("00D600000103")])
    }
}
