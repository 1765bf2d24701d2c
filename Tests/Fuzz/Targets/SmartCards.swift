// Answers of PC/SC readers — PC/SC parts 3 and 10

import Logging
import ReaderInterface
import TagTypes

@testable import PCSCReaders

extension FuzzTarget {
    static let smartCards = [
        FuzzTarget("pcsc-channel", seeds: channelSeeds) { bytes in
            var tape = Tape(bytes)
            let dialects = ReaderDialect.all + [.generic]
            let dialect = dialects[tape.number(below: dialects.count)]
            let target = targets[tape.number(below: targets.count)]
            let reader = TapedReader(tape)
            let channel = PCSCChannel(
                target: target, reader: "Reader", dialect: dialect, owner: reader, limit: .short,
                logger: Logger(label: "fuzz"))
            let tag = TagDetection.tag(on: channel, patience: Patience(attempts: 2, time: .zero, pause: .zero))
            _ = try? tag.detect()
            _ = try? tag.readNDEF()
            _ = try? tag.memoryMap()
            _ = try? tag.writeNDEF([0xD0, 0, 0])
            try require(!reader.isEndless, "the decoder keeps sending commands to the tag")
        },
        FuzzTarget("pcsc-card", seeds: [octets("13 3B8F8001804F0CA0000003060B00120000000071 00 02 9000")]) { bytes in
            var tape = Tape(bytes)
            let answer = tape.bytes()
            if let atr = ContactlessATR(answer) {
                try require(atr.historicalBytes.count <= answer.count, "the historical bytes are too long")
                _ = atr.storageCard?.selRes
            }
            let dialects = ReaderDialect.all + [.generic]
            let reader = TapedReader(tape)
            for dialect in dialects {
                _ = try? TargetIdentification(carrier: reader, dialect: dialect).target(atr: answer)
            }
        },
        FuzzTarget(
            "pcsc-objects",
            seeds: [octets("C003009000 92 01 00 96 02 0000 97 03 010203"), octets("0A0400000100 0B022F07")]
        ) { bytes in
            if let objects = ResponseObjects(bytes) {
                for tag: UInt16 in [0xC0, 0x92, 0x96, 0x97, 0x5F_46] {
                    guard let value = objects[tag] else { continue }
                    try require(value.count <= bytes.count, "the value is longer than the answer")
                }
            }
            _ = ReaderProperties.properties(bytes)
            _ = ReaderProperties.code(of: 0x12, among: bytes)
            _ = ReaderResponse(bytes)?.isCertain
        },
        FuzzTarget("pcsc-names", texts: ["pcsc:ACS ACR122U PICC Interface 00 00", "pcsc:usb:1:2", "pcsc:A*b*\nAcb"]) {
            text in
            let lines = text.split(separator: "\n").map(String.init)
            guard let first = lines.first else { return }
            _ = ReaderName(first)
            for line in lines {
                _ = ReaderName.matches(first, among: lines)
                _ = ReaderName.lasting(line, among: lines)
            }
            _ = ReaderDialect.of(name: first)
        },
    ]

    private static let channelSeeds: [[UInt8]] = (0..<14).flatMap { dialect in
        (0..<7).map { target in
            // Each answer is preceded by its length.
            [UInt8(dialect), UInt8(target)]
                + octets(
                    "02 9000 12 000102030405060708090A0B0C0D0E0F9000 12 E1100600030000FE00000000000000009000 02 6A82")
        }
    }
}

private final class TapedReader: ChannelOwner {
    private static let mostExchanges = 3_000
    private var tape: Tape
    private var count = 0

    init(_ tape: Tape) { self.tape = tape }

    var isEndless: Bool { count > 2 * Self.mostExchanges }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> ReaderResponse {
        count += 1
        guard count < Self.mostExchanges else { throw .tagLost }
        guard !tape.isAtEnd, let response = ReaderResponse(tape.bytes()) else { throw .noAnswer }
        return response
    }

    func isCurrent(_ channel: PCSCChannel) -> Bool { true }
    func reselect(_ target: Target) throws(ReaderError) {}
}
