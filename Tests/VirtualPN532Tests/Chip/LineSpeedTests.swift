// The speed of the chip's serial line, and hosts with another one — NXP UM0701-02, SetSerialBaudRate

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

    /// A pseudo-terminal does not say at which speed its bytes were sent.
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

    /// pyserial discards what a pseudo-terminal has not passed on when it closes the port.
    @Test func aPortThatIsClosedHasSentItsAcknowledgement() {
        let bench = ChipBench()
        #expect(bench.answer("10 05") == "11")
        bench.uart.lineClosed()
        #expect(bench.uart.speed == .baud230400)
    }

    @Test func theModelledTimeFollowsTheSpeed() {
        let bench = ChipBench()
        #expect(bench.answer("10 07") == "11")
        #expect(bench.uart.receive(Self.ack) == [])
        let before = bench.statistics.value.modelledTime
        #expect(before == .milliseconds(2))
        #expect(!bench.uart.receive(Self.version, at: .baud921600).isEmpty)
        #expect(bench.statistics.value.modelledTime - before == .microseconds(250))
    }

    @Test func garbageHoldsNoPartOfAFrame() {
        let garbage = LineSpeed.garbage(of: (0...255).map { UInt8($0) })
        #expect(garbage.count == 256)
        #expect(!garbage.contains(0x00) && !garbage.contains(0xFF))
    }
}
