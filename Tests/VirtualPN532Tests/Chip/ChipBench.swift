// A virtual PN532 on the bench, without a pseudo-terminal, and with a clock that only the test advances

import Synchronization

@testable import VirtualPN532

/// Returns bytes from hexadecimal text.
///
/// Spaces are ignored.
func octets(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Returns upper-case hexadecimal text with spaces between bytes.
func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
}

final class ChipBench {
    final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func advance(by duration: Duration) { time.withLock { $0 += duration } }
    }

    let clock = Clock()
    let field: Field
    let faults: FaultCounter
    let statistics = StatisticsCounter()
    let uart: HighSpeedUART

    /// Creates a bench.
    ///
    /// `work` is the modelled time for a command, which is added to the clock.
    init(
        _ field: Field, antenna: Antenna? = nil, faults: Faults = Faults(), latency: Latency = .none,
        work: Duration = .zero
    ) {
        self.field = field
        self.faults = FaultCounter(faults)
        let clock = clock
        uart = HighSpeedUART(
            field: field, antenna: antenna, faults: self.faults, statistics: statistics, latency: latency,
            now: { clock.now }, afterCommand: { clock.advance(by: work) })
    }

    convenience init(
        _ tags: [any VirtualTag] = [], faults: Faults = Faults(), latency: Latency = .none, work: Duration = .zero
    ) {
        self.init(Field(tags), faults: faults, latency: latency, work: work)
    }

    /// Sends `D4` and the command, and returns the frames that come back.
    func send(_ command: String) -> [HostFrame] {
        frames(uart.receive(HostFrame.information([0xD4] + octets(command)).encoded))
    }

    /// Returns the answer's response code and data in hexadecimal, `7F` for an error frame, or any other result.
    func answer(_ command: String) -> String { Self.answer(in: send(command)) }

    /// Returns the unsolicited answer, if there is one now.
    func lateAnswer() -> String { Self.answer(in: [.ack] + frames(uart.resume())) }

    func frames(_ bytes: [UInt8]) -> [HostFrame] {
        var parser = HostFrameParser()
        parser.append(bytes)
        var frames: [HostFrame] = []
        while let frame = parser.next() { frames.append(frame) }
        return frames
    }

    static func answer(in frames: [HostFrame]) -> String {
        guard frames.first == .ack else { return "no ACK" }
        guard frames.count == 2, case .information(let data) = frames[1] else { return "no answer" }
        return hex(data.first == 0xD5 ? data.dropFirst() : data[...])
    }
}
