// Cards with applications — CoreNFC NFCISO7816Tag, NFCISO7816APDU; ISO/IEC 7816-4

import Chance
import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5)), .alsoAtRealLatency) struct ISO7816TagTests {
    /// ISO/IEC 7816-3, the seven cases of a command, and invalid ones.
    @Test(
        arguments: [
            ("00 A4 04 0C", nil, -1), ("00 B0 00 00 0F", nil, 15), ("00 B0 00 00 00", nil, 256),
            ("00 D6 00 00 02 AA BB", 2, -1), ("00 A4 04 00 02 E1 04 00", 2, 256), ("00 B0 00 00 00 01 00", nil, 256),
            ("00 B0 00 00 00 00 00", nil, 65_536), ("00 D6 00 00 00 00 02 AA BB", 2, -1),
            ("00 D6 00 00 00 00 02 AA BB 00 00", 2, 65_536), ("00 D6 00 00 00 00 02 AA BB 01 02", 2, 258),
        ] as [(String, Int?, Int)])
    func anAPDUHasItsParts(_ bytes: String, _ length: Int?, _ expected: Int) throws {
        let apdu = try #require(NFCISO7816APDU(data: data(bytes)))
        #expect(apdu.data?.count == length)
        #expect(apdu.expectedResponseLength == expected)
        let copy = try #require(apdu.copy() as? NFCISO7816APDU)
        #expect(copy.data == apdu.data && copy.p1Parameter == apdu.p1Parameter)
        #expect(copy.instructionCode == apdu.instructionCode && copy.instructionClass == apdu.instructionClass)
    }

    @Test(arguments: [
        "", "00", "00 A4 04", "00 D6 00 00 02 AA", "00 D6 00 00 02 AA BB 00 00", "00 D6 00 00 00 00",
        "00 D6 00 00 00 00 02 AA", "00 D6 00 00 00 00 02 AA BB 00", "00 D6 00 00 00 00 00 AA",
        "00 D6 00 00 00 00 02 AA BB 00 00 00",
    ])
    func bytesThatAreNoAPDUMakeNone(_ bytes: String) {
        #expect(NFCISO7816APDU(data: data(bytes)) == nil)
    }

    @Test func aStatusWordIsNeverAnError() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        let tag = try await bench.iso7816()
        // SELECT of a file that does not exist; an instruction that does not exist.
        for (bytes, status) in [("00 A4 00 0C 02 AB CD", "6A82"), ("00 FE 00 00", "6D00")] {
            let apdu = try #require(NFCISO7816APDU(data: data(bytes)))
            let response: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: apdu)
            #expect(Data([response.statusWord1, response.statusWord2]).hex == status)
            #expect(response.payload == nil)
        }
        try await bench.end()
    }

    @Test func theInitialApplicationIsSelectedByEachConnect() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        let tag = try await bench.iso7816()
        let select = try #require(NFCISO7816APDU(data: data("00 A4 00 0C 02 E1 03")))
        let read = try #require(NFCISO7816APDU(data: data("00 B0 00 00 0F")))
        let (_, sw1, sw2): (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: select)
        #expect((sw1, sw2) == (0x90, 0x00))
        let (container, _, _): (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: read)
        #expect(container.prefix(3).hex == "000F20")
        try await bench.end()
    }

    @Test func aCardWhoseApplicationCannotBeSelectedAgainIsNotConnected() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        let tag = try await bench.iso7816()
        let select = try #require(NFCISO7816APDU(data: data("00 A4 00 0C 02 E1 03")))
        // The card answers nothing that follows, including the SELECT of the renewed connection.
        bench.reader.faults.nak = 1
        bench.reader.faults.repeats = true
        #expect(await code { let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: select) } == 102)
        bench.reader.faults = Faults()
        #expect(bench.session.connectedTag == nil)
        // The next command connects it.
        let (_, sw1, sw2): (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: select)
        #expect((sw1, sw2) == (0x90, 0x00))
        try await bench.end()
    }

    @Test func aCommandConnectsItsCardWhenNoTagIsConnected() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        guard case .iso7816(let tag) = try await bench.begin()[0] else { throw TagSessionBench.OtherKind() }
        let select = try #require(NFCISO7816APDU(data: data("00 A4 00 0C 02 E1 03")))
        let (_, sw1, sw2): (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: select)
        #expect((sw1, sw2) == (0x90, 0x00))
        #expect(bench.session.connectedTag?.asISO7816 === tag)
        try await bench.end()
    }

    @Test func aCommandTakesNoConnectionFromAnotherTag() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make(), VirtualTagKind.ntag213.make()])
        let tags = try await bench.begin()
        let card = try #require(tags.lazy.compactMap(\.asISO7816).first)
        let sticker = try #require(tags.first { $0.asMiFare != nil })
        try await bench.session.connect(to: sticker)
        let select = try #require(NFCISO7816APDU(data: data("00 A4 00 0C 02 E1 03")))
        #expect(await code { let _: (Data, UInt8, UInt8) = try await card.sendCommand(apdu: select) } == 104)
        try await sticker.ask()
        try await bench.end()
    }

    @Test func aCommandToACardThatLeftBeforeItWasConnectedGives100() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        guard case .iso7816(let tag) = try await bench.begin()[0] else { throw TagSessionBench.OtherKind() }
        bench.reader.field.remove()
        let select = try #require(NFCISO7816APDU(data: data("00 A4 00 0C 02 E1 03")))
        #expect(await code { let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: select) } == 100)
        #expect(!tag.isAvailable)
        try await bench.end()
    }

    @Test func selectingWhatIsNotListedGives2() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()], identifiers: ["D2760000850101"])
        let tag = try await bench.iso7816()
        let other = try #require(NFCISO7816APDU(data: data("00 A4 04 00 07 A0 00 00 02 47 10 01 00")))
        let own = try #require(NFCISO7816APDU(data: data("00 A4 04 00 07 D2 76 00 00 85 01 01 00")))
        #expect(await code { let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: other) } == 2)
        let (_, sw1, _): (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: own)
        #expect(sw1 == 0x90)
        try await bench.end()
    }

    @Test(arguments: [(65_536, 1, 4), (1, 65_537, 5), (1, -2, 5)])
    func lengthsThatNoAPDUHasAreRefused(_ count: Int, _ expected: Int, _ refusal: Int) async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        let tag = try await bench.iso7816()
        let apdu = NFCISO7816APDU(
            instructionClass: 0, instructionCode: 0xD6, p1Parameter: 0, p2Parameter: 0, data: Data(count: count),
            expectedResponseLength: expected)
        #expect(await code { let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: apdu) } == refusal)
        try await bench.end()
    }

    /// For apps, 0 means the same as the byte `00` of Le: as much data as there is.
    @Test func anExpectedLengthOf0IsLe00() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        let tag = try await bench.iso7816()
        let select = try #require(NFCISO7816APDU(data: data("00 A4 00 0C 02 E1 03")))
        let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: select)
        let (byte, wide): (NFCISO7816APDU, NFCISO7816APDU) = (readBinary(0), readBinary(256))
        #expect(byte.expectedResponseLength == 0)
        let asked: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: byte)
        let most: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: wide)
        #expect(asked == most)
        #expect(asked.0.count == 15)
        #expect((asked.1, asked.2) == (0x90, 0x00))
        try await bench.end()
    }

    private func readBinary(_ expected: Int) -> NFCISO7816APDU {
        NFCISO7816APDU(
            instructionClass: 0, instructionCode: 0xB0, p1Parameter: 0, p2Parameter: 0, data: Data(),
            expectedResponseLength: expected)
    }

    @Test func ndefOperationsWorkBesideAPDUs() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        let tag = try await bench.iso7816()
        try await tag.writeNDEF(message("hello"))
        let select = try #require(NFCISO7816APDU(data: data("00 A4 00 0C 02 E1 03")))
        let _: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: select)
        #expect(try await tag.readNDEF().text == "hello")
        try await bench.end()
    }

    @Test func aCardOfTypeBTellsItsApplicationData() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4b.make()])
        let tag = try await bench.iso7816()
        #expect(tag.identifier.count == 4)
        #expect(tag.applicationData?.count == 4)
        #expect(tag.historicalBytes == nil)
        #expect(tag.initialSelectedAID == "D2760000850101")
        try await bench.end()
    }

    /// The cards behave like identity cards, whose PUPI changes each time the field is switched on.
    @Test(arguments: [[], ["A0000002471001"]])
    func aCardOfTypeBMayHideItsIdentity(_ identifiers: [String]) async throws {
        let card = VirtualApplicationCardB(pupi: [0x08, 0x01, 0x02, 0xFE], renewsPUPI: true)
        let bench = try TagSessionBench([card], identifiers: identifiers)
        let tag = try await bench.iso7816()
        let answer: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: command(0xE0, data("41"), 1))
        #expect(answer.payload?.hex == "41" || identifiers.isEmpty)
        // This checks whether the card is still present.
        try await bench.session.connect(to: .iso7816(tag))
        #expect([UInt8](tag.identifier) == card.pupi)
        bench.reader.field.replaceAll(with: [])
        await #expect(throws: NFCReaderError.self) { try await bench.session.connect(to: .iso7816(tag)) }
        try await bench.end()
    }

    @Test func anotherCardOfTypeBIsNotTakenForTheOneThatLeft() async throws {
        let bench = try TagSessionBench([VirtualApplicationCardB(pupi: [1, 1, 1, 1])])
        let tag = try await bench.iso7816()
        bench.reader.field.replaceAll(with: [VirtualApplicationCardB(pupi: [2, 2, 2, 2])])
        // The app repeats its attempt.
        for _ in 1...3 {
            #expect(await code { try await bench.session.connect(to: .iso7816(tag)) } == 100)
        }
        let command = command(0xE0, data("41"), 1)
        #expect(await code { let _: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: command) } != nil)
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.applicationCard, .applicationCardB])
    func longCommandsAndAnswersAreChained(_ kind: VirtualTagKind) async throws {
        let bench = try TagSessionBench([kind.make()], identifiers: ["A0000002471001"])
        let tag = try await bench.iso7816()
        #expect(tag.initialSelectedAID == "A0000002471001")
        // E0 echoes its data. 250 bytes and the status word are more than one of the card's blocks.
        for count in [1, 100, 250] {
            let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
            let answer: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: command(0xE0, body, 65_536))
            #expect(answer.payload == body && answer.statusWord1 == 0x90)
        }
        // The command is longer than the reader's frames, so it is sent as a chain, which the card joins. The answer is
        // longer than Le.
        let long: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: command(0xE0, Data(count: 600), 256))
        #expect(long.statusWord1 == 0x67 && long.payload == nil)
        try await bench.end()
    }

    @Test func anAnswerThatTheReaderDoesNotCarryIsAnErrorOfThatCommandOnly() async throws {
        let bench = try TagSessionBench([VirtualTagKind.applicationCard.make()], identifiers: ["A0000002471001"])
        let tag = try await bench.iso7816()
        let long = NFCISO7816APDU(
            instructionClass: 0x00, instructionCode: 0xE1, p1Parameter: 0x02, p2Parameter: 0x00, data: Data(),
            expectedResponseLength: 65_536)
        let failure = await code { let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: long) }
        #expect(failure == 102)
        try await bench.session.connect(to: .iso7816(tag))
        let answer: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: command(0xE0, data("41"), 1))
        #expect(answer.payload?.hex == "41")
        try await bench.end()
    }

    private func command(_ code: UInt8, _ body: Data, _ expected: Int) -> NFCISO7816APDU {
        NFCISO7816APDU(
            instructionClass: 0x00, instructionCode: code, p1Parameter: 0, p2Parameter: 0, data: body,
            expectedResponseLength: expected)
    }

    /// Its data is encrypted, so the name is not readable, and its length is part of what is signed.
    @Test func aCommandWithSecureMessagingIsNeitherRefusedNorChanged() async throws {
        let bench = try TagSessionBench([VirtualTagKind.applicationCard.make()], identifiers: ["A0000002471001"])
        let tag = try await bench.iso7816()
        let select = try #require(
            NFCISO7816APDU(data: data("0C A4 04 0C 0F 87 05 01 11 22 33 44 8E 06 11 22 33 44 55 66 00")))
        #expect(await code { let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: select) } == nil)
        let long = NFCISO7816APDU(
            instructionClass: 0x0C, instructionCode: 0xE0, p1Parameter: 0, p2Parameter: 0, data: Data(count: 600),
            expectedResponseLength: -1)
        #expect(await code { let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: long) } == 105)
        try await bench.end()
    }

    @Test func aChainOfTheProgramsOwnIsLeftAsItIs() async throws {
        let bench = try TagSessionBench([VirtualTagKind.applicationCard.make()], identifiers: ["A0000002471001"])
        let tag = try await bench.iso7816()
        let first = try #require(NFCISO7816APDU(data: data("10 E0 00 00 02 01 02")))
        let last = try #require(NFCISO7816APDU(data: data("00 E0 00 00 02 03 04 00")))
        let one: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: first)
        #expect((one.statusWord1, one.statusWord2) == (0x90, 0x00) && one.payload == nil)
        let other: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: last)
        #expect(other.payload?.hex == "01020304")
        try await bench.end()
    }

    @Test func anAPDUOfExtendedLengthGoesAsItIs() async throws {
        let bench = try TagSessionBench([VirtualTagKind.applicationCard.make()], identifiers: ["A0000002471001"])
        let tag = try await bench.iso7816()
        let apdu = try #require(NFCISO7816APDU(data: data("00 E0 00 00 00 00 03 AA BB CC 00 00")))
        let answer: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: apdu)
        #expect(answer.payload?.hex == "AABBCC" && answer.statusWord1 == 0x90)
        try await bench.end()
    }

    @Test func anIdentityCardComesWithNothingSelected() async throws {
        let bench = try TagSessionBench([VirtualTagKind.passport.make()], .pace)
        let tag = try await bench.iso7816()
        #expect(tag.initialSelectedAID.isEmpty)
        #expect(tag.historicalBytes == nil)
        try await bench.end()
    }
}
