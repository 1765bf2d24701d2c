// A tag whose answers are changed by an input

import ReaderInterface
import TagTypes
import VirtualPN532

/// A channel to a card in memory.
///
/// A tape determines how each answer of the card is changed. After the end of the tape, answers are not changed.
final class TapedChannel: TagChannel {
    /// Sends each command at most twice, without waiting.
    static let patience = Patience(attempts: 2, time: .zero, pause: .zero)
    /// The number of exchanges after which the tag leaves.
    ///
    /// The longest messages need about this many.
    private static let mostExchanges = 4_000

    let target: Target
    let maxCommandLength = 262
    let maxResponseLength = 262
    private(set) var tape: Tape
    private let card: any CardMemory
    private var count = 0

    init(_ tape: Tape, card: TapedCard, target: Target? = nil) {
        (self.tape, self.target) = (tape, target ?? card.target)
        self.card = card.memory()
    }

    /// Whether commands are still being sent long after the tag has left.
    var isEndless: Bool { count > 2 * Self.mostExchanges }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        switch try answer(command, framing) {
        case .bytes(let bytes)?: return bytes
        case .nibble(0xA)? where framing == .handled: return []
        case .nibble?, nil: throw .noAnswer
        }
    }

    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        guard let answer = try answer(command, .raw) else { throw .noAnswer }
        return answer
    }

    func exchangeShortFrame(_ code: UInt8, timeout: Duration) throws(ReaderError) -> FrameAnswer {
        guard let answer = try answer([code], .raw) else { throw .noAnswer }
        return answer
    }

    func reselect() throws(ReaderError) {
        count += 1
        guard count < Self.mostExchanges else { throw .tagLost }
        card.reset()
    }

    private func answer(_ command: [UInt8], _ framing: Framing) throws(ReaderError) -> FrameAnswer? {
        count += 1
        guard count < Self.mostExchanges else { throw .tagLost }
        // The card of a Type 2 Tag does not distinguish between the two framings.
        let answer = card.answer(command, framing)
        switch tape.number(below: 16) {
        case 8:
            guard case .bytes(var bytes)? = answer, !bytes.isEmpty else { return answer }
            bytes[tape.number(below: bytes.count)] = tape.byte()
            return .bytes(bytes)
        case 9:
            guard case .bytes(let bytes)? = answer else { return answer }
            return .bytes(Array(bytes.prefix(tape.number(below: bytes.count + 1))))
        case 10:
            guard case .bytes(let bytes)? = answer else { return answer }
            return .bytes(bytes + tape.bytes())
        case 11: return nil
        case 12: return .bytes(tape.bytes())
        case 13: return .nibble(tape.byte() & 0xF)
        case 14: throw .tagLost
        case 15: return .bytes([])
        default: return answer
        }
    }
}
