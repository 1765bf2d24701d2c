// One-time bits of a dump that a tag does not keep: not every chip has all bits of the lock bytes

import ReaderSession
import TagImage
import TagTypes

/// One-time bits that were written but read back as zeros.
public struct UnkeptBits: Hashable, Sendable {
    /// The number of the block.
    public let block: Int
    /// The bits that are not set although they were written.
    public let bits: [UInt8]
    /// The current bytes of the block.
    public let kept: [UInt8]

    /// Finds the bits that a tag did not keep, after a failed write has ended a restore.
    ///
    /// The result is nil if all one-time bits are set, if the restore ended for another reason, or if the tag is gone.
    /// It is also nil if the missing bits were to be cleared, not set.
    static func seen(on tag: ConnectedTag, _ plan: RestorePlan, after error: any Error) async -> UnkeptBits? {
        guard case TagError.commandFailed = error, !plan.oneTime.isEmpty,
            let present = try? await tag.image().0
        else { return nil }
        // The first block that differs is the one whose write failed. Trailers do not count, because keys cannot be
        // read back.
        let first = plan.writes.first { present[block: $0.number] != $0.bytes }
        let isLock = plan.oneTimeChanges.contains { $0.block == first?.number && !$0.isOfKeys }
        guard let first, isLock, let kept = present[block: first.number], kept.count == first.bytes.count else {
            return nil
        }
        let bits = zip(first.bytes, kept).map { $0 & ~$1 }
        // Apart from missing bits, the block must hold the written content. Otherwise, something else was written.
        guard bits.contains(where: { $0 != 0 }), zip(kept, first.bytes).allSatisfy({ $0 & ~$1 == 0 }) else {
            return nil
        }
        return UnkeptBits(block: first.number, bits: bits, kept: kept)
    }
}
