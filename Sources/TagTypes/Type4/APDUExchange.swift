// One command and its whole answer: GET RESPONSE, the right Le — ISO/IEC 7816-3 and 7816-4
import Hexadecimal
public import ReaderInterface

/// Sends C-APDUs over a channel and follows the card's `61xx` and `6Cxx`.
public struct APDUExchange {
    /// The longest answer collected with GET RESPONSE, in bytes, and how many commands that may take.
    public static let maxCollectedLength = 65_536
    /// The number of answers one command may take: a card must not keep us forever.
    public static let maxAnswers = 300

    private let channel: any TagChannel
    /// The longest wait for one answer.
    private let timeout: Duration

    /// Makes an exchange over a channel to an ISO-DEP target.
    ///
    /// Cards stretch their time by S(WTX), which the reader grants by itself: hence more than the channel's default.
    public init(over channel: any TagChannel, timeout: Duration = .seconds(1)) {
        self.channel = channel
        self.timeout = timeout
    }

    /// Sends one command and returns its answer, collected over `61xx` and repeated after `6Cxx`.
    ///
    /// - Throws: ``TagError/reader(_:)``; ``TagError/protocolViolation(field:found:expected:offset:)`` for an answer
    ///   without status bytes, or one that does not end. A status word other than 9000 is no error here.
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
            found: "more than \(Self.maxAnswers) answers or \(Self.maxCollectedLength) bytes",
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
    /// One command and its answer, with what the card says about it.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` for an answer without a status word.
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
