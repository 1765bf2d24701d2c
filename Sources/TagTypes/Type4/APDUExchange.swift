// Sending one command and collecting its complete answer, with GET RESPONSE and the correct Le — ISO/IEC 7816-3 and
// 7816-4
import Hexadecimal
public import ReaderInterface

/// Sends C-APDUs over a channel, and handles the status words `61xx` and `6Cxx` in the card's answers.
public struct APDUExchange {
    /// The maximum length of an answer that is collected with GET RESPONSE, in bytes.
    public static let maxCollectedLength = 65_536
    /// The maximum number of answers to one command, so that a card cannot keep the program busy forever.
    public static let maxAnswers = 300

    private let channel: any TagChannel
    private let timeout: Duration

    /// Creates an exchange over a channel to an ISO-DEP target.
    ///
    /// The default timeout is longer than that of the channel, because cards request more time with S(WTX), which the
    /// reader itself grants.
    public init(over channel: any TagChannel, timeout: Duration = .seconds(1)) {
        self.channel = channel
        self.timeout = timeout
    }

    /// Sends one command and returns its answer.
    ///
    /// After `61xx`, the rest of the answer is collected. After `6Cxx`, the command is repeated.
    ///
    /// - Throws: ``TagError/reader(_:)``; ``TagError/protocolViolation(field:found:expected:offset:)`` if an answer has
    ///   no status bytes or does not end. A status word other than 9000 is not an error here.
    public func send(_ command: CommandAPDU) throws(TagError) -> ResponseAPDU {
        var command = command
        var collected: [UInt8] = []
        var corrected = false
        for _ in 0..<Self.maxAnswers {
            let answer = try transceive(command)
            collected += answer.data
            guard collected.count <= Self.maxCollectedLength else { break }
            let ne = answer.sw.sw2 == 0 ? 256 : Int(answer.sw.sw2)
            switch answer.sw.sw1 {
            case 0x61:
                command = CommandAPDU(
                    cla: command.cla, ins: 0xC0, p1: 0, p2: 0, ne: min(ne, max(1, channel.maxResponseLength - 2)))
                corrected = false
            case 0x6C where !corrected:
                command.ne = ne
                corrected = true
            default:
                return ResponseAPDU(data: collected, sw: answer.sw)
            }
        }
        throw .protocolViolation(
            field: "the chain of answers",
            found: "longer than \(Self.maxAnswers) answers or \(Self.maxCollectedLength) bytes",
            expected: "an end", offset: nil)
    }

    private func transceive(_ command: CommandAPDU) throws(TagError) -> ResponseAPDU {
        guard let bytes = command.bytes else {
            throw .reader(.commandTooLong(length: command.data.count, limit: CommandAPDU.maxDataLength))
        }
        return try channel.transceiveAPDU(bytes, timeout: timeout)
    }
}

extension TagChannel {
    /// Sends one command and returns the card's answer, split into the data and the status word.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` if the answer has no status word.
    func transceiveAPDU(_ bytes: [UInt8], timeout: Duration) throws(TagError) -> ResponseAPDU {
        let answer = try onReader { () throws(ReaderError) in
            try transceive(bytes, framing: .handled, timeout: timeout)
        }
        guard let response = ResponseAPDU(bytes: answer) else {
            throw .protocolViolation(
                field: "the R-APDU", found: answer.isEmpty ? "nothing" : "the one byte \(answer.spacedHex)",
                expected: "a status word", offset: nil)
        }
        return response
    }
}
