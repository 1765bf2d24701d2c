// APDUs for an ACR122U itself, in CCID messages — USB CCID 1.1, 6.1.4 and 6.2.1; ACS ACR122U API 2.04

struct CCIDMessage {
    private static let transferBlock: UInt8 = 0x6F
    private static let dataBlock: UInt8 = 0x80
    private static let headerLength = 10

    /// bSeq, which the answer repeats.
    ///
    /// In libnfc's own messages, it is 0.
    let sequence: UInt8
    let apdu: [UInt8]

    var encoded: [UInt8] {
        let length = UInt32(apdu.count)
        return [Self.transferBlock] + (0..<4).map { UInt8(length >> ($0 * 8) & 0xFF) }
            + [0, sequence, 0, 0, 0] + apdu
    }

    /// Returns the reader's answer from an RDR_to_PC_DataBlock.
    ///
    /// Nil if the block answers another message or is malformed.
    func answer(in message: [UInt8]) -> [UInt8]? {
        guard message.count >= Self.headerLength, message[0] == Self.dataBlock, message[6] == sequence else {
            return nil
        }
        let length = (0..<4).reduce(0) { $0 | Int(message[1 + $1]) << ($1 * 8) }
        let answer = Array(message.dropFirst(Self.headerLength))
        return answer.count == length ? answer : nil
    }
}
