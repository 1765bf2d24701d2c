// Value blocks of a MIFARE Classic — NXP MF1S50yyX, value blocks

/// A value block: a signed number, stored three times, and an address byte, stored four times.
struct ValueBlock: Hashable, Sendable {
    var value: Int32
    var address: UInt8

    /// Decodes a value block, or returns nil unless all copies of the number and the address agree.
    ///
    /// The block is `value ~value value address ~address address ~address`, least significant byte first.
    init?(_ block: [UInt8]) {
        guard block.count == ClassicLayout.blockSize else { return nil }
        address = block[12]
        value = Int32(truncatingIfNeeded: block[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        guard bytes == block else { return nil }
    }

    var bytes: [UInt8] {
        let number = Array(value.bigEndianBytes.reversed())
        return number + number.map(~) + number + [address, ~address, address, ~address]
    }
}
