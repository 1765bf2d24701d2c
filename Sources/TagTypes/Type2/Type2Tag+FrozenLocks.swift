// Lock bits that can never be set — NXP NTAG213F_216F 8.5.2, NXP and ST data sheets of the other chips
import Chips

extension Type2Tag {
    /// Checks that no block-locking bit freezes a lock bit that still has to be set to lock the tag.
    ///
    /// Once a block-locking bit is set, the chip ignores changes to the lock bits that it freezes. Locking such a tag
    /// could not be undone, but would leave blocks that anyone can write.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)``; what reading throws.
    func requireSettableLockBits(_ locks: [DynamicLockLayout]) throws(TagError) {
        var frozen = try staticFrozenBlocks()
        for lock in locks { frozen += try frozenBlocks(of: lock) }
        guard !frozen.isEmpty else { return }
        throw .cannotMakeReadOnly(
            reason: "its block-locking bits are set, so the lock bits of \(Self.words(for: frozen)) can never be set")
    }

    /// Returns the numbers of the blocks whose static lock bits are clear and frozen.
    private func staticFrozenBlocks() throws(TagError) -> [Int] {
        let bytes = try memory.block(Self.staticLockBlock, limit: memory.blockCount)
        let bits = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
        return (Type2CapabilityContainer.block..<DynamicLockLayout.firstBlock).filter { block in
            // Bit 0 freezes the lock bit of block 3, bit 1 those of blocks 4 to 9, bit 2 those of blocks 10 to 15.
            let freezer: UInt16 = block == Type2CapabilityContainer.block ? 0 : block < 10 ? 1 : 2
            return bits & 1 << UInt16(block) == 0 && bits & 1 << freezer != 0
        }
    }

    /// Returns the numbers of the blocks whose dynamic lock bits are clear and frozen.
    private func frozenBlocks(of lock: DynamicLockLayout) throws(TagError) -> [Int] {
        guard !lock.freezers.isEmpty else { return [] }
        let first = lock.address / Self.blockSize
        let bytes = try memory.block(first, limit: first + 1)
        func isSet(_ bit: Int) -> Bool { bytes[bit / 8] & 1 << UInt8(bit % 8) != 0 }
        return (DynamicLockLayout.firstBlock..<lock.end).filter { block in
            guard let bit = lock.bit(of: block), let freezer = lock.freezer(of: block) else { return false }
            return !isSet(bit) && isSet(freezer)
        }
    }

    /// Returns ascending block numbers in words, for example `block 3 and blocks 16 to 39`.
    private static func words(for blocks: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for block in blocks {
            if let last = runs.last, last.upperBound + 1 == block {
                runs[runs.count - 1] = last.lowerBound...block
            } else {
                runs.append(block...block)
            }
        }
        let words = runs.map { run in
            run.count == 1 ? "block \(run.lowerBound)" : "blocks \(run.lowerBound) to \(run.upperBound)"
        }
        return words.count < 3 ? words.joined(separator: " and ") : words.joined(separator: ", ")
    }
}
