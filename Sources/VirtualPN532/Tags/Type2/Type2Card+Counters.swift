// 24-bit counters — NXP NTAG213_215_216 ("NFC counter") and MF0ULX1 (READ_CNT, INCR_CNT, CHECK_TEARING_EVENT)

extension Type2Card {
    /// Increments the NFC counter, up to FFFFFF, at the first READ or FAST_READ after power-up.
    mutating func countRead() {
        guard chip.family == .ntag21x, configuration?.countsReads == true, !hasCountedRead else { return }
        hasCountedRead = true
        memory.counters[2] = min(memory.counters[2] + 1, 0xFF_FFFF)
    }

    func readCounter(_ number: Int) throws(NAK) -> TagReply {
        if chip.family == .ntag21x {
            guard number == 2, let configuration, configuration.countsReads,
                !configuration.protectsCounter || isAuthenticated
            else { throw .invalidArgument }
        }
        guard memory.counters.indices.contains(number) else { throw .invalidArgument }
        let value = memory.counters[number]
        return reply([0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) })
    }

    /// Handles INCR_CNT.
    ///
    /// `amount` contains three bytes, least significant first, and a fourth byte that is ignored.
    mutating func incrementCounter(_ number: Int, by amount: ArraySlice<UInt8>) throws(NAK) -> TagReply {
        guard memory.counters.indices.contains(number) else { throw .invalidArgument }
        let sum = memory.counters[number] + amount.prefix(3).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        guard sum <= 0xFF_FFFF else { throw .counterOverflow }
        if !isPowerFailing || Bool.random(using: &noise) { memory.counters[number] = sum }
        memory.tearingFlags[number] = isPowerFailing ? 0x00 : 0xBD
        return acknowledge(after: Self.programmingTime)
    }

    func checkTearing(_ number: Int) throws(NAK) -> TagReply {
        guard memory.tearingFlags.indices.contains(number) else { throw .invalidArgument }
        return reply([memory.tearingFlags[number]])
    }
}
