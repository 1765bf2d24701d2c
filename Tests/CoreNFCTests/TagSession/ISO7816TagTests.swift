// Cards with applications — CoreNFC NFCISO7816Tag, NFCISO7816APDU; ISO/IEC 7816-4

import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(1))) struct ISO7816TagTests {
    /// ISO/IEC 7816-3, the seven cases of a command, and what is none.
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
        // SELECT of a file that is not there; an instruction that is none.
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

    @Test(arguments: [(65_536, 1, 4), (1, 0, 5), (1, 65_537, 5), (1, -2, 5)])
    func lengthsThatNoAPDUHasAreRefused(_ count: Int, _ expected: Int, _ refusal: Int) async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        let tag = try await bench.iso7816()
        let apdu = NFCISO7816APDU(
            instructionClass: 0, instructionCode: 0xD6, p1Parameter: 0, p2Parameter: 0, data: Data(count: count),
            expectedResponseLength: expected)
        #expect(await code { let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: apdu) } == refusal)
        try await bench.end()
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
}
