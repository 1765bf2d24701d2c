// The signatures of APDUs and of the cards that receive them — CoreNFC NFCISO7816APDU, NFCISO7816Tag

import CoreNFC
import Testing

@Suite struct ISO7816SignatureTests {
    private class Card: NativeSignatureTag, @unchecked Sendable {
        override var type: __NFCTagType { .iso7816Compatible }
        var initialSelectedAID: String { "D2760000850101" }
        var applicationData: Data? { nil }
        var proprietaryApplicationDataCoding: Bool { false }
    }

    private final class HandlerCard: Card, NFCISO7816Tag, @unchecked Sendable {
        func sendCommand(
            apdu: NFCISO7816APDU, completionHandler: @escaping (Data, UInt8, UInt8, (any Error)?) -> Void
        ) {
            apdu.instructionCode == 0
                ? completionHandler(Data(), 0, 0, NFCReaderError(.readerErrorInvalidParameter))
                : completionHandler(apdu.data ?? Data(), 0x6A, 0x82, nil)
        }
    }

    private final class AsyncCard: Card, NFCISO7816Tag, @unchecked Sendable {
        func sendCommand(apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8) {
            if apdu.instructionCode == 0 { throw NFCReaderError(.readerErrorInvalidParameter) }
            return (apdu.data ?? Data(), 0x6A, 0x82)
        }
    }

    private func apdu(_ instruction: UInt8, _ data: [UInt8] = []) -> NFCISO7816APDU {
        NFCISO7816APDU(
            instructionClass: 0x00, instructionCode: instruction, p1Parameter: 0x04, p2Parameter: 0x0C,
            data: Data(data), expectedResponseLength: -1)
    }

    @Test func anAPDUIsMadeOfItsPartsOrItsBytes() throws {
        pin(\.instructionClass, as: KeyPath<NFCISO7816APDU, UInt8>.self)
        pin(\.instructionCode, as: KeyPath<NFCISO7816APDU, UInt8>.self)
        pin(\.p1Parameter, as: KeyPath<NFCISO7816APDU, UInt8>.self)
        pin(\.p2Parameter, as: KeyPath<NFCISO7816APDU, UInt8>.self)
        pin(\.data, as: KeyPath<NFCISO7816APDU, Data?>.self)
        pin(\.expectedResponseLength, as: KeyPath<NFCISO7816APDU, Int>.self)
        pin(NFCISO7816APDU.init(data:), as: ((Data) -> NFCISO7816APDU?).self)
        pin(
            NFCISO7816APDU.init(
                instructionClass:instructionCode:p1Parameter:p2Parameter:data:expectedResponseLength:),
            as: ((UInt8, UInt8, UInt8, UInt8, Data, Int) -> NFCISO7816APDU).self)
        let select = try #require(NFCISO7816APDU(data: Data([0, 0xA4, 4, 0, 2, 0xE1, 0x03, 0])))
        #expect(select.instructionCode == 0xA4)
        #expect(select.data == Data([0xE1, 0x03]))
        #expect(select.expectedResponseLength == 256)
        #expect(NFCISO7816APDU(data: Data([0, 0xA4, 4])) == nil)
        let copy: any NSObject & NSCopying = select
        #expect((copy.copy(with: nil) as? NFCISO7816APDU)?.p1Parameter == 4)
    }

    @Test func aResponseIsMadeWithAppleMisspeltLabel() {
        var response = NFCISO7816ResponseAPDU(statusWord1: 0x90, statusWord2: 0x00, paylaod: nil)
        response.payload = Data([1])
        response.statusWord1 = 0x61
        response.statusWord2 = 0x10
        #expect(response.payload == Data([1]))
        #expect((response.statusWord1, response.statusWord2) == (0x61, 0x10))
    }

    /// The handler, `Result` and both `async` forms work, whichever form the card implements.
    @Test(arguments: [HandlerCard(), AsyncCard()] as [any NFCISO7816Tag & Sendable])
    func everyFormReachesTheCard(_ card: any NFCISO7816Tag & Sendable) async throws {
        pin(card.initialSelectedAID, as: String.self)
        pin(card.identifier, as: Data.self)
        pin(card.historicalBytes, as: Data?.self)
        pin(card.applicationData, as: Data?.self)
        pin(card.proprietaryApplicationDataCoding, as: Bool.self)

        let (data, sw1, sw2): (Data, UInt8, UInt8) = try await card.sendCommand(apdu: apdu(0xA4, [1]))
        #expect((data, sw1, sw2) == (Data([1]), 0x6A, 0x82))
        // Most clients write it this way, because only the tuple can be destructured.
        let (part, first, second) = try await card.sendCommand(apdu: apdu(0xA4, [1]))
        #expect((part, first, second) == (Data([1]), 0x6A, 0x82))
        let response: NFCISO7816ResponseAPDU = try await card.sendCommand(apdu: apdu(0xA4, [1]))
        #expect(response.payload == Data([1]))
        let empty: NFCISO7816ResponseAPDU = try await card.sendCommand(apdu: apdu(0xA4))
        #expect(empty.payload == nil)
        #expect(empty.statusWord2 == 0x82)

        let failed = await withCheckedContinuation { continuation in
            card.sendCommand(apdu: apdu(0)) { continuation.resume(returning: ($0, ($3 as? NFCReaderError)?.errorCode)) }
        }
        #expect(failed == (Data(), 3))
        let result: Result<NFCISO7816ResponseAPDU, any Error> = await withCheckedContinuation { continuation in
            card.sendCommand(apdu: apdu(0xA4, [2]), resultHandler: { continuation.resume(returning: $0) })
        }
        #expect(try result.get().payload == Data([2]))
    }
}
