// The quality of the radio link between a reader and its tags — ISO/IEC 14443-2, NFC Forum Digital

import Glibc

/// The effects of distance and movement on frames and power.
///
/// ```swift
/// var faults = Faults()
/// faults.coupling.bitErrorRate = Coupling.bitErrorRate(losing: 0.05)
/// let reader = try VirtualReader(tags: [VirtualTagKind.ntag215.make()], faults: faults)
/// ```
public struct Coupling: Hashable, Sendable {
    /// When a tag starts to listen after it is powered.
    public enum PowerUp: Hashable, Sendable {
        /// After the guard time with ``Latency/real``, and immediately with ``Latency/none``.
        case automatic
        /// After the guard time of the tag's technology.
        case guardTime
        /// After this time.
        case after(Duration)
    }

    /// The probability that a bit on the air is wrong, from 0 to 1, in both directions.
    ///
    /// A frame of n bits is lost with the probability 1 − (1 − rate)ⁿ. The n bits include the checksum, parity, start
    /// and end. For type A, the rate is doubled at 212 kbit/s and multiplied by 4 at 424 kbit/s.
    public var bitErrorRate = 0.0
    /// How long it takes to place a tag; nil for no time.
    ///
    /// Until the tag is in place, frames longer than ``longestAtEdge`` bytes are lost, and shorter frames are rarely
    /// lost. The time starts with the first frame on the air after the tag arrived, and starts again when the tag
    /// returns. It includes both the modelled time and the time that the host takes. While a tag is being placed, the
    /// frames of all tags of its technology are affected.
    public var edge: Duration?
    /// When a tag starts to listen after the field came on or the tag arrived.
    public var powerUp = PowerUp.automatic
    /// The seed of the random numbers that decide which frames are lost.
    ///
    /// The same seed and the same frames give the same losses.
    public var seed: UInt64 = 1

    /// The longest frame that can arrive while a tag is being placed, in bytes including the checksum.
    public static let longestAtEdge = 20
    /// The length on the air, in bits, of a type A frame of 260 bytes including the checksum.
    private static let longFrameBits = Modulation.typeA106.bitCount(bytes: 260)
    /// The share of frames with ``longestAtEdge`` bytes that are lost while a tag is being placed (assumed).
    private static let lossAtEdge = 0.1

    /// The factor by which the bit error rate is higher than at the first bit rate of the technology.
    ///
    /// The factors are assumed: each bit of a faster frame takes less time, so its signal is weaker. FeliCa has the
    /// factor 1, because its first frame already has the final bit rate.
    private static func weakness(of modulation: Modulation) -> Int {
        switch modulation {
        case .typeA212: 2
        case .typeA424: 4
        case .typeA106, .typeB106, .type1, .feliCa212, .feliCa424: 1
        }
    }

    /// Creates a coupling without losses.
    public init() {}

    /// Returns the bit error rate at which this share of type A frames of 260 bytes is lost.
    ///
    /// The share is at least 0 and below 1.
    public static func bitErrorRate(losing share: Double) -> Double { 1 - pow(1 - share, 1 / Double(longFrameBits)) }

    func loss(of frame: AirFrame, isAtEdge: Bool) -> Double {
        let weakness = Self.weakness(of: frame.modulation)
        let arrives = pow(max(1 - bitErrorRate * Double(weakness), 0), Double(frame.bitCount))
        guard isAtEdge else { return 1 - arrives }
        let longest = Self.longestAtEdge / weakness
        guard frame.bytes.count <= longest else { return 1 }
        let length = Double(frame.bytes.count) / Double(longest)
        return 1 - arrives * (1 - Self.lossAtEdge * length * length)
    }

    /// Returns how long a tag stays mute after it is powered.
    ///
    /// The times are the guard times GT_A (6.10.4.1), GT_B (7.9.4.1) and GT_F (8.7.4.1) of NFC Forum Digital 2.0, with
    /// the values in STMicroelectronics' RFAL. A Type 1 Tag belongs to NFC-A.
    func mutedTime(of tag: any VirtualTag, latency: Latency) -> Duration {
        switch powerUp {
        case .after(let time): return time
        case .automatic where latency == .none: return .zero
        case .automatic, .guardTime: return tag is any FeliCaTag ? .milliseconds(20) : .milliseconds(5)
        }
    }
}

/// The random decisions about lost frames.
///
/// The same seed gives the same decisions.
struct Interference {
    private var seed: UInt64?
    private var chance = TearNoise(seed: [])

    mutating func loses(_ frame: AirFrame, _ coupling: Coupling, isAtEdge: Bool) -> Bool {
        guard coupling.bitErrorRate > 0 || isAtEdge else { return false }
        if seed != coupling.seed {
            seed = coupling.seed
            chance = TearNoise(seed: (0..<8).map { UInt8(truncatingIfNeeded: coupling.seed >> (56 - 8 * $0)) })
        }
        return Double.random(in: 0..<1, using: &chance) < coupling.loss(of: frame, isAtEdge: isAtEdge)
    }

    /// Decides whether the receiver missed the start of a lost frame and heard only silence.
    ///
    /// This is assumed for a quarter of the lost frames.
    mutating func hidesBeginning() -> Bool { UInt8.random(in: 0..<4, using: &chance) == 0 }

    /// Returns what the reader hears of a lost answer: silence, or a frame with an error that it detects.
    ///
    /// In a type A frame, a single wrong bit causes a parity error. Two wrong bits in one byte cause a CRC error,
    /// because the parity stays correct.
    mutating func remains(of answer: AirFrame) -> AirAnswer {
        if hidesBeginning() { return .silence }
        var damaged = answer
        let byte = Int.random(in: 0..<max(answer.bytes.count, 1), using: &chance)
        let errors: [ChipStatus] =
            switch (answer.modulation, answer.data != nil) {
            case (.typeA106, true), (.typeA212, true), (.typeA424, true): [.parityError, .crcError, .framingError]
            case (.typeA106, false), (.typeA212, false), (.typeA424, false): [.parityError, .framingError]
            case (_, _): [.crcError, .framingError]
            }
        let error = errors.randomElement(using: &chance) ?? .framingError
        if !damaged.bytes.isEmpty { damaged.bytes[byte] ^= error == .crcError ? 0x22 : 0x02 }
        return error == .crcError ? .frame(damaged) : .garbled(damaged, error)
    }
}
