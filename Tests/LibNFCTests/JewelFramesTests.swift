// Type 1 Tag commands through the chip's registers: the real libnfc on the virtual PN532

import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct JewelFramesTests {
    /// Returns READ8, WRITE-E8 or WRITE-NE8 with the UID of the channel's target.
    private func frame(_ code: UInt8, _ block: UInt8, _ data: [UInt8], _ channel: any TagChannel) -> [UInt8] {
        [code, block] + data + channel.target.identifier
    }

    private let zeros = [UInt8](repeating: 0x00, count: 8)
    private let data: [UInt8] = [0x00, 0xFF, 0x80, 0x01, 0x55, 0xAA, 0x7F, 0xFE]

    private func withTopaz512<Value>(
        _ work: (Bench, LibNFCReader, any TagChannel) throws -> Value
    ) throws -> Value {
        let bench = try Bench([VirtualTagKind.topaz512.make()])
        return try bench.open { reader in
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.jewel]).first))
            return try work(bench, reader, channel)
        }
    }

    @Test(arguments: [
        // ISO/IEC 14443-3, annex B.
        ([0x00, 0x00, 0x00] as [UInt8], [0xCC, 0xC6] as [UInt8]),
        ([0x0F, 0xAA, 0xFF], [0xFC, 0xD1]),
        ([0x0A, 0x12, 0x34, 0x56], [0x2C, 0xF6]),
    ])
    func theChecksumIsCRCB(bytes: [UInt8], crc: [UInt8]) {
        #expect(JewelFrames.crcB(bytes) == crc)
    }

    @Test func aBlockOfDynamicMemoryIsWrittenAndReadInTwoExchangesEach() throws {
        try withTopaz512 { bench, _, channel in
            bench.chip.resetStatistics()
            let written = try channel.transceive(frame(0x54, 0x10, data, channel), framing: .raw)
            #expect(written == [0x10] + data)
            #expect(bench.chip.statistics.commands == [0x08: 1, 0x06: 1])
            let read = try channel.transceive(frame(0x02, 0x10, zeros, channel), framing: .raw)
            #expect(read == [0x10] + data)
            #expect(bench.chip.statistics.commands == [0x08: 2, 0x06: 2])
        }
    }

    @Test func bitsAreOnlyAddedWithoutErase() throws {
        try withTopaz512 { _, _, channel in
            _ = try channel.transceive(frame(0x54, 0x20, zeros, channel), framing: .raw)
            _ = try channel.transceive(frame(0x1B, 0x20, [1, 0, 0, 0, 0, 0, 0, 0x80], channel), framing: .raw)
            let answer = try channel.transceive(frame(0x1B, 0x20, [2, 0, 0, 0, 0, 0, 0, 1], channel), framing: .raw)
            #expect(answer == [0x20, 3, 0, 0, 0, 0, 0, 0, 0x81])
        }
    }

    @Test func rawAndHandledCommandsAlternateAndTheChipGetsItsParityBack() throws {
        try withTopaz512 { bench, reader, channel in
            for _ in 0..<2 {
                #expect(try channel.transceive(frame(0x02, 0x3F, zeros, channel), framing: .raw).count == 9)
                bench.chip.resetStatistics()
                #expect(try channel.transceive([0x00], framing: .handled).count == 122)
                // WriteRegister and InDataExchange.
                #expect(bench.chip.statistics.commands == [0x08: 1, 0x40: 1])
            }
            _ = try channel.transceive(frame(0x02, 0x3F, zeros, channel), framing: .raw)
            try channel.reselect()
            #expect(!reader.leavesParityToHost)
        }
    }

    @Test func aTagThatIsNotMeantOrLeftDoesNotAnswer() throws {
        try withTopaz512 { bench, reader, channel in
            #expect(throws: ReaderError.noAnswer) {
                try channel.transceive([0x02, 0x10] + zeros + [1, 2, 3, 4], framing: .raw)
            }
            let answer = try channel.transceive(frame(0x02, 0x10, zeros, channel), framing: .raw)
            #expect(answer.count == 9)
            bench.chip.field.remove(identifier: channel.target.identifier)
            #expect(throws: ReaderError.noAnswer) {
                try channel.transceive(frame(0x02, 0x10, zeros, channel), framing: .raw)
            }
            #expect(throws: ReaderError.tagLost) { try channel.reselect() }
        }
    }

    @Test(arguments: [0x10, 0x00, 0x53] as [UInt8])
    func aCommandTheRegistersCannotCarryIsNotSent(_ code: UInt8) throws {
        try withTopaz512 { bench, _, channel in
            bench.chip.resetStatistics()
            let error = ReaderError.readerFailed(
                operation: "sending a Type 1 Tag command", reason: "it cannot do this", code: -3)
            #expect(throws: error) { try channel.transceive(frame(code, 0x10, zeros, channel), framing: .raw) }
            #expect(throws: error) { try channel.transceive([0x02, 0x10], framing: .raw) }
            #expect(bench.chip.statistics.exchanges == 0)
        }
    }

    @Test func abortEndsTheFrames() throws {
        try withTopaz512 { _, reader, channel in
            reader.abort()
            #expect(throws: ReaderError.aborted) {
                try channel.transceive(frame(0x02, 0x10, zeros, channel), framing: .raw)
            }
        }
    }

    @Test(arguments: [0, 1])
    func aChipThatGoesMuteIsTheReadersFailure(after count: Int) throws {
        try withTopaz512 { bench, _, channel in
            bench.chip.faults.mute = count
            let failure = #expect(throws: ReaderError.self) {
                try channel.transceive(
                    frame(0x02, 0x10, zeros, channel), framing: .raw, timeout: .milliseconds(50))
            }
            guard case .readerFailed = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
    }

    @Test func everyAnswerOfTheRegistersCutShortOrChangedIsNoAnswer() throws {
        // The bits that a READ8 of block 10 with eight bytes of FF leaves: level 13, and 99 bits with odd parity.
        let bytes: [UInt8] = [0x10] + [UInt8](repeating: 0xFF, count: 8)
        let bits = (bytes + JewelFrames.crcB(bytes)).flatMap { byte in
            (0..<8).map { byte >> $0 & 1 } + [UInt8(1 - byte.nonzeroBitCount % 2)]
        }
        let fifo = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].reversed().reduce(0) { $0 << 1 | $1 }
        }
        let values = [13] + fifo
        #expect(JewelFrames.answer(in: values) == bytes)
        for count in 0..<values.count { #expect(JewelFrames.answer(in: Array(values.prefix(count))) == nil) }
        for level in 0..<UInt8(13) { #expect(JewelFrames.answer(in: [level] + fifo) == nil) }
        // Only data bits count, because the CRC is checked, but parity is not.
        for bit in 0..<99 where bit % 9 != 8 {
            var broken = values
            broken[1 + bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(JewelFrames.answer(in: broken) == nil)
        }
    }
}
