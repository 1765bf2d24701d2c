// Requests and replies between the two processes

import Chance
import ReaderInterface
import Testing

@testable import ReaderProcess

@Suite struct WireTests {
    private static let targets: [Target] = [
        .nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: [0x04, 1, 2, 3, 4, 5, 6])),
        .nfcA(
            NFCATarget(
                sensRes: [0x03, 0x44], selRes: 0x20, nfcID1: [0x08, 1, 2, 3], ats: [0x75, 0x77, 0x81, 0x02, 0x80])),
        .nfcB(NFCBTarget(nfcID0: [1, 2, 3, 4], applicationData: [5, 6, 7, 8], protocolInfo: [9, 10, 11])),
        .nfcF(NFCFTarget(nfcID2: Array(0..<8), pad: Array(8..<16), systemCode: [0x12, 0xFC])),
        .jewel(JewelTarget(sensRes: [0x00, 0x0C], uid: [1, 2, 3, 4])),
    ]

    private static let requests: [ReaderRequest] =
        [
            .version, .list, .open(connection: "pn532_uart:/dev/ttyUSB0"), .open(connection: ""), .presence, .reselect,
            .close, .listSmartCardReaders, .carries([0x1B], .raw), .hidesRefusal([0x22, 0x21]),
            .watchSmartCardReaders(nil, timeout: .seconds(1)), .watchSmartCardReaders([], timeout: .zero),
            .watchSmartCardReaders(["ACS ACR122U PICC Interface 00 00", ""], timeout: .seconds(1)),
            .abort,
            .poll([], settled: nil), .poll(Technology.allCases, settled: []),
            .poll([.nfcF], settled: [[1, 2, 3, 4], []]),
            .transceive([0x30, 0x00], .handled, timeout: .milliseconds(500)),
            .transceive([UInt8](repeating: 0xFF, count: 262), .raw, timeout: .microseconds(1)),
            // If this duration is divided as a Double, it loses a microsecond.
            .exchangeShortFrame(0x26, timeout: .microseconds(40_023_329)),
            .exchangeFrame([0xA2], timeout: .seconds(60)), .signal(Signal(.success, lights: true, sounds: false)),
            .signal(Signal(.idle, lights: false, sounds: true)),
            .requireListening, .listen(ListeningTarget(nfcID1Tail: [1, 2, 3]), timeout: .seconds(1)),
            .listen(
                ListeningTarget(
                    nfcID1Tail: [], sensRes: [], selRes: 0, historicalBytes: [UInt8](repeating: 7, count: 48)),
                timeout: .microseconds(1)),
            .receiveCommand(timeout: .seconds(1)), .sendResponse([]),
            .sendResponse([UInt8](repeating: 0x90, count: 262)),
        ] + targets.map(ReaderRequest.connect) + targets.map(ReaderRequest.powerUp)

    private static let errors: [ReaderError] = [
        .noReader(connection: nil), .noReader(connection: "x"), .busy(connection: "x", holder: nil),
        .busy(connection: "x", holder: "pcscd (process 1)"), .noPermission(connection: "x", path: "/dev/x"),
        .readerFailed(operation: "polling", reason: "it did not answer in time", code: -6), .noAnswer, .tagLost,
        .commandTooLong(length: 300, limit: 262), .aborted,
        .cannotListen(connection: "acr122_usb:001:004", reason: "an ACR122 does not allow emulation"), .initiatorLost,
        .cannotSend(command: 0xA5, reader: "pcsc:x"),
        .cannotSend(command: 0x21, reader: "pcsc:x", technology: .nfcV, flags: 0x62),
    ]

    private static let replies: [ReaderReply] =
        [
            .done, .version(""), .version(ReaderProtocol.version), .shown(true), .shown(false),
            .opened(connection: "x", chip: nil, technologies: []),
            .opened(
                connection: "acr122_usb:001:004", chip: "PN532 v1.6", technologies: [.nfcA, .nfcV]), .connections([]),
            .connections(["a", "b"]),
            .targets([]), .targets(FoundTargets(targets)), .targets(FoundTargets(targets, mayBeMore: true)),
            .channel(
                ChannelLimits(maxCommandLength: 262, maxResponseLength: 1, longestSilence: .milliseconds(181))),
            .presence(.continuous), .presence(.renewed),
            .presence(.absent), .bytes([]), .bytes([UInt8](repeating: 0xAA, count: 512)), .nibble(0x0A),
            .activated(true), .activated(false), .silence,
        ] + errors.map(ReaderReply.failed)

    @Test(arguments: requests) func aRequestArrivesAsItWasSent(request: ReaderRequest) throws {
        #expect(try ReaderRequest(decoding: request.encoded) == request)
    }

    @Test(arguments: replies) func aReplyArrivesAsItWasSent(reply: ReaderReply) throws {
        #expect(try ReaderReply(decoding: reply.encoded) == reply)
    }

    @Test func theVersionNamesTheReleaseAndEveryMessage() {
        #expect(ReaderProtocol.version.hasPrefix("\(ReaderProtocol.release)/"))
        for name in ["exchangeFrame", "powerUp", "activated", "silence"] {
            #expect(ReaderProtocol.version.contains(name))
        }
    }

    @Test(arguments: requests) func aRequestCutAnywhereIsNone(request: ReaderRequest) {
        for length in 0..<request.encoded.count {
            #expect(throws: WireReader.Broken.self) {
                try ReaderRequest(decoding: Array(request.encoded.prefix(length)))
            }
        }
    }

    @Test(arguments: replies) func aReplyCutAnywhereIsNone(reply: ReaderReply) {
        for length in 0..<reply.encoded.count {
            #expect(throws: WireReader.Broken.self) { try ReaderReply(decoding: Array(reply.encoded.prefix(length))) }
        }
    }

    @Test func bytesLeftOverAreAnError() {
        #expect(throws: WireReader.Broken.self) { try ReaderRequest(decoding: ReaderRequest.list.encoded + [0]) }
        #expect(throws: WireReader.Broken.self) { try ReaderReply(decoding: ReaderReply.done.encoded + [0]) }
    }

    @Test func aCountIsBelievedOnlyAsFarAsThereAreBytes() {
        for code in UInt8(0)...14 {
            let claim = [code] + [UInt8](repeating: 0xFF, count: 8)
            #expect(throws: WireReader.Broken.self) { try ReaderReply(decoding: claim) }
        }
    }

    @Test func chanceBytesAreARequestAReplyOrAnError() {
        var chance = SplitMix(state: 1)
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0..<64, using: &chance)).map { _ in
                UInt8.random(in: 0...255, using: &chance)
            }
            if !bytes.isEmpty { bytes[0] %= 19 }
            // A decoded value is decoded to the same value after it was sent on.
            if let reply = try? ReaderReply(decoding: bytes) {
                #expect((try? ReaderReply(decoding: reply.encoded)) == reply)
            }
            if let request = try? ReaderRequest(decoding: bytes) {
                #expect((try? ReaderRequest(decoding: request.encoded)) == request)
            }
        }
    }
}
