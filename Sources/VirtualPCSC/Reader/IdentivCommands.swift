// `FF FC` and `FF FD`: ISO 15693 commands of Identiv's readers — uTrust 3720F/3721F reference manual, pages 27 and 69
// to 74

import VirtualPN532

extension ReaderFirmware {
    /// The ISO 15693 commands that `FF FC` can send.
    private static let commands: Set<UInt8> = [
        0x20, 0x21, 0x22, 0x23, 0x24, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C,
    ]
    /// The frame waiting times by their codes in `FF FD`.
    ///
    /// The manual contains 00 (500 µs), 0A (500 ms), 0C (1 s) and 14 (5 s). The others are assumed.
    private static let waitingTimes: [UInt8: Duration] = [
        0x00: .microseconds(500), 0x01: .milliseconds(1), 0x02: .milliseconds(2), 0x03: .milliseconds(5),
        0x04: .milliseconds(10), 0x05: .milliseconds(20), 0x06: .milliseconds(50), 0x07: .milliseconds(100),
        0x08: .milliseconds(200), 0x09: .milliseconds(300), 0x0A: .milliseconds(500), 0x0B: .milliseconds(750),
        0x0C: .seconds(1), 0x0D: .milliseconds(1_500), 0x0E: .seconds(2), 0x0F: .milliseconds(2_500),
        0x10: .seconds(3), 0x11: .milliseconds(3_500), 0x12: .seconds(4), 0x13: .milliseconds(4_500), 0x14: .seconds(5),
    ]
    private static let withFrame: UInt8 = 0x01

    /// Executes `FF FC 00 00 Lc command parameters [00]`, and returns the data of the tag's answer and a status word.
    ///
    /// The reader addresses the tag by its UID.
    func identivCommand(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        guard let tag = card as? VirtualISO15693Tag else { return StatusWord.functionNotSupported.bytes }
        guard command.p1 == 0, command.p2 == 0 else { return StatusWord.wrongParameters.bytes }
        guard let code = command.data.first else { return StatusWord.wrongLength.bytes }
        guard Self.commands.contains(code) else { return StatusWord.functionNotSupported.bytes }
        return answer(of: tag, to: code, Array(command.data.dropFirst()))
    }

    /// Executes `FF FD fwt frame Lc raw 00` ("Traverse"): sends the raw request unchanged, followed by the CRC.
    func identivTraverse(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        guard card is VirtualISO15693Tag else { return StatusWord.functionNotSupported.bytes }
        guard let time = Self.waitingTimes[command.p1], command.p2 <= Self.withFrame else {
            return StatusWord.wrongParameters.bytes
        }
        guard !command.data.isEmpty else { return StatusWord.wrongLength.bytes }
        switch vicinity.exchange(command.data, wait: time, sendsEOF: model.sendsWriteEOF) {
        case .frame(let answer): return answer + StatusWord.success.bytes
        case .silence: return StatusWord.timeout.bytes
        case .collision: return StatusWord.failed.bytes
        }
    }
}
