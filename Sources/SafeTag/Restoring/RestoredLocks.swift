// Tests whether the lock bits that a restore set have an effect

import ReaderSession
import TagTypes

/// The lock bits that a restore has set, and the results of testing them.
public struct RestoredLocks: Sendable {
    /// One block of each locked group.
    let blocks: [Int]
    /// The tested blocks, which refused a write.
    package let tried: [Int]
    /// One block of each group that cannot be tested, because a write would change the block if the lock had no effect.
    package let untriable: [Int]

    /// Whether a block of every locked group refused a write.
    public var isProven: Bool { !blocks.isEmpty && untried.isEmpty && untriable.isEmpty }

    package var untried: [Int] { blocks.filter { !tried.contains($0) } }

    /// Tests the locks by trying to write to locked blocks.
    ///
    /// - Returns: the results, or nil if the restore set no lock bits.
    /// - Throws: `TagError.lockInterrupted(done:missing:cause:)` if a block can still be written, or if this is not
    ///   known.
    static func proven(by plan: RestorePlan, on tag: ConnectedTag) async throws -> RestoredLocks? {
        let set = plan.oneTimeChanges.filter(\.isLock)
        // An interrupted restore may have set the lock bits without testing them.
        let changes = set.isEmpty ? plan.locksHeld : set
        guard !changes.isEmpty else { return nil }
        let blocks = changes.flatMap(\.locked).sorted()
        let untriable = changes.flatMap(\.untriable).sorted()
        guard !blocks.isEmpty else { return RestoredLocks(blocks: [], tried: [], untriable: untriable) }
        do {
            let tried = try await tag.perform { try ($0 as? Type2Tag)?.proveLocked(blocks) ?? [] }
            return RestoredLocks(blocks: blocks, tried: tried, untriable: untriable)
        } catch {
            // The bits are set, so the error must mention them too.
            guard let cause = TagError(after: error) else { throw error }
            throw TagError.lockInterrupted(done: changes.map(\.name), missing: [], cause: cause)
        }
    }
}
