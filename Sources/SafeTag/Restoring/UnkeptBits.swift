// One-time bits of a dump that a tag does not keep: chips have fewer lock bits than bytes for them

import ReaderSession
import TagImage
import TagTypes

/// One-time bits that were written and read back as zeros.
public struct UnkeptBits: Hashable, Sendable {
    /// The number of the block.
    public let block: Int
    /// The bits that are not set.
    public let bits: [UInt8]
    /// What the block holds.
    public let kept: [UInt8]

    /// Looks at a tag on which a restore ended because something was not written.
    ///
    /// Nil when all one-time bits are set, when it ended for another reason, and for a tag that is gone. Nil also for bits
    /// of a kind that are cleared and not set.
    static func seen(on tag: ConnectedTag, _ plan: RestorePlan, after error: any Error) async -> UnkeptBits? {
        guard case TagError.commandFailed = error, !plan.oneTime.isEmpty,
            let present = try? await tag.image().0
        else { return nil }
        // What comes after the write that failed was not written. Keys do not read back.
        let first = plan.writes.first { present[block: $0.number] != $0.bytes }
        let isLock = plan.oneTimeChanges.contains { $0.block == first?.number && !$0.isOfKeys }
        guard let first, isLock, let kept = present[block: first.number], kept.count == first.bytes.count else {
            return nil
        }
        let bits = zip(first.bytes, kept).map { $0 & ~$1 }
        // Otherwise the block holds something else altogether.
        guard bits.contains(where: { $0 != 0 }), zip(kept, first.bytes).allSatisfy({ $0 & ~$1 == 0 }) else {
            return nil
        }
        return UnkeptBits(block: first.number, bits: bits, kept: kept)
    }
}
