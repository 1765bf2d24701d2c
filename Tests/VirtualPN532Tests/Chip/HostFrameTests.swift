// Tests of the host frames — NXP UM0701-02

import Chance
import Testing

@testable import VirtualPN532

/// Frames of UM0701-02.
///
/// The transcripts are from libnfc 1.8.0 and nfcpy 1.0.4.
struct HostFrameTests {
    static let rows: [(String, HostFrame)] = [
        ("00 00 FF 00 FF 00", .ack),
        ("00 00 FF FF 00 00", .nack),
        ("00 00 FF 01 FF 7F 81 00", .syntaxError),
        // GetFirmwareVersion and its answer, nfcpy.
        ("00 00 FF 02 FE D4 02 2A 00", .information([0xD4, 0x02])),
        ("00 00 FF 06 FA D5 03 32 01 06 07 E8 00", .information([0xD5, 0x03, 0x32, 0x01, 0x06, 0x07])),
        // SAMConfiguration, nfcpy.
        ("00 00 FF 05 FB D4 14 01 00 00 17 00", .information([0xD4, 0x14, 0x01, 0x00, 0x00])),
    ]

    @Test(arguments: rows) func framesAreReadAndWrittenAsInTheManual(row: (hex: String, frame: HostFrame)) {
        var parser = HostFrameParser()
        parser.append(octets(row.hex))
        #expect(parser.next() == row.frame)
        #expect(parser.next() == nil)
        #expect(hex(row.frame.encoded) == row.hex)
    }

    @Test func framesBeyond255BytesAreExtended() {
        let frame = HostFrame.information([UInt8](repeating: 0x11, count: 265))
        #expect(hex(frame.encoded.prefix(8)) == "00 00 FF FF FF 01 09 F6")
        var parser = HostFrameParser()
        parser.append(frame.encoded)
        #expect(parser.next() == frame)
    }

    @Test(arguments: rows) func nothingIsReadBeforeTheLastByteOfTheFrame(row: (hex: String, frame: HostFrame)) {
        let all = octets(row.hex)
        // The chip does not wait for the postamble.
        for count in 0..<(all.count - 1) {
            var parser = HostFrameParser()
            parser.append(all.prefix(count))
            #expect(parser.next() == nil)
            parser.append(all.dropFirst(count))
            #expect(parser.next() == row.frame)
        }
    }

    @Test(arguments: [
        "55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00",  // libnfc's wake-up
        "00 00 00 00 00 00 00 00 00 00",  // nfcpy's wake-up
        "FF FF FF", "00 00 FF 05 FA", "00 00 FF FF FF 01 0A F5", "00 00 FF FF FF 01 09 00",
        "00 00 FF 02 FE D4 02 2B 00",
    ])
    func garbageBeforeAFrameIsSkipped(garbage: String) {
        var parser = HostFrameParser()
        parser.append(octets(garbage))
        #expect(parser.next() == nil)
        parser.append(octets("00 00 FF 02 FE D4 02 2A 00"))
        #expect(parser.next() == .information([0xD4, 0x02]))
    }

    @Test func anyBytesEndInFramesOrSilence() {
        var generator = SplitMix(state: 532)
        var parser = HostFrameParser()
        let alphabet: [UInt8] = [0x00, 0xFF, 0x00, 0xFF, 0x01, 0x02, 0xFE, 0xD4, 0x7F]
        var frames = 0
        for _ in 0..<20_000 {
            let chunk = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            parser.append(chunk)
            while let frame = parser.next() {
                frames += 1
                if case .information(let data) = frame { #expect(!data.isEmpty && data.count <= 265) }
            }
        }
        #expect(frames > 100)
    }

    @Test func anyHostBytesLeaveTheChipAlive() {
        var generator = SplitMix(state: 701)
        let bench = ChipBench([VirtualTagKind.ntag215.make(), VirtualTagKind.type4.make()])
        for _ in 0..<5_000 {
            let length = Int.random(in: 0...20, using: &generator)
            let command = (0..<length).map { _ in UInt8.random(in: 0...0xFF, using: &generator) }
            let codes: [UInt8] = [0x40, 0x42, 0x4A, 0x44, 0x54, 0x08, 0x32, 0x60, 0x00]
            let code = codes.randomElement(using: &generator) ?? 0
            let data = command.isEmpty ? [0x01, 0x00] : [command[0] & 0x43] + command.dropFirst()
            _ = bench.uart.receive(HostFrame.information([0xD4, code] + data).encoded)
            _ = bench.uart.receive(command)
            _ = bench.uart.resume()
        }
        _ = bench.uart.receive([UInt8](repeating: 0x55, count: 600))
        #expect(bench.answer("02") == "03 32 01 06 07")
    }
}
