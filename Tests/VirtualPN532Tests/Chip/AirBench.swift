// A chip in target mode on the bench, and an initiator controlled by the test

@testable import VirtualPN532

/// A chip in target mode, with its host on one side and the air on the other.
final class AirBench {
    let chip: ChipBench
    private let line: AntennaLine
    private var epoch: UInt8 = 0
    private var number: UInt8 = 0

    /// The parameters of TgInitAsTarget after the mode, as libnfc 1.8.0's `nfc-emulate-forum-tag4` sends them.
    ///
    /// They were captured on the serial line.
    static let parameters = "04 00 00 B0 0B 20" + String(repeating: " 00", count: 30)

    init() throws {
        let (line, other) = try AntennaLine.pair()
        self.line = line
        chip = ChipBench(Field(), antenna: Antenna(other))
    }

    /// Creates a chip that was activated by RATS with this FSDI.
    ///
    /// The chip handles ISO-DEP itself, and its host has received the activation.
    convenience init(activatedWithRATS rats: String) throws {
        try self.init()
        _ = chip.answer("12 30")
        _ = chip.answer("8C 05 \(Self.parameters)")
        _ = signals()
        _ = air(rats)
    }

    /// Returns the signals that the chip has sent since the last call.
    func signals() -> [AntennaSignal] {
        var signals: [AntennaSignal] = []
        while case .packet(let packet) = line.receive() {
            guard let signal = AntennaSignal(packet) else { continue }
            if case .listening(let listener) = signal { epoch = listener.epoch }
            signals.append(signal)
        }
        return signals
    }

    /// Sends a frame to the target, and returns the chip's immediate answer.
    func air(_ frame: String) -> String {
        _ = signals()
        number &+= 1
        line.send(AntennaSignal.frame(epoch: epoch, number: number, octets(frame)).encoded)
        lateBytes = chip.uart.resume()
        return heard()
    }

    /// Returns the chip's answer on the air: bytes, `n` and a nibble, `=` and bytes without CRC, `silence`, or
    /// `nothing` yet.
    func heard() -> String {
        let answers = signals().compactMap { signal -> String? in
            guard case .answer(number, let answer) = signal else { return nil }
            switch answer {
            case .bytes(let bytes): return hex(bytes)
            case .bare(let bytes): return "= " + hex(bytes)
            case .nibble(let nibble): return "n\(nibble)"
            case .silence: return "silence"
            }
        }
        return answers.isEmpty ? "nothing" : answers.joined(separator: ", ")
    }

    func fieldOff() {
        _ = signals()
        line.send(AntennaSignal.fieldOff(epoch: epoch).encoded)
        lateBytes = chip.uart.resume()
    }

    /// Removes the other antenna.
    func takeAway() {
        line.close()
        lateBytes = chip.uart.resume()
    }

    func send(_ packet: [UInt8]) { line.send(packet) }

    func pass(_ duration: Duration) {
        chip.clock.advance(by: duration)
        lateBytes = chip.uart.resume()
    }

    private var lateBytes: [UInt8] = []

    /// Returns the unsolicited answer that the host got after the last frame on the air.
    func late() -> String {
        defer { lateBytes = [] }
        return ChipBench.answer(in: [.ack] + chip.frames(lateBytes))
    }
}
