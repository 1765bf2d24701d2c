// Tests of bit rates above 106 kbit/s — ISO/IEC 14443-4, PPS; NXP UM0701-02, InPSL

import Synchronization
import Testing

@testable import VirtualPN532

/// A Type 4 Tag that asks for more time with S(WTX) before it answers a command.
private final class SlowTag: RatedTag {
    let sensRes: [UInt8] = [0x44, 0x03]
    let nfcID1 = octets("04 11 22 33 44 55 66")
    let selRes: UInt8 = 0x20
    let generation = 0
    private let tag = VirtualType4Tag(nfcID1: octets("04 11 22 33 44 55 66"))
    private let late = Mutex<TagReply?>(nil)

    var bitRates: BitRates { tag.bitRates }

    func fieldOff() { tag.fieldOff() }
    func poll(wakeUp: Bool) -> Bool { tag.poll(wakeUp: wakeUp) }
    func deselect() { tag.deselect() }
    func select() { tag.select() }
    func halt() { tag.halt() }
    func receiveTorn(_ frame: [UInt8]) { tag.receiveTorn(frame) }

    func receive(_ frame: [UInt8]) -> TagReply {
        let waitingTimeExtension: [UInt8] = [0xF2, 0x01]
        if frame == waitingTimeExtension, let reply = late.withLock({ $0 }) { return reply }
        let reply = tag.receive(frame)
        guard let pcb = frame.first, pcb & 0xE2 == 0x02 else { return reply }
        late.withLock { $0 = reply }
        return TagReply(.bytes(waitingTimeExtension))
    }
}

@Suite struct BitRateTests {
    private static let selectApplication = "40 01 00 A4 04 00 07 D2 76 00 00 85 01 01 00"
    private static let selectFile = "40 01 00 A4 00 0C 02 E1 04"
    private static let readFile = "40 01 00 B0 00 00 C8"
    private static let selected = "41 00 90 00"

    private static func tag(ta1: UInt8) -> any VirtualTag {
        var configuration = Type4Configuration()
        configuration.ats = [0x06, 0x77, ta1, 0x71, 0x02, 0x80]
        return VirtualType4Tag(nfcID1: octets("04 11 22 33 44 55 66"), configuration: configuration)
    }

    private static func bench(_ tag: any VirtualTag) throws -> ChipBench {
        let bench = ChipBench([tag])
        try #require(bench.answer("4A 01 00").hasPrefix("4B 01"))
        return bench
    }

    /// Returns the modelled time of one command.
    private static func time(of command: String, on bench: ChipBench) -> Duration {
        let start = bench.statistics.value.modelledTime
        _ = bench.answer(command)
        return bench.statistics.value.modelledTime - start
    }

    @Test(arguments: [VirtualTagKind.type4, .ntag424])
    func higherBitRatesShortenTheTimeOnTheAir(kind: VirtualTagKind) throws {
        let times = try ["00 00", "01 01", "02 02"].map { rates in
            let bench = try Self.bench(kind.make())
            #expect(bench.answer("4E 01 \(rates)") == "4F 00")
            #expect(bench.answer(Self.selectApplication).hasPrefix("41 00"))
            #expect(bench.answer(Self.selectFile) == Self.selected)
            return Self.time(of: Self.readFile, on: bench)
        }
        // 200 bytes of 9 bits take 17 ms at 106 kbit/s.
        #expect(times[0] - times[1] > .milliseconds(8))
        #expect(times[1] - times[2] > .milliseconds(4))
    }

    /// TA(1), BRit and BRti, and the status.
    @Test(
        arguments: [
            (0x77, "02 02", "00"), (0x77, "02 01", "00"), (0x77, "00 02", "00"), (0x77, "03 03", "10"),
            // Only the same bit rate in both directions.
            (0xF7, "02 02", "00"), (0xF7, "02 01", "01"),
            // 212 kbit/s to the reader, and 212 and 424 kbit/s to the tag.
            (0x13, "02 01", "00"), (0x13, "02 02", "01"),
            // Only 106 kbit/s. Bit 4 means the same.
            (0x80, "01 01", "01"), (0x80, "00 00", "00"), (0x7F, "01 01", "01"),
        ] as [(UInt8, String, String)])
    func aTagAgreesToTheBitRatesOfItsAnswerToSelect(ta1: UInt8, rates: String, status: String) throws {
        let bench = try Self.bench(Self.tag(ta1: ta1))
        #expect(bench.answer("4E 01 \(rates)") == "4F \(status)")
        #expect(bench.answer(Self.selectApplication) == Self.selected)
    }

    @Test func onlyISODEPTargetsOfTypeAHaveHigherBitRates() throws {
        for (kind, poll) in [(VirtualTagKind.ntag213, "4A 01 00"), (VirtualTagKind.type4b, "4A 01 03 00")] {
            let bench = ChipBench([kind.make()])
            #expect(bench.answer(poll).hasPrefix("4B 01"))
            #expect(bench.answer("4E 01 01 01") == "4F 26")
            #expect(bench.answer("4E 01 00 00") == "4F 00")
        }
    }

    @Test func aPPSIsTooLateAfterTheFirstBlock() throws {
        let bench = try Self.bench(VirtualTagKind.type4.make())
        #expect(bench.answer(Self.selectApplication) == Self.selected)
        #expect(bench.answer("4E 01 02 02") == "4F 01")
        #expect(bench.answer(Self.selectFile) == Self.selected)
    }

    @Test func statusAndRegistersShowTheBitRates() throws {
        let bench = try Self.bench(VirtualTagKind.type4.make())
        #expect(bench.answer("4E 01 02 01") == "4F 00")
        // BrRx, BrTx.
        #expect(bench.answer("04") == "05 00 00 01 01 01 02 00 80")
        #expect(bench.answer("06 63 02 63 03") == "07 A0 90")
    }

    @Test func presenceIsCheckedAtTheNewBitRate() throws {
        let bench = try Self.bench(VirtualTagKind.type4.make())
        #expect(bench.answer("4E 01 02 02") == "4F 00")
        // Diagnose, and R(NAK) as libnfc sends it.
        #expect(bench.answer("00 06") == "01 00")
        #expect(bench.answer("42 B2") == "43 00 A3")
        _ = bench.answer("08 63 02 80 63 03 80")
        #expect(bench.answer("42 B2") == "43 01")
    }

    @Test func aWaitingTimeExtensionWorksAtTheNewBitRate() throws {
        let bench = try Self.bench(SlowTag())
        #expect(bench.answer("4E 01 02 02") == "4F 00")
        #expect(bench.answer(Self.selectApplication) == Self.selected)
        #expect(bench.answer(Self.selectFile) == Self.selected)
    }

    /// The commands that end the bit rates: InDeselect and InSelect, or switching the field off and on.
    @Test(arguments: [["44 01", "54 01"], ["32 01 00", "32 01 01", "4A 01 00"]])
    func deselectionAndLossOfTheFieldEndTheBitRates(commands: [String]) throws {
        let bench = try Self.bench(VirtualTagKind.type4.make())
        #expect(bench.answer("4E 01 02 02") == "4F 00")
        #expect(bench.answer(Self.selectApplication) == Self.selected)
        for command in commands { _ = bench.answer(command) }
        #expect(bench.answer("04") == "05 00 00 01 01 00 00 00 80")
        #expect(bench.answer("06 63 02 63 03") == "07 80 80")
        #expect(bench.answer(Self.selectApplication) == Self.selected)
    }

    @Test func framesAtHigherBitRatesAreLostMoreOften() {
        var coupling = Coupling()
        coupling.bitErrorRate = Coupling.bitErrorRate(losing: 0.05)
        let losses = [Modulation.typeA106, .typeA212, .typeA424].map { modulation in
            coupling.loss(
                of: AirFrame(bytes: [UInt8](repeating: 0, count: 60), modulation: modulation), isAtEdge: false)
        }
        #expect(losses[0] < losses[1] && losses[1] < losses[2])
        let short = AirFrame(bytes: [UInt8](repeating: 0, count: 8), modulation: .typeA424)
        #expect(coupling.loss(of: short, isAtEdge: true) == 1)
    }
}
