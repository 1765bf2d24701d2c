// ISO 15693 on the air: frames to the tags in the field, their timing, and the faults — ISO/IEC 15693-2, 15693-3

import Glibc
import VirtualPN532

/// Sends requests to the ISO 15693 tags in a field.
///
/// Only the reader's thread may use it.
final class VicinityFrontEnd {
    enum Answer: Hashable {
        /// Flags and data, without the CRC.
        case frame([UInt8])
        /// Several tags answered at the same time.
        case collision
        case silence
    }

    /// The time for one byte at 26.48 kbit/s, with 1 out of 4 coding and the high data rate — ISO/IEC 15693-2, 7.2.2
    /// and 8.3.
    private static let byteTime = Duration.nanoseconds(302_080)
    /// The approximate time for the SOF and EOF of a frame, in multiples of the time for one byte.
    private static let frameOverhead = 3
    private static let checksumSize = 2

    private let field: Field
    private let faults: PCSCFaultCounter
    private let latency: Latency
    private var elapsed = Duration.zero
    private var seed: UInt64?
    private var noise = TearNoise(seed: [])

    init(field: Field, faults: PCSCFaultCounter, latency: Latency) {
        (self.field, self.faults, self.latency) = (field, faults, latency)
    }

    /// Returns the time on the air since the last call.
    ///
    /// The time is zero unless the latency is real.
    func takeElapsed() -> Duration {
        defer { elapsed = .zero }
        return latency == .real ? elapsed : .zero
    }

    private var tags: [VirtualISO15693Tag] { field.present(at: .now).compactMap { $0 as? VirtualISO15693Tag } }

    /// Sends a request, and listens for the time `wait`.
    ///
    /// If `sendsEOF` is true and the request is a write with the option flag, silence is followed by the EOF that such
    /// writes require. The result is then the answer to the EOF.
    func exchange(_ request: [UInt8], wait: Duration, sendsEOF: Bool = false) -> Answer {
        elapsed += Self.byteTime * (request.count + Self.checksumSize + Self.frameOverhead)
        let answer = hear(deliver(request), wait)
        guard sendsEOF, answer == .silence, ISO15693Request(request)?.waitsForEOF ?? false else { return answer }
        return hear(tags.map { $0.receive([]) }, wait)
    }

    private func hear(_ replies: [TagReply], _ wait: Duration) -> Answer {
        let answers = replies.compactMap { reply -> ([UInt8], Duration)? in
            guard case .bytes(let bytes) = reply.answer, reply.slot == 0 else { return nil }
            return (bytes, reply.delay)
        }
        guard let (bytes, delay) = answers.first, delay <= wait else {
            elapsed += wait
            return .silence
        }
        elapsed += delay + Self.byteTime * (bytes.count + Self.checksumSize + Self.frameOverhead)
        guard answers.allSatisfy({ $0.0 == bytes }) else { return .collision }
        return isLost(bytes) ? .silence : .frame(bytes)
    }

    /// Delivers a request to all tags, applies the faults, and returns the answers.
    private func deliver(_ request: [UInt8]) -> [TagReply] {
        let tags = tags
        guard let parsed = ISO15693Request(request), parsed.isTagCommand, let first = tags.first else {
            return isLost(request) ? [] : tags.map { $0.receive(request) }
        }
        field.noteUse(request, at: .now)
        let (number, counted) = faults.tag.countCommand()
        let isTorn = parsed.isWrite && faults.countWrite() || counted.strikes(counted.tear, at: number)
        if isTorn {
            for tag in tags { tag.receiveTorn(request) }
            field.lose(first, at: .now, back: counted.back)
            return []
        }
        if counted.strikes(counted.nak, at: number) || isLost(request) { return [] }
        let replies = tags.map { $0.receive(request) }
        if counted.strikes(counted.loss, at: number) {
            first.fieldOff()
            field.lose(first, at: .now, back: counted.back)
        }
        return replies
    }

    /// Decides whether a frame is lost: each of its bits is wrong with the probability ``Coupling/bitErrorRate``.
    private func isLost(_ frame: [UInt8]) -> Bool {
        let coupling = faults.tag.faults.coupling
        guard coupling.bitErrorRate > 0 else { return false }
        if seed != coupling.seed {
            seed = coupling.seed
            noise = TearNoise(seed: (0..<8).map { UInt8(truncatingIfNeeded: coupling.seed >> (56 - 8 * $0)) })
        }
        let bits = Double(8 * (frame.count + Self.checksumSize))
        return Double.random(in: 0..<1, using: &noise) >= pow(1 - coupling.bitErrorRate, bits)
    }
}
