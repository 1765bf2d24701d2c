// Tests of the commands, one by one — NXP UM0701-02

import Testing

@testable import VirtualPN532

struct PN532CommandTests {
    @Test(arguments: [
        ("02", "03 32 01 06 07"),
        ("00 00 6C 69 62 6E 66 63", "01 00 6C 69 62 6E 66 63"),
        ("00 01", "01 00"), ("00 02", "01 00"), ("00 06", "01 01"), ("00 03", "7F"), ("00", "7F"),
        ("04", "05 00 00 00 80"),
        ("14 01", "15"), ("14 01 14 01", "15"), ("14 05", "7F"), ("14", "7F"),
        ("12 14", "13"), ("12", "7F"),
        ("06 63 02 63 3D", "07 00 00"), ("06 63", "7F"), ("08 63 02", "7F"),
        ("0C", "0D 3F 06 00"), ("0E 81 00", "0F"),
        ("10 04", "11"), ("10 09", "7F"),
        ("16 F0", "17 00"),
        ("32 01 01", "33"), ("32 02 00 0B 0A", "33"), ("32 04 00", "33"), ("32 05 FF 01 FF", "33"),
        ("32 0A 59 F4 3F 11 4D 85 61 6F 26 62 87", "33"), ("32 0B 69 FF 3F 11 41 85 61 6F", "33"),
        ("32 0C FF 04 85", "33"), ("32 0D 85 15 8A 85 08 B2 85 01 DA", "33"), ("32 03 00", "7F"), ("32 02 00", "7F"),
        ("40 01 30 00", "41 27"), ("40", "7F"),
        ("42 60", "43 01"), ("42", "7F"),
        ("44 00", "45 00"), ("44 01", "45 27"), ("52 00", "53 00"), ("54 01", "55 27"),
        ("4E 01 00 00", "4F 27"), ("50 01 00", "51 01"), ("56 00 00 00", "57 01"),
        ("58 00", "7F"), ("86", "87 27"), ("8A", "8B 00 00"),
        ("4A 01 05", "7F"), ("4A 03 00", "7F"), ("4A 01", "7F"), ("4A 01 01 00", "7F"),
        ("60 01 01", "7F"), ("60 00 01 00", "7F"), ("AA", "7F"), ("D4", "7F"),
    ])
    func eachCommandHasItsAnswer(command: String, answer: String) {
        let bench = ChipBench()
        #expect(bench.answer(command) == answer)
        #expect(bench.statistics.value.exchanges == 1)
    }

    @Test func registersKeepWhatWasWritten() {
        let bench = ChipBench()
        #expect(bench.answer("08 63 02 80 63 03 81") == "09")
        #expect(bench.answer("06 63 03 63 02") == "07 81 80")
    }

    @Test func theCarrierShowsInTxControl() {
        let bench = ChipBench()
        #expect(bench.answer("06 63 04") == "07 80")
        _ = bench.answer("32 01 01")
        #expect(bench.answer("06 63 04") == "07 83")
    }

    @Test func nackBringsTheLastAnswerAgain() {
        let bench = ChipBench()
        let frames = bench.send("02")
        #expect(bench.frames(bench.uart.receive(HostFrame.nack.encoded)) == [frames[1]])
    }

    @Test func aFrameThatIsNotForTheChipIsASyntaxError() {
        let bench = ChipBench()
        #expect(bench.frames(bench.uart.receive(HostFrame.information([0xD5, 0x02]).encoded)) == [.ack, .syntaxError])
    }

    @Test(arguments: ["4A 01 00", "4A 02 00", "60 FF 01 00", "8C 00" + String(repeating: " 00", count: 36)])
    func ackEndsACommandThatWaitsForATag(command: String) {
        let bench = ChipBench()
        #expect(bench.answer(command) == "no answer")
        #expect(bench.uart.receive(HostFrame.ack.encoded).isEmpty)
        bench.field.place(VirtualTagKind.ntag213.make())
        #expect(bench.lateAnswer() == "no answer")
        #expect(bench.answer("02") == "03 32 01 06 07")
    }

    @Test func aNewCommandEndsACommandThatWaits() {
        let bench = ChipBench()
        #expect(bench.answer("4A 01 00") == "no answer")
        #expect(bench.answer("02") == "03 32 01 06 07")
        bench.field.place(VirtualTagKind.ntag213.make())
        #expect(bench.lateAnswer() == "no answer")
    }

    @Test func aWaitingCommandFindsTheTagThatComes() {
        let bench = ChipBench()
        #expect(bench.answer("4A 01 00") == "no answer")
        #expect(bench.uart.wakeUpTime == nil)
        bench.field.place(VirtualTagKind.ntag213.make())
        #expect(bench.lateAnswer() == "4B 01 01 00 44 00 07 04 10 57 1F 00 01 80")
    }

    @Test(arguments: ["4A 01 00", "4A 01 01 00 FF FF 01 00", "4A 01 02 00 FF FF 01 00", "4A 01 03 00", "4A 01 04"])
    func withFiniteRetriesAnEmptyFieldIsAnAnswer(command: String) {
        let bench = ChipBench()
        _ = bench.answer("32 05 00 01 02")
        #expect(bench.answer(command) == "4B 00")
    }

    @Test func autoPollGivesUpAfterItsTime() {
        let bench = ChipBench()
        #expect(bench.answer("60 02 01 10 20") == "no answer")
        bench.clock.advance(by: .milliseconds(599))
        #expect(bench.lateAnswer() == "no answer")
        bench.clock.advance(by: .milliseconds(1))
        #expect(bench.lateAnswer() == "61 00")
    }

    @Test(arguments: [
        (VirtualTagKind.ntag215, "60 FF 01 10", "61 01 10 0C 01 00 44 00 07 04 11 57 1F 00 01 80"),
        (VirtualTagKind.ntag215, "60 FF 01 20 10", "61 01 10 0C 01 00 44 00 07 04 11 57 1F 00 01 80"),
        (VirtualTagKind.ntag215, "60 01 01 20", "no answer"),
        (VirtualTagKind.type4, "60 FF 01 20 10", "61 01 20 12 01 03 44 20 07 04 16 57 1F 00 01 80 06 77 77 71 02 80"),
    ])
    func autoPollNamesTheType(kind: VirtualTagKind, command: String, answer: String) {
        #expect(ChipBench([kind.make()]).answer(command) == answer)
    }

    @Test func realLatencyHoldsTheAnswerBack() {
        let bench = ChipBench(latency: .real)
        #expect(bench.send("02") == [.ack])
        #expect(bench.lateAnswer() == "no answer")
        // 2 ms, and 28 bytes on the line.
        bench.clock.advance(by: .microseconds(4_430))
        #expect(bench.lateAnswer() == "no answer")
        bench.clock.advance(by: .microseconds(1))
        #expect(bench.lateAnswer() == "03 32 01 06 07")
    }

    @Test func whatTheModelComputesDelaysNoAnswer() {
        let bench = ChipBench(latency: .real, work: .milliseconds(1))
        #expect(bench.send("02") == [.ack])
        #expect(bench.lateAnswer() == "no answer")
        // 1 ms of the 2 ms is over, and the bytes on the line follow.
        bench.clock.advance(by: .microseconds(3_431))
        #expect(bench.lateAnswer() == "03 32 01 06 07")
    }
}
