// The host waits at least as long as the chip does — NXP UM0701-02, RFConfiguration; ISO/IEC 14443-4, FWT

import Dispatch
import Logging
import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct SilenceTests {
    private static func nfcA(ats: [UInt8], selRes: UInt8 = 0x20) -> Target {
        .nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: selRes, nfcID1: [4, 1, 2, 3, 4, 5, 6], ats: ats))
    }

    @Test func withoutISODEPTheChipWaits51Milliseconds() {
        #expect(Self.nfcA(ats: [], selRes: 0).chipTimeout == .microseconds(51_200))
        let target = NFCFTarget(nfcID2: Array(0..<8), pad: Array(0..<8), systemCode: [0x12, 0xFC])
        #expect(Target.nfcF(target).chipTimeout == .microseconds(51_200))
    }

    /// T0 announces TA(1) and TB(1); FWI is the high half of TB(1).
    @Test func withISODEPTheChipWaitsThreeFrameWaitingTimes() {
        #expect(Self.nfcA(ats: [0x75, 0x77, 0x81, 0x02, 0x80]).chipTimeout == .microseconds(303) * 256 * 3)
        #expect(Self.nfcA(ats: [0x25, 0xB1]).chipTimeout == .microseconds(303) * 2_048 * 3)
        // If TB(1) is missing or cut off, or if FWI is the reserved 15, it counts as 4, which is less than the chip's
        // minimum.
        for ats in [[], [0x05], [0x20], [0x30, 0x11], [0x25, 0xF1]] as [[UInt8]] {
            #expect(Self.nfcA(ats: ats).chipTimeout == .microseconds(51_200))
        }
        let card = NFCBTarget(nfcID0: [1, 2, 3, 4], applicationData: [0, 0, 0, 0], protocolInfo: [0x80, 0x71, 0xC1])
        #expect(Target.nfcB(card).chipTimeout == .microseconds(303) * 4_096 * 3)
    }

    @Test func aSerialLineGetsTheTimeOfItsSpeed() {
        let chip = Duration.microseconds(51_200)
        let usual = ReaderLink(connection: "pn532_uart:/dev/ttyUSB0")
        let slow = ReaderLink(connection: "pn532_uart:/dev/ttyUSB0:9600")
        #expect(usual == .frames(bitsPerSecond: 115_200))
        // Two frames of 275 bytes are 48 ms at 115200 bit/s, and 573 ms at 9600.
        #expect((150...250).contains(usual.timeout(for: .milliseconds(1), chipTimeout: chip)))
        #expect((650...800).contains(slow.timeout(for: .milliseconds(1), chipTimeout: chip)))
        #expect(usual.timeout(for: .seconds(1), chipTimeout: chip) == 1_000)
        // A speed that libnfc does not support is ignored.
        #expect(ReaderLink(connection: "pn532_uart:/dev/ttyUSB0:0") == usual)
        #expect(ReaderLink(connection: "pn532_uart:/dev/ttyUSB0:x") == usual)
    }

    /// A tag acknowledges SECTOR SELECT by silence, so the caller waits for only 1 ms, in which a refusal would arrive.
    @Test func aSilentTagAtARealPaceIsNotAMuteReader() throws {
        let chip = try VirtualReader(tags: [VirtualTagKind.ntagI2C2K.make()], latency: .real)
        let queue = DispatchQueue(label: "silence")
        let reader = try LibNFCReader(connection: chip.connection, queue: queue, logger: Logger(label: "test"))
        try queue.sync {
            defer { reader.close() }
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            #expect(channel.longestSilence > .microseconds(51_200))
            _ = try? channel.transceive([0xC2, 0xFF], framing: .raw, timeout: .milliseconds(1))
            #expect(throws: ReaderError.noAnswer) {
                try channel.transceive([0x01, 0x00, 0x00, 0x00], framing: .raw, timeout: .milliseconds(1))
            }
            try channel.reselect()
            #expect(try channel.transceive([0x30, 0x00], framing: .handled).count == 16)
        }
    }
}
