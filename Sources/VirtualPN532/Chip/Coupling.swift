// How well a reader and its tags hear each other — ISO/IEC 14443-2, NFC Forum Digital

import Glibc

/// What distance and movement do to frames and to power.
///
/// ```swift
/// var faults = Faults()
/// faults.coupling.bitErrorRate = Coupling.bitErrorRate(losing: 0.05)
/// let reader = try VirtualReader(tags: [VirtualTagKind.ntag215.make()], faults: faults)
/// ```
public struct Coupling: Hashable, Sendable {
    /// When a tag that got power begins to listen.
    public enum PowerUp: Hashable, Sendable {
        /// As ``guardTime`` with ``Latency/real``, at once with ``Latency/none``.
        case automatic
        /// After the guard time of its technology.
        case guardTime
        /// After this time.
        case after(Duration)
    }

    /// The probability that a bit on the air is wrong, from 0 to 1, in both directions.
    ///
    /// A frame of n bits is lost with the probability 1 − (1 − rate)ⁿ; n counts the checksum, parity, start and end.
    public var bitErrorRate = 0.0
    /// How long a tag is being placed: until then frames of more than ``longestAtEdge`` bytes are lost, others rarely.
    ///
    /// It counts from the first frame on the air after the tag arrived, and anew when it returns. While one tag is being
    /// placed, the frames of all tags of its technology suffer. The time is the modelled one and, in addition, the
    /// time that the host takes.
    public var edge: Duration?
    /// How long a tag is mute after its field came on, and after it arrived.
    public var powerUp = PowerUp.automatic
    /// The seed of the losses: the same seed and the same frames give the same losses.
    public var seed: UInt64 = 1

    /// The longest frame that passes while a tag is being placed, in bytes with its checksum.
    public static let longestAtEdge = 20
    /// The bits on the air of a type A frame of 260 bytes, checksum included.
    private static let longFrameBits = Modulation.typeA106.bitCount(bytes: 260)
    /// The share of the longest passing frames that is lost while a tag is being placed; assumed.
    private static let lossAtEdge = 0.1

    /// All frames arrive.
    public init() {}

    /// The bit error rate at which this share, from 0 to below 1, of the type A frames of 260 bytes is lost.
    public static func bitErrorRate(losing share: Double) -> Double { 1 - pow(1 - share, 1 / Double(longFrameBits)) }

    /// The probability that a frame is lost.
    func loss(of frame: AirFrame, isAtEdge: Bool) -> Double {
        let arrives = pow(1 - bitErrorRate, Double(frame.bitCount))
        guard isAtEdge else { return 1 - arrives }
        guard frame.bytes.count <= Self.longestAtEdge else { return 1 }
        let length = Double(frame.bytes.count) / Double(Self.longestAtEdge)
        return 1 - arrives * (1 - Self.lossAtEdge * length * length)
    }

    /// How long a tag is mute after it got power.
    ///
    /// NFC Forum Digital 2.0, guard times GT_A (6.10.4.1), GT_B (7.9.4.1) and GT_F (8.7.4.1), as STMicroelectronics'
    /// RFAL has them; a Type 1 Tag is of NFC-A.
    func mutedTime(of tag: any VirtualTag, latency: Latency) -> Duration {
        switch powerUp {
        case .after(let time): return time
        case .automatic where latency == .none: return .zero
        case .automatic, .guardTime: return tag is any FeliCaTag ? .milliseconds(20) : .milliseconds(5)
        }
    }
}

/// Decides what becomes of frames; the same seed decides in the same way.
struct Interference {
    private var seed: UInt64?
    private var chance = TearNoise(seed: [])

    /// Whether a frame is lost.
    mutating func loses(_ frame: AirFrame, _ coupling: Coupling, isAtEdge: Bool) -> Bool {
        guard coupling.bitErrorRate > 0 || isAtEdge else { return false }
        if seed != coupling.seed {
            seed = coupling.seed
            chance = TearNoise(seed: (0..<8).map { UInt8(truncatingIfNeeded: coupling.seed >> (56 - 8 * $0)) })
        }
        return Double.random(in: 0..<1, using: &chance) < coupling.loss(of: frame, isAtEdge: isAtEdge)
    }

    /// Whether the beginning of a lost frame was not noticed, so that there was silence for the receiver.
    ///
    /// Assumed for a quarter of them.
    mutating func hidesBeginning() -> Bool { UInt8.random(in: 0..<4, using: &chance) == 0 }

    /// What the reader hears of a lost answer: silence, or an error of its receiver.
    ///
    /// A single wrong bit of type A is a parity error; two in one byte leave the parity right and the CRC wrong.
    mutating func remains(of answer: AirFrame) -> AirAnswer {
        if hidesBeginning() { return .silence }
        var damaged = answer
        let byte = Int.random(in: 0..<max(answer.bytes.count, 1), using: &chance)
        let errors: [ChipStatus] =
            switch (answer.modulation, answer.data != nil) {
            case (.typeA106, true): [.parityError, .crcError, .framingError]
            case (.typeA106, false): [.parityError, .framingError]
            case (_, _): [.crcError, .framingError]
            }
        let error = errors.randomElement(using: &chance) ?? .framingError
        if !damaged.bytes.isEmpty { damaged.bytes[byte] ^= error == .crcError ? 0x22 : 0x02 }
        return error == .crcError ? .frame(damaged) : .garbled(damaged, error)
    }
}
