// Type 1 Tag commands as the firmware sends them — NXP UM0701-02, InDataExchange with Jewel; NFC Forum Type 1 Tag

/// An activated Type 1 Tag.
///
/// The firmware supports the commands for the static memory structure. The host sends the command code, the address and
/// the data. The UID is known from the activation, so a UID from the host is ignored.
struct Type1Initiator {
    private static let readSegment: UInt8 = 0x10
    /// The number of operands of each command, and how many bytes its answer repeats before the data.
    private static let commands: [UInt8: (operands: Int, echo: Int)] = [
        // RID and RALL, READ, WRITE-E and WRITE-NE, RSEG.
        0x78: (0, 0), 0x00: (0, 0), 0x01: (1, 1), 0x53: (2, 1), 0x1A: (2, 1), readSegment: (1, 1),
    ]

    /// The first four bytes of the UID (JEWELID).
    let uid: [UInt8]

    /// Sends a command, and returns the tag's answer without the repeated bytes.
    func exchange(_ command: [UInt8], timeout: Duration, over radio: Radio) throws(ChipStatus) -> [UInt8] {
        guard let code = command.first else { throw .invalidParameter }
        guard let known = Self.commands[code] else {
            // All other commands, even READ8, WRITE-E8 and WRITE-NE8, are sent as type A frames. Type 1 Tags do not
            // recognise these frames.
            _ = radio.exchange(.withCRC(command), timeout: timeout)
            throw .timeout
        }
        let operands = command.dropFirst().prefix(known.operands)
        guard operands.count == known.operands else { throw .invalidParameter }
        // According to nfcpy, real chips accept only segment 0.
        guard code != Self.readSegment || operands.first == 0x00 else { throw .invalidParameter }
        // RSEG has eight data bytes after its address, and the other commands have one.
        let length = code == Self.readSegment ? 9 : 2
        let padding = [UInt8](repeating: 0x00, count: length - operands.count)
        switch radio.exchange(.withCRC([code] + operands + padding + uid, .type1), timeout: timeout) {
        case .silence: throw .timeout
        case .collision: throw .crcError
        case .garbled(_, let status): throw status
        case .frame(let frame):
            guard let answer = frame.data else { throw .crcError }
            return Array(answer.dropFirst(known.echo))
        }
    }
}
