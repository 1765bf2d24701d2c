// Finishing a write that was interrupted, or bringing the old message back

import ReaderInterface
import ReaderSession
import TagTypes
package import WriteJournal

extension TagChange {
    /// What became of an interrupted write or lock.
    public enum Recovery: Sendable {
        /// The new message is there, or the locked one.
        case finished
        /// The old message is there again.
        case broughtBack
        /// The lock turned out to be done.
        case finishedLock
    }

    /// Brings an interrupted write to an end on its tag, verifies it, and forgets it.
    ///
    /// - Parameters:
    ///   - entry: what the journal keeps of the tag.
    ///   - isRollback: whether the old message is to come back.
    /// - Returns: what the tag holds now, and which message that is, or that a lock turned out to be done.
    /// - Throws: ``NoTagToRecover`` when the tag is another one; ``UnfinishedWrite`` for a lock whose rest is not done;
    ///   what the dialogue throws for a tag that was written since.
    package func recover(
        _ entry: JournalEntry, rollingBack isRollback: Bool
    ) async throws -> (reading: TagReading, recovery: Recovery) {
        guard entry.uid == tag.target.identifier else {
            throw NoTagToRecover(absence: NoTagCame(after: nil, others: [tag.target.identifier]), awaited: [entry.uid])
        }
        var change = self
        let held = try await tag.perform { try HeldMessage.read(from: $0) }
        let work = UnfinishedWork(entry, on: held)
        let isReplaced = work.standing == .otherMessage || work.standing == .emptied
        if isReplaced {
            try await ask(.recover(work)) {
                try await tag.perform { try HeldMessage.read(from: $0) }.isSame(as: held)
            }
        }
        let direction: WritePlan.Direction = isRollback || entry.insured != nil ? .backward : .forward
        // After a lock there may be nothing to repair, and much that can no longer be written.
        if entry.insured == nil || work.leavesNoMessage || isReplaced {
            change.tag = try await finished(by: entry, direction)
        }
        var reading = try await session.currentReadingEvenBroken(of: change.tag)
        guard HeldMessage(reading).isMessage(entry.message(direction)) else {
            throw TagError.verificationFailed(offset: 0)
        }
        reading.isVerified = true
        if entry.insured == .lock, !isRollback {
            let rest = try await change.tag.perform { try $0.planLock() }
            guard rest.isEmpty, reading.state.status == .readOnly else {
                throw UnfinishedWrite(entry, leaving: .openLock)
            }
            // Bits that read as set may have no effect.
            try await change.tag.perform { try $0.carryOut(rest) }
        }
        try write.endEntry(isRollback ? nil : entry, of: change.tag, after: .recovered)
        return (reading, isRollback ? .broughtBack : entry.insured == .lock ? .finishedLock : .finished)
    }
}
