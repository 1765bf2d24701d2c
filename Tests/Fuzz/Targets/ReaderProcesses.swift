// Messages between a program and the process that controls its reader

@testable import ReaderProcess
import ReaderInterface

extension FuzzTarget {
    static let readerProcess = [
        FuzzTarget("reader-request", seeds: requestSeeds.map(\.encoded)) { bytes in
            guard let request = try? ReaderRequest(decoding: bytes) else { return }
            _ = request.deadline
            try require(try ReaderRequest(decoding: request.encoded) == request, "the request differs after encoding")
        },
        FuzzTarget("reader-reply", seeds: replySeeds.map(\.encoded)) { bytes in
            guard let reply = try? ReaderReply(decoding: bytes) else { return }
            if case .failed(let error) = reply { _ = "\(error)" }
            try require(try ReaderReply(decoding: reply.encoded) == reply, "the reply differs after encoding")
        },
    ]

    static let targets: [Target] = [
        .nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: [0x04, 1, 2, 3, 4, 5, 6])),
        .nfcA(
            NFCATarget(sensRes: [0x03, 0x44], selRes: 0x20, nfcID1: [8, 1, 2, 3], ats: [0x75, 0x77, 0x81, 2, 0x80])),
        .nfcA(NFCATarget(sensRes: [0x00, 0x04], selRes: 0x08, nfcID1: [1, 2, 3, 4])),
        .nfcB(NFCBTarget(nfcID0: [1, 2, 3, 4], applicationData: [5, 6, 7, 8], protocolInfo: [9, 0x11, 11])),
        .nfcF(NFCFTarget(nfcID2: Array(0..<8), pad: Array(8..<16), systemCode: [0x12, 0xFC])),
        .jewel(JewelTarget(sensRes: [0x00, 0x0C], uid: [1, 2, 3, 4])),
        .nfcV(NFCVTarget(uid: [0xE0, 4, 1, 2, 3, 4, 5, 6])),
    ]

    private static let requestSeeds: [ReaderRequest] =
        [
            .version, .open(connection: "pn532_uart:/dev/ttyUSB0"),
            .poll([.nfcF, .nfcA], settled: [[1, 2, 3, 4], []]),
            .watchSmartCardReaders(["ACS 00 00", ""], timeout: .seconds(1)), .hidesRefusal([0x22, 0x21]),
            .transceive([0x30, 0x00], .handled, timeout: .milliseconds(500)),
            .exchangeFrame([0xA2], timeout: .seconds(9)),
            .exchangeShortFrame(0x26, timeout: .seconds(1)), .carries([0x1B], .raw), .sendResponse([0x90, 0]),
            .signal(Signal(.success, lights: true, sounds: false)), .receiveCommand(timeout: .seconds(1)),
            .listen(ListeningTarget(nfcID1Tail: [1, 2, 3]), timeout: .seconds(1)),
        ] + targets.map(ReaderRequest.connect) + targets.map(ReaderRequest.powerUp)

    private static let replySeeds: [ReaderReply] = [
        .done, .version("x"), .shown(true), .opened(connection: "x", chip: "PN532 v1.6", technologies: [.nfcA, .nfcV]),
        .connections(["a", "b"]), .carried(true), .targets(FoundTargets(targets, mayBeMore: true)),
        .channel(ChannelLimits(maxCommandLength: 262, maxResponseLength: 262, longestSilence: .milliseconds(52))),
        .bytes([1, 2]), .nibble(0xA), .activated(true), .silence, .failed(.tagLost),
        .failed(.readerFailed(operation: "polling", reason: "x", code: -6)),
        .failed(.busy(connection: "x", holder: "y")),
        .failed(.cannotSend(command: 0x21, reader: "pcsc:x", technology: .nfcV, flags: 0x62)),
        .failed(.commandTooLong(length: 300, limit: 262)), .failed(.cannotListen(connection: "a", reason: "b")),
    ]
}
