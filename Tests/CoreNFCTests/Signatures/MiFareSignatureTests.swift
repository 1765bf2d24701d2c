// The signatures of MIFARE tags — CoreNFC NFCMiFareTag, NFCMiFareFamily

import CoreNFC
import Testing

@Suite struct MiFareSignatureTests {
    private final class HandlerTag: NativeSignatureTag, NFCMiFareTag, @unchecked Sendable {
        var mifareFamily: NFCMiFareFamily { .desfire }

        func sendMiFareCommand(commandPacket command: Data, completionHandler: @escaping (Data, (any Error)?) -> Void) {
            command.isEmpty
                ? completionHandler(Data(), NFCReaderError(.readerErrorInvalidParameterLength))
                : completionHandler(command, nil)
        }

        func sendMiFareISO7816Command(
            _ apdu: NFCISO7816APDU, completionHandler: @escaping (Data, UInt8, UInt8, (any Error)?) -> Void
        ) {
            completionHandler(apdu.data ?? Data(), 0x91, 0x00, nil)
        }
    }

    private final class AsyncTag: NativeSignatureTag, NFCMiFareTag, @unchecked Sendable {
        var mifareFamily: NFCMiFareFamily { .desfire }

        func sendMiFareCommand(commandPacket command: Data) async throws -> Data {
            if command.isEmpty { throw NFCReaderError(.readerErrorInvalidParameterLength) }
            return command
        }

        func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8) {
            (apdu.data ?? Data(), 0x91, 0x00)
        }
    }

    @Test func theRawValuesAreThoseOfIOS() {
        let families: [NFCMiFareFamily] = [.unknown, .ultralight, .plus, .desfire]
        #expect((UInt(0)...9).compactMap(NFCMiFareFamily.init(rawValue:)) == families)
        for family in families {
            let raw: UInt =
                switch family {
                case .unknown: 1
                case .ultralight: 2
                case .plus: 3
                case .desfire: 4
                @unknown default: 0
                }
            #expect(family.rawValue == raw)
        }
    }

    /// The handler, `Result` and `async` forms work, whichever form the tag implements.
    @Test(arguments: [HandlerTag(), AsyncTag()] as [any NFCMiFareTag & Sendable])
    func everyFormReachesTheTag(_ tag: any NFCMiFareTag & Sendable) async throws {
        #expect(tag.mifareFamily == .desfire)
        #expect(tag.historicalBytes == nil)
        let packet = Data([0x30, 0x04])
        #expect(try await tag.sendMiFareCommand(commandPacket: packet) == packet)
        let apdu = NFCISO7816APDU(
            instructionClass: 0x90, instructionCode: 0x60, p1Parameter: 0, p2Parameter: 0, data: packet,
            expectedResponseLength: 256)
        let (data, sw1, sw2): (Data, UInt8, UInt8) = try await tag.sendMiFareISO7816Command(apdu)
        #expect((data, sw1, sw2) == (packet, 0x91, 0))
        let response: NFCISO7816ResponseAPDU = try await tag.sendMiFareISO7816Command(apdu)
        #expect((response.payload, response.statusWord1, response.statusWord2) == (packet, 0x91, 0))

        let handled = await withCheckedContinuation { continuation in
            tag.sendMiFareCommand(commandPacket: Data()) { data, error in
                continuation.resume(returning: (data, (error as? NFCReaderError)?.errorCode))
            }
        }
        #expect(handled == (Data(), 4))
        let handledAPDU = await withCheckedContinuation { continuation in
            tag.sendMiFareISO7816Command(apdu) { continuation.resume(returning: ($0, $1, $2, $3 == nil)) }
        }
        #expect(handledAPDU == (packet, 0x91, 0, true))
        let result: Result<Data, any Error> = await withCheckedContinuation { continuation in
            tag.sendMiFareCommand(commandPacket: packet, resultHandler: { continuation.resume(returning: $0) })
        }
        #expect(try result.get() == packet)
        let resultAPDU: Result<NFCISO7816ResponseAPDU, any Error> = await withCheckedContinuation { continuation in
            tag.sendMiFareISO7816Command(apdu, resultHandler: { continuation.resume(returning: $0) })
        }
        #expect(try resultAPDU.get().payload == packet)
    }
}
