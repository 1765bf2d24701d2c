// Native commands of MIFARE tags, and wrapped ones — CoreNFC NFCMiFareTag; NXP NTAG21x, MF3ICDx21_41_81

import Chance
import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5)), .alsoAtRealLatency) struct MiFareTagTests {
    @Test(arguments: [
        ("30 00", "04", 16), ("60", "0004040201000F03", 8), ("3A 04 07", "", 16), ("A2 10 01 02 03 04", "0A", 1),
    ])
    func anNTAGAnswersItsCommands(_ command: String, _ beginning: String, _ length: Int) async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.miFare()
        let answer = try await tag.sendMiFareCommand(commandPacket: data(command))
        #expect(answer.count == length)
        #expect(answer.hex.hasPrefix(beginning))
        try await bench.end()
    }

    @Test func whatWasWrittenIsRead() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.miFare()
        #expect(try await tag.sendMiFareCommand(commandPacket: data("A2 10 DE AD BE EF")).hex == "0A")
        #expect(try await tag.sendMiFareCommand(commandPacket: data("30 10")).prefix(4).hex == "DEADBEEF")
        try await bench.end()
    }

    /// The tag acknowledges the second packet of SECTOR_SELECT by its silence — NFC Forum T2T.
    @Test func anotherSectorIsSelectedAndTheMessageIsStillFound() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntagI2C2K.make()])
        let tag = try await bench.miFare()
        try await tag.writeNDEF(message("sector 0"))
        let first = try await tag.sendMiFareCommand(commandPacket: data("30 00"))
        #expect(try await tag.sendMiFareCommand(commandPacket: data("C2 FF")).hex == "0A")
        #expect(try await tag.sendMiFareCommand(commandPacket: data("01 00 00 00")).isEmpty)
        #expect(try await tag.sendMiFareCommand(commandPacket: data("30 00")) != first)
        #expect(try await tag.sendMiFareCommand(commandPacket: data("A2 05 DE AD BE EF")).hex == "0A")
        #expect(try await tag.sendMiFareCommand(commandPacket: data("30 05")).prefix(4).hex == "DEADBEEF")
        #expect(try await tag.readNDEF().text == "sector 0")
        #expect(try await tag.sendMiFareCommand(commandPacket: data("30 00")) == first)
        // The chip has no sector 2.
        #expect(try await tag.sendMiFareCommand(commandPacket: data("C2 FF")).hex == "0A")
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: data("02 00 00 00")) } == 102)
        #expect(try await tag.sendMiFareCommand(commandPacket: data("30 00")) == first)
        try await bench.end()
    }

    @Test func aTagThatSaysNAKGives102AndCanBeAskedAgain() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.miFare()
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: data("30 F0")) } == 102)
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: data("FF")) } == 102)
        #expect(tag.isAvailable)
        #expect(try await tag.sendMiFareCommand(commandPacket: data("30 00")).count == 16)
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.ntag213, .desfire])
    func aTagThatLeftGives100(_ kind: VirtualTagKind) async throws {
        let bench = try TagSessionBench([kind.make()])
        let tag = try await bench.miFare()
        bench.reader.field.remove()
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: data("60")) } == 100)
        #expect(!tag.isAvailable)
        try await bench.end()
    }

    @Test func commandsWantTheTagConnectedAndHaveALength() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        guard case .miFare(let tag) = try await bench.begin()[0] else { throw TagSessionBench.OtherKind() }
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: data("60")) } == 104)
        #expect(await code { _ = try await tag.readNDEF() } == 104)
        try await bench.session.connect(to: .miFare(tag))
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: Data()) } == 4)
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: Data(count: 300)) } == 105)
        let apdu = try #require(NFCISO7816APDU(data: data("90 60 00 00 00")))
        #expect(await code { let _: (Data, UInt8, UInt8) = try await tag.sendMiFareISO7816Command(apdu) } == 1)
        try await bench.end()
    }

    @Test func framesOfAWrappedAnswerAreJoined() async throws {
        let bench = try TagSessionBench([VirtualTagKind.desfire.make()])
        let tag = try await bench.miFare()
        let apdu = NFCISO7816APDU(
            instructionClass: 0x90, instructionCode: 0x60, p1Parameter: 0, p2Parameter: 0, data: Data(),
            expectedResponseLength: 256)
        let (answer, sw1, sw2): (Data, UInt8, UInt8) = try await tag.sendMiFareISO7816Command(apdu)
        // GetVersion: 7 bytes on hardware, 7 on software, 14 on production.
        #expect(answer.count == 28)
        #expect((sw1, sw2) == (0x91, 0x00))
        let response: NFCISO7816ResponseAPDU = try await tag.sendMiFareISO7816Command(apdu)
        #expect(response.payload == answer)
        try await bench.end()
    }

    @Test func theStatusOfAWrappedCommandIsNoError() async throws {
        let bench = try TagSessionBench([VirtualTagKind.desfire.make()])
        let tag = try await bench.miFare()
        let apdu = try #require(NFCISO7816APDU(data: data("90 5A 00 00 03 01 02 03 00")))
        let response: NFCISO7816ResponseAPDU = try await tag.sendMiFareISO7816Command(apdu)
        #expect(response.statusWord1 == 0x91 && response.statusWord2 == 0xA0)
        #expect(response.payload == nil)
        try await bench.end()
    }

    @Test func nativeAndNDEFOperationsMayAlternate() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag215.make()])
        let tag = try await bench.miFare()
        try await tag.writeNDEF(message("one"))
        #expect(try await tag.readNDEF().text == "one")
        // The app empties the NDEF TLV itself, so the session's data about the tag becomes invalid.
        #expect(try await tag.sendMiFareCommand(commandPacket: data("A2 04 03 00 FE 00")).hex == "0A")
        #expect(await code { _ = try await tag.readNDEF() } == 403)
        try await bench.end()
    }

    @Test func resultFormsSayTheSame() async throws {
        let bench = try TagSessionBench([VirtualTagKind.desfire.make()])
        let tag = try await bench.miFare()
        let answers = Events<String>()
        let apdu = try #require(NFCISO7816APDU(data: data("90 60 00 00 00")))
        tag.sendMiFareISO7816Command(apdu) { (result: Result<NFCISO7816ResponseAPDU, any Error>) in
            answers.record((try? result.get().payload?.count.description) ?? "none")
        }
        tag.sendMiFareCommand(commandPacket: Data()) { (result: Result<Data, any Error>) in
            if case .failure(let error) = result { answers.record("\((error as? NFCReaderError)?.errorCode ?? 0)") }
        }
        #expect(try await answers.next() == "28")
        #expect(try await answers.next() == "4")
        try await bench.end()
    }
}
