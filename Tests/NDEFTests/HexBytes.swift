// Bytes written as hex text, and a random generator with a fixed seed

/// The bytes of hex text such as `D1 01 08`; spaces and line breaks are ignored, anything else stops the test run.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    precondition(digits.count.isMultiple(of: 2) && digits.count == text.filter { !$0.isWhitespace }.count)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Xorshift64* (Marsaglia 2003, Vigna 2014): the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
