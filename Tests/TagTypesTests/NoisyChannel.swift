// A channel that loses answers like one with weak coupling: the longer they are, the more often
import Chance
import ReaderInterface
import Testing

@testable import TagTypes

/// Loses or damages the frames that a rule selects, before or after they reach the tag.
final class NoisyChannel: TagChannel {
    enum Fate {
        case delivered, lost
        /// Four bytes of the answer are repeated.
        case duplicated
        /// The command arrived damaged, so the tag answers NAK 1 and does nothing.
        case misunderstood
    }

    let target: Target
    let maxCommandLength = 262
    let maxResponseLength = 262
    private let inner: RecordingChannel
    private let fate: (_ command: [UInt8], _ answerLength: Int, _ number: Int) -> Fate
    private var isMute = false
    private var count = 0
    /// The lengths of the answers that arrived.
    private(set) var delivered: [Int] = []
    var commands: [[UInt8]] { inner.commands }
    var reselections: Int { inner.reselections }

    init(
        _ card: any Card, target: Target = .type2,
        fate: @escaping (_ command: [UInt8], _ length: Int, _ number: Int) -> Fate
    ) {
        self.target = target
        self.fate = fate
        inner = RecordingChannel(card, target: target)
    }

    /// Loses answers with a probability that grows with their length.
    ///
    /// `share` is the share for answers of 260 bytes.
    convenience init(_ card: any Card, target: Target = .type2, losing share: Double, seed: UInt64) {
        var random = SplitMix(state: seed)
        self.init(card, target: target) { command, length, _ in
            let survival = power(1 - share, Double(command.count + length + 4) / 262)
            return Double(random.next() >> 11) / Double(1 << 53) < survival ? .delivered : .lost
        }
    }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        switch try send(
            command,
            { () throws(ReaderError) in
                .bytes(try inner.transceive(command, framing: framing, timeout: timeout))
            })
        {
        case .bytes(let bytes): return bytes
        case .nibble: throw .noAnswer
        }
    }

    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        try send(command) { () throws(ReaderError) in try inner.exchangeFrame(command, timeout: timeout) }
    }

    private func send(
        _ command: [UInt8], _ exchange: () throws(ReaderError) -> FrameAnswer
    ) throws(ReaderError) -> FrameAnswer {
        guard !isMute else { throw .noAnswer }
        count += 1
        if fate(command, 0, count) == .misunderstood {
            isMute = true
            return .nibble(0x1)
        }
        let answer: FrameAnswer
        do throws(ReaderError) {
            answer = try exchange()
        } catch {
            isMute = true
            throw error
        }
        let length = if case .bytes(let bytes) = answer { bytes.count } else { 1 }
        switch (fate(command, length, count), answer) {
        case (.lost, _):
            isMute = true
            throw .noAnswer
        case (.duplicated, .bytes(let bytes)): return .bytes(bytes + bytes.suffix(4))
        default:
            delivered.append(length)
            return answer
        }
    }

    func reselect() throws(ReaderError) {
        isMute = false
        try inner.reselect()
    }
}

extension Patience {
    /// Attempts without a pause, because a card in memory answers immediately.
    static let instant = Patience(attempts: 12, time: .zero, pause: .zero)
}

// The tests' channels answer, or stay silent, without taking time.

extension Type1Tag { convenience init(on channel: RecordingChannel) { self.init(on: channel, patience: .instant) } }
extension Type2Tag { convenience init(on channel: RecordingChannel) { self.init(on: channel, patience: .instant) } }
extension Type3Tag { convenience init(on channel: RecordingChannel) { self.init(on: channel, patience: .instant) } }
extension Type4Tag { convenience init(on channel: RecordingChannel) { self.init(on: channel, patience: .instant) } }
extension ClassicTag { convenience init(on channel: RecordingChannel) { self.init(on: channel, patience: .instant) } }
