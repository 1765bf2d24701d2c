// Type 1 Tag commands as the firmware sends them — NXP UM0701-02, InDataExchange with Jewel; NFC Forum Type 1 Tag

/// An activated Type 1 Tag: the firmware knows the commands of the static memory structure.
///
/// The host gives command, address and data; the UID comes from the activation, whatever else the host sent.
struct Type1Initiator {
    private static let readSegment: UInt8 = 0x10
    /// How many operands each command has, and how many bytes before the data its answer repeats.
    private static let commands: [UInt8: (operands: Int, echo: Int)] = [
        // RID and RALL, READ, WRITE-E and WRITE-NE, RSEG.
        0x78: (0, 0), 0x00: (0, 0), 0x01: (1, 1), 0x53: (2, 1), 0x1A: (2, 1), readSegment: (1, 1),
    ]

    /// The first four bytes of the UID: JEWELID.
    let uid: [UInt8]

    /// The tag's answer without the address that it repeats.
    func exchange(_ command: [UInt8], timeout: Duration, over radio: Radio) throws(ChipStatus) -> [UInt8] {
        guard let code = command.first else { throw .invalidParameter }
        guard let known = Self.commands[code] else {
            // READ8, WRITE-E8 and WRITE-NE8 too go out as type A frames, which no Type 1 Tag takes for its own.
            _ = radio.exchange(.withCRC(command), timeout: timeout)
            throw .timeout
        }
        let operands = command.dropFirst().prefix(known.operands)
        guard operands.count == known.operands else { throw .invalidParameter }
        // nfcpy found with real chips that only segment 0 is taken.
        guard code != Self.readSegment || operands.first == 0x00 else { throw .invalidParameter }
        // RSEG has 8 bytes of data after its address, the others one.
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
