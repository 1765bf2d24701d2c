// Pseudorandom numbers that decide what a write leaves behind when power fails (SplitMix64)

/// Decides which bytes or bits of a torn write are new.
///
/// The same seed gives the same decisions.
package struct TearNoise: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: some Sequence<UInt8>) {
        state = seed.reduce(0) { $0 << 8 ^ $0 >> 56 ^ UInt64($1) }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns a mixture in which each byte comes from either `old` or `new`.
    package mutating func mixture(of old: [UInt8], and new: [UInt8]) -> [UInt8] {
        zip(old, new).map { old, new in Bool.random(using: &self) ? new : old }
    }

    /// Returns a mixture in which each bit comes from either `old` or `new`.
    package mutating func bitMixture(of old: [UInt8], and new: [UInt8]) -> [UInt8] {
        zip(old, new).map { old, new in
            let chosen = UInt8.random(in: .min ... .max, using: &self)
            return old & ~chosen | new & chosen
        }
    }
}
