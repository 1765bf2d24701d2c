// Tests of the chip as a target that passes frames to its host, and of noise

import Chance
import Testing

@testable import VirtualPN532

struct TargetFrameTests {
    private func frameBench() throws -> AirBench {
        let bench = try AirBench()
        _ = bench.chip.answer("12 00")
        _ = bench.chip.answer("8C 01 \(AirBench.parameters)")
        _ = bench.signals()
        return bench
    }

    @Test func withoutThePICCTheHostGetsFrames() throws {
        let bench = try frameBench()
        #expect(bench.air("E0 80") == "nothing")
        #expect(bench.late() == "8D 00 E0 80")
        #expect(bench.chip.answer("8A") == "8B 01 00")
        #expect(bench.chip.answer("90 05 78 80 70 02") == "91 00")
        #expect(bench.heard() == "05 78 80 70 02")
        #expect(bench.chip.answer("88") == "no answer")
        #expect(bench.air("02 00 A4") == "nothing")
        #expect(bench.late() == "89 00 02 00 A4")
        #expect(bench.chip.answer("86") == "87 27")
        #expect(bench.chip.answer("88") == "no answer")
        bench.fieldOff()
        #expect(bench.late() == "89 29")
        #expect(bench.chip.answer("90 02 90 00") == "91 29")
    }

    @Test func theRegistersRuleCRCAndBits() throws {
        let bench = try frameBench()
        _ = bench.air("30 00")
        // CIU_TxMode and CIU_RxMode are without CRC. CRC_A of 30 04 is 26 EE.
        _ = bench.chip.answer("08 63 02 00 63 03 00")
        #expect(bench.chip.answer("90 01 02 03") == "91 00")
        #expect(bench.heard() == "= 01 02 03")
        _ = bench.air("30 04")
        #expect(bench.chip.answer("88") == "89 00 30 04 26 EE")
        // CIU_BitFraming: four bits.
        _ = bench.chip.answer("08 63 3D 04")
        #expect(bench.chip.answer("90 0A") == "91 00")
        #expect(bench.heard() == "n10")
    }

    @Test func theInitiatorsLastFrameCounts() throws {
        let bench = try frameBench()
        _ = bench.air("30 00")
        #expect(bench.air("30 04") == "nothing")
        #expect(bench.air("30 08") == "nothing")
        #expect(bench.chip.answer("88") == "89 00 30 08")
        #expect(bench.chip.answer("90 11") == "91 00")
        #expect(bench.heard() == "11")
        #expect(bench.chip.answer("90 22") == "91 00")
        #expect(bench.heard() == "nothing")
    }

    // MARK: Bounds

    @Test func aSignalIsReadAsItWasWritten() {
        let listener = AntennaSignal.Listener(epoch: 7, sensRes: [4, 0], nfcID1: [8, 1, 2, 3], selRes: 0x20)
        let signals: [AntennaSignal] = [
            .listening(listener), .silent, .frame(epoch: 1, number: 2, [0xE0, 0x80]), .fieldOff(epoch: 3),
            .answer(number: 4, .bytes([1, 2])), .answer(number: 5, .bare([3])), .answer(number: 6, .nibble(0x0A)),
            .answer(number: 7, .silence),
        ]
        for signal in signals {
            #expect(AntennaSignal(signal.encoded) == signal)
            for length in 0..<signal.encoded.count {
                #expect(AntennaSignal(Array(signal.encoded.prefix(length))) != signal)
            }
        }
        #expect(AntennaSignal([UInt8](repeating: 3, count: AntennaSignal.maximumLength + 1)) == nil)
    }

    @Test func noiseOnBothSidesNeverTrapsTheChip() throws {
        var chance = SplitMix(state: 0x532)
        for _ in 0..<40 {
            let bench = try AirBench(activatedWithRATS: "E0 50")
            for _ in 0..<60 {
                let bytes = (0..<Int.random(in: 0...12, using: &chance)).map { _ in
                    UInt8.random(in: .min ... .max, using: &chance)
                }
                switch Int.random(in: 0..<5, using: &chance) {
                case 0: bench.send([UInt8.random(in: 1...4, using: &chance), 1] + bytes)
                case 1: bench.send(bytes.isEmpty ? [0] : bytes)
                case 2:
                    let pcb: UInt8 =
                        [0x02, 0x03, 0x12, 0xA2, 0xB3, 0xC2, 0xF2, 0xE0].randomElement(using: &chance) ?? 0
                    _ = bench.air(hex([pcb] + bytes))
                case 3: bench.pass(.milliseconds(80))
                default:
                    let code: UInt8 =
                        [0x86, 0x88, 0x8A, 0x8E, 0x90, 0x94, 0x8C, 0x12, 0x52].randomElement(using: &chance) ?? 0
                    _ = bench.chip.answer(hex([code] + bytes))
                }
            }
            #expect(bench.chip.answer("02") == "03 32 01 06 07")
        }
    }
}
