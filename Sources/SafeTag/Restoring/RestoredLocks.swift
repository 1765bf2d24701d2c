// Whether the lock bits that a restore set lock anything

import ReaderSession
import TagTypes

/// The lock bits that a restore has set.
public struct RestoredLocks: Sendable {
    /// A block of each group that was locked.
    let blocks: [Int]
    /// Those of them that were seen to refuse a write.
    package let tried: [Int]
    /// A block of each group that cannot be tried: the write itself would change it, should the lock have no effect.
    package let untriable: [Int]

    /// Whether each group of blocks that was locked was seen to refuse a write.
    public var isProven: Bool { !blocks.isEmpty && untried.isEmpty && untriable.isEmpty }

    package var untried: [Int] { blocks.filter { !tried.contains($0) } }

    /// Tries to write what was locked.
    ///
    /// - Returns: nil when the restore set no lock bits.
    /// - Throws: `TagError.lockInterrupted(done:missing:cause:)` when a block can still be written, or it is not known.
    static func proven(by plan: RestorePlan, on tag: ConnectedTag) async throws -> RestoredLocks? {
        let set = plan.oneTimeChanges.filter(\.isLock)
        // A restore that was interrupted has set them, and proved nothing.
        let changes = set.isEmpty ? plan.locksHeld : set
        guard !changes.isEmpty else { return nil }
        let blocks = changes.flatMap(\.locked).sorted()
        let untriable = changes.flatMap(\.untriable).sorted()
        guard !blocks.isEmpty else { return RestoredLocks(blocks: [], tried: [], untriable: untriable) }
        do {
            let tried = try await tag.perform { try ($0 as? Type2Tag)?.proveLocked(blocks) ?? [] }
            return RestoredLocks(blocks: blocks, tried: tried, untriable: untriable)
        } catch {
            // The bits are set, which a failure must mention, too.
            guard let cause = TagError(after: error) else { throw error }
            throw TagError.lockInterrupted(done: changes.map(\.name), missing: [], cause: cause)
        }
    }
}
