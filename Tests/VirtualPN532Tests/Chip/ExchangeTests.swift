// Tests of data exchange and of the faults — NXP UM0701-02, InDataExchange and InCommunicateThru

import Testing

@testable import VirtualPN532

struct ExchangeTests {
    private func activated(_ kind: VirtualTagKind = .ntag213, _ faults: Faults = Faults()) -> ChipBench {
        let bench = ChipBench([kind.make()], faults: faults)
        _ = bench.answer("32 05 FF 01 02")
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        return bench
    }

    private func with(_ name: String, _ number: Int) throws -> Faults {
        var faults = Faults()
        try faults.apply(name, String(number))
        return faults
    }

    private static let page6 = "40 01 A2 06 01 02 03 04"
    private static let readPage6 = "40 01 30 06"

    @Test func type2CommandsPassThroughInDataExchange() {
        let bench = activated()
        #expect(bench.answer(Self.page6) == "41 00")
        #expect(bench.answer(Self.readPage6).hasPrefix("41 00 01 02 03 04"))
        #expect(bench.answer("40 01 A0 06 0A 0B 0C 0D" + String(repeating: " 00", count: 12)) == "41 00")
        #expect(bench.answer(Self.readPage6).hasPrefix("41 00 0A 0B 0C 0D"))
        #expect(bench.answer("40 01 3A 06 07").hasPrefix("41 00 0A 0B 0C 0D"))
        #expect(bench.answer("40 01") == "41 10")
        #expect(bench.answer("40 01 A0 06 00") == "41 10")
        #expect(bench.answer("40 02 30 00") == "41 27")
    }

    @Test func aNakIsAFormatErrorAndMutesTheTagUntilItIsSelected() {
        let bench = activated()
        #expect(bench.answer("40 01 30 F0") == "41 13")
        #expect(bench.answer(Self.readPage6) == "41 01")
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        #expect(bench.answer(Self.readPage6).hasPrefix("41 00"))
    }

    @Test func getVersionIsTakenForAuthentication() {
        #expect(activated().answer("40 01 60") == "41 14")
    }

    @Test func aRawAcknowledgeIsACRCErrorUnlessTheCheckIsOff() {
        let bench = activated()
        #expect(bench.answer("42 60") == "43 00 00 04 04 02 01 00 0F 03")
        #expect(bench.answer("42 A2 06 01 02 03 04") == "43 02")
        #expect(bench.answer("42 30 06").hasPrefix("43 00 01 02 03 04"))
        _ = bench.answer("08 63 03 00")
        #expect(bench.answer("42 A2 06 01 02 03 04") == "43 00 0A")
        #expect(bench.answer("06 63 3C") == "07 14")
        let read = octets(bench.answer("42 30 06"))
        #expect(read.count == 2 + 16 + 2)
        #expect(Checksum.typeA.stripped(Array(read.dropFirst(2)))?.count == 16)
        #expect(bench.answer("06 63 3C") == "07 10")
    }

    @Test func theLongestFastReadComesInOneFrame() {
        let bench = activated(.ntag216)
        #expect(octets(bench.answer("42 3A 04 44")).count == 2 + 65 * 4)
        // 68 blocks are more than an answer can hold.
        #expect(bench.answer("42 3A 04 47") == "43 09")
    }

    @Test func lossTakesTheTagAfterItsAnswer() throws {
        let bench = activated(.ntag213, try with("loss", 2))
        #expect(bench.answer(Self.page6) == "41 00")
        #expect(bench.answer(Self.readPage6).hasPrefix("41 00 01 02 03 04"))
        #expect(bench.answer(Self.readPage6) == "41 01")
        #expect(bench.answer("4A 01 00") == "4B 00")
    }

    @Test func aLostTagComesBackWhenItIsTold() throws {
        var faults = try with("loss", 1)
        try faults.apply("back", "500ms")
        let bench = activated(.ntag213, faults)
        #expect(bench.answer(Self.page6) == "41 00")
        #expect(bench.answer("4A 01 00") == "4B 00")
        bench.clock.advance(by: .milliseconds(500))
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        #expect(bench.answer(Self.readPage6).hasPrefix("41 00 01 02 03 04"))
    }

    @Test func aTornWriteIsNotAnswered() throws {
        var faults = try with("tear", 1)
        faults.back = .zero
        let bench = activated(.ntag213, faults)
        #expect(bench.answer("40 01 A2 06 FF FF FF FF") == "41 01")
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        #expect(bench.answer(Self.readPage6).hasPrefix("41 00"))
    }

    @Test func nakLeavesTheTagUnwrittenAndIdle() throws {
        let bench = activated(.ntag213, try with("nak", 1))
        #expect(bench.answer(Self.page6) == "41 13")
        #expect(bench.answer(Self.readPage6) == "41 01")
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        #expect(bench.answer(Self.readPage6).hasPrefix("41 00 00 00 00 00"))
    }

    @Test func repeatStrikesEveryTime() throws {
        var faults = try with("crc", 2)
        faults.repeats = true
        let bench = activated(.ntag213, faults)
        for _ in 0..<3 {
            #expect(bench.answer(Self.readPage6).hasPrefix("41 00"))
            #expect(bench.answer(Self.readPage6) == "41 02")
        }
    }

    @Test func corruptBreaksTheHostFrameOnceAndNackRepairsIt() throws {
        let bench = activated(.ntag213, try with("corrupt", 1))
        #expect(bench.answer(Self.page6) == "no answer")
        #expect(bench.frames(bench.uart.receive(HostFrame.nack.encoded)) == [.information([0xD5, 0x41, 0x00])])
        #expect(bench.answer(Self.readPage6).hasPrefix("41 00 01 02 03 04"))
    }

    @Test func muteSwallowsEverythingAfterItsCommand() throws {
        let bench = activated(.ntag213, try with("mute", 1))
        #expect(bench.answer(Self.page6) == "41 00")
        #expect(bench.send("02").isEmpty)
        #expect(ChipBench([], faults: try with("mute", 0)).send("02").isEmpty)
    }

    @Test func aDeafChipSleepsThroughItsFirstFrames() throws {
        let bench = ChipBench([], faults: try with("deaf", 2))
        #expect(bench.send("02").isEmpty)
        #expect(bench.send("02").isEmpty)
        #expect(!bench.send("02").isEmpty)
    }

    @Test func hangAcknowledgesAndNeverAnswers() throws {
        let bench = activated(.ntag213, try with("hang", 1))
        #expect(bench.send(Self.page6) == [.ack])
        #expect(bench.send("02") == [.ack])
        #expect(ChipBench([], faults: try with("hang", 0)).send("02") == [.ack])
    }

    @Test func statisticsModelTheTime() {
        let bench = activated()
        bench.statistics.reset()
        #expect(bench.answer(Self.page6) == "41 00")
        let statistics = bench.statistics.value
        #expect(statistics.exchanges == 1)
        #expect(statistics.commands == [0x40: 1])
        #expect(statistics.tagCommands == 1)
        #expect(statistics.rfFrames == 2)
        #expect(statistics.rfBytesSent == 8)
        #expect(statistics.rfBytesReceived == 1)
        // 2 ms; 74 bits out, frame delay, 6 bits back; and the tag's programming time.
        let air = Duration.nanoseconds(80 * 9_440 + 86_430)
        // 16 bytes from the host, an acknowledgement of 6, and an answer of 10 at 115200 baud.
        let parts = [16, 6, 10].map { LineSpeed.baud115200.time(ofBytes: $0) }
        #expect(statistics.lineTime == parts.reduce(.zero, +))
        #expect(statistics.modelledTime == .milliseconds(2) + statistics.lineTime + air + .microseconds(4_100))
        #expect(statistics.tagTime == statistics.modelledTime - statistics.lineTime)
    }

    @Test func whatNoTagAnsweredIsNotTheTagsTime() {
        let bench = ChipBench()
        _ = bench.answer("32 05 FF 01 02")
        #expect(bench.answer("4A 01 00") == "4B 00")
        #expect(bench.statistics.value.modelledTime > .milliseconds(4))
        #expect(bench.statistics.value.tagTime == .zero)
        bench.field.place(VirtualTagKind.ntag213.make())
        let before = bench.statistics.value
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        #expect(bench.answer("02") == "03 32 01 06 07")
        let after = bench.statistics.value
        let time = (after.modelledTime - after.lineTime) - (before.modelledTime - before.lineTime)
        #expect(after.tagTime == time - .milliseconds(2))
    }

    @Test func theOpeningEndsWithTheFirstActivation() {
        let bench = ChipBench()
        _ = bench.answer("32 05 FF 01 02")
        #expect(bench.answer("4A 01 00") == "4B 00")
        #expect(bench.statistics.value.opening == nil)
        bench.field.place(VirtualTagKind.ntag213.make())
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        let activated = bench.statistics.value
        #expect(bench.answer(Self.page6) == "41 00")
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        let opening = bench.statistics.value.opening
        #expect(opening?.exchanges == 3)
        #expect(opening?.modelledTime == activated.modelledTime)
        #expect(opening?.lineTime == activated.lineTime)
        #expect(opening?.tagTime == activated.tagTime)
        bench.statistics.reset()
        #expect(bench.statistics.value.opening == nil)
    }
}
