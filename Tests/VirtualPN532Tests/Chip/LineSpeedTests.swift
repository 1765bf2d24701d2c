// The speed of the chip's serial line, and hosts with another speed — NXP UM0701-02, SetSerialBaudRate

import Testing

@testable import VirtualPN532

@Suite struct LineSpeedTests {
    private static let ack = HostFrame.ack.encoded
    private static let version = HostFrame.information([0xD4, 0x02]).encoded

    @Test func theChipChangesItsSpeedWhenItsAnswerIsAcknowledged() {
        let bench = ChipBench()
        #expect(bench.answer("10 07") == "11")
        #expect(bench.uart.speed == .baud115200)
        #expect(bench.uart.receive(Self.ack) == [])
        #expect(bench.uart.speed == .baud921600)
        // At another speed, nothing arrives.
        #expect(bench.uart.receive(Self.version) == [])
        #expect(bench.frames(bench.uart.receive(Self.version, at: .baud921600)).count == 2)
    }

    @Test func aCommandInPlaceOfTheAcknowledgementKeepsTheSpeed() {
        let bench = ChipBench()
        #expect(bench.answer("10 07") == "11")
        #expect(bench.answer("02") == "03 32 01 06 07")
        #expect(bench.uart.receive(Self.ack) == [])
        #expect(bench.uart.speed == .baud115200)
    }

    @Test func anAcknowledgementBeforeTheAnswerEndsTheCommand() {
        let bench = ChipBench(latency: .real)
        #expect(bench.send("10 07") == [.ack])
        #expect(bench.uart.receive(Self.ack) == [])
        #expect(bench.uart.speed == .baud115200)
    }

    /// A pseudo-terminal does not report the speed at which its bytes were sent.
    @Test func anAcknowledgementCountsUnlessItWasSentAtTheNewSpeed() {
        let bench = ChipBench()
        #expect(bench.answer("10 07") == "11")
        bench.uart.notice(.baud921600)
        #expect(bench.uart.receive(Self.ack, at: .baud921600) == [])
        #expect(bench.uart.speed == .baud115200)
        #expect(bench.answer("10 07") == "11")
        bench.uart.notice(.baud115200)
        #expect(bench.uart.receive(Self.ack, at: .baud921600) == [])
        #expect(bench.uart.speed == .baud921600)
    }

    /// When pyserial closes a port, it discards the bytes that a pseudo-terminal has not passed on.
    @Test func aPortThatIsClosedHasSentItsAcknowledgement() {
        let bench = ChipBench()
        #expect(bench.answer("10 05") == "11")
        bench.uart.lineClosed()
        #expect(bench.uart.speed == .baud230400)
    }

    @Test func theModelledTimeFollowsTheSpeed() {
        let bench = ChipBench()
        // 9 bytes, an acknowledgement of 6, and an answer of 13.
        #expect(!bench.uart.receive(Self.version).isEmpty)
        #expect(abs(bench.statistics.value.lineTime / .milliseconds(1) - 280 / 115.2) < 0.001)
        #expect(bench.answer("10 07") == "11")
        #expect(bench.uart.receive(Self.ack) == [])
        bench.statistics.reset()
        #expect(!bench.uart.receive(Self.version, at: .baud921600).isEmpty)
        // The acknowledgement of the new speed was sent at the old one.
        let acknowledgement = LineSpeed.baud115200.time(ofBytes: 6)
        #expect(bench.statistics.value.lineTime - acknowledgement == LineSpeed.baud921600.time(ofBytes: 28))
        #expect(bench.statistics.value.modelledTime == .milliseconds(2) + bench.statistics.value.lineTime)
    }

    @Test func garbageHoldsNoPartOfAFrame() {
        let garbage = LineSpeed.garbage(of: (0...255).map { UInt8($0) })
        #expect(garbage.count == 256)
        #expect(!garbage.contains(0x00) && !garbage.contains(0xFF))
    }
}
