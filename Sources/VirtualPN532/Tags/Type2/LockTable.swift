// Lock bits of Type 2 Tags — NXP data sheets, "static lock bytes" and "dynamic lock bytes"

/// A lock bit and the blocks that it makes read-only.
struct LockArea: Hashable, Sendable {
    /// The number of the bit in the lock bytes.
    ///
    /// 0 is the least significant bit of the first byte.
    var bit: Int
    var blocks: ClosedRange<Int>
    /// The number of the block-locking bit that freezes this lock bit.
    var frozenBy: Int
}

/// The lock bytes in one block: their location and the meaning of their bits.
///
/// Bits can be set, but never cleared.
struct LockTable: Hashable, Sendable {
    /// The number of the block that contains the lock bytes.
    var block: Int
    /// The positions of the lock bytes in the block.
    var bytes: Range<Int>
    var areas: [LockArea]

    /// Static lock bytes 0 and 1 in block 2: one bit for each of blocks 3 to 15, and block-locking bits 0 to 2.
    static let staticLocks = LockTable(
        block: 2, bytes: 2..<4,
        areas: (3...15).map { block in
            LockArea(bit: block, blocks: block...block, frozenBy: block == 3 ? 0 : block < 10 ? 1 : 2)
        })

    /// Returns the table for dynamic lock bytes.
    ///
    /// Each of bits 0 to 15 locks `granularity` blocks, starting with block 16. Each of bits 16 to 23 freezes the lock
    /// bits for `frozenTogether` blocks.
    static func dynamicLocks(block: Int, granularity: Int, through last: Int, frozenTogether: Int) -> LockTable {
        let areas = stride(from: 16, through: last, by: granularity).enumerated().map { bit, first in
            LockArea(
                bit: bit, blocks: first...min(first + granularity - 1, last),
                frozenBy: 16 + (first - 16) / frozenTogether)
        }
        return LockTable(block: block, bytes: 0..<3, areas: areas)
    }

    /// Returns the table for the lock bytes in block 28 (hexadecimal) of Ultralight C and NTAG203.
    ///
    /// Six bits lock four blocks each, and bits 0 and 4 each freeze three of the six bits. `others` describes the bits
    /// in the second byte. Each of these locks a single function, which depends on the chip.
    static func fourBlockLocks(others: [LockArea]) -> LockTable {
        let areas = [1, 2, 3, 5, 6, 7].enumerated().map { index, bit in
            let first = 16 + 4 * index
            return LockArea(bit: bit, blocks: first...first + 3, frozenBy: bit < 4 ? 0 : 4)
        }
        return LockTable(block: 0x28, bytes: 0..<2, areas: areas + others)
    }

    /// Whether `block` is locked by a bit in `content`, the four bytes of the lock block.
    func locks(_ block: Int, in content: [UInt8]) -> Bool {
        let bits = bits(of: content)
        return areas.contains { $0.blocks.contains(block) && bits & 1 << $0.bit != 0 }
    }

    /// Returns the content of the lock block after a write.
    ///
    /// Lock bits are ORed unless frozen, and other bits do not change.
    func merged(_ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
        let oldBits = bits(of: old)
        let settable = areas.reduce(0 as UInt32) { mask, area in
            let lockBit: UInt32 = oldBits & 1 << area.frozenBy == 0 ? 1 << area.bit : 0
            return mask | lockBit | 1 << area.frozenBy
        }
        let merged = oldBits | bits(of: new) & settable
        var content = old
        for (index, byte) in bytes.enumerated() {
            content[byte] = UInt8(truncatingIfNeeded: merged >> (8 * index))
        }
        return content
    }

    private func bits(of content: [UInt8]) -> UInt32 {
        content[bytes].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
