// The limits of FAST_READ for a tag — NXP NTAG213_215_216, FAST_READ

/// The known limits of FAST_READ on this chip and this reader.
struct FastReading {
    /// The number of blocks that one READ returns.
    private static let readLength = 4

    /// The maximum number of blocks to request with one command.
    private(set) var limit = Int.max
    /// The last block of the range that the chip refused most recently, or `nil` if there is none.
    ///
    /// The reason is a protected block in the range, or the length of the range.
    var refused: Int?
    private var longest = 1

    /// Whether FAST_READ returns more blocks than READ.
    var isWorthwhile: Bool { limit > Self.readLength }

    /// Returns the last block to request.
    ///
    /// This is `last`, or at most the block halfway to ``refused`` if ``refused`` lies ahead.
    func end(from first: Int, _ last: Int) -> Int {
        guard let refused, first <= refused else { return last }
        return min(last, (first + refused) / 2)
    }

    /// Limits further requests to half as many blocks after a request failed because of noise.
    mutating func shorten(from count: Int) { limit = min(limit, count / 2) }

    mutating func succeeded(_ range: ClosedRange<Int>) {
        longest = max(longest, range.count)
        guard let refused, range.contains(refused) else { return }
        // All blocks of the refused range could be read in parts, so the chip accepts only short ranges.
        limit = min(limit, longest)
        self.refused = nil
    }
}
