// Finishing an interrupted write, or restoring the old message

import ReaderInterface
import ReaderSession
import TagTypes
package import WriteJournal

extension TagChange {
    /// The result of recovering an interrupted write or lock.
    public enum Recovery: Sendable {
        /// The new message, or the message that was to be locked, is on the tag.
        case finished
        /// The old message is on the tag again.
        case broughtBack
        /// The lock turned out to be complete.
        case finishedLock
    }

    /// Completes or undoes an interrupted write or lock on its tag, verifies the message, and removes the journal
    /// entry.
    ///
    /// - Parameters:
    ///   - entry: the journal entry of the interrupted write or lock.
    ///   - isRollback: whether to restore the old message.
    /// - Returns: the content of the tag, and how the change was recovered.
    /// - Throws: ``NoTagToRecover`` if another tag was placed; ``UnfinishedWrite`` for a lock with steps left; what the
    ///   dialogue throws for a tag that has been written since.
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
        // After an interrupted lock, the message may be intact, and many blocks may no longer be writable.
        if entry.insured == nil || work.leavesNoMessage || isReplaced {
            change.tag = try await finished(by: entry, direction)
        }
        var reading = try await session.currentReadingEvenBroken(of: change.tag)
        guard HeldMessage(reading).isMessage(entry.message(direction)) else {
            throw TagError.verificationFailed(offset: 0)
        }
        reading.isVerified = true
        if entry.insured == .lock, !isRollback {
            let rest = try await change.restOfLock(of: entry)
            guard rest.isEmpty, reading.state.status == .readOnly else {
                throw UnfinishedWrite(entry, leaving: .openLock)
            }
            // Carry out even an empty plan, to test lock bits that read as set but may have no effect.
            try await change.tag.perform { try $0.carryOut(rest) }
        }
        try write.endEntry(isRollback ? nil : entry, of: change.tag, after: .recovered)
        return (reading, isRollback ? .broughtBack : entry.insured == .lock ? .finishedLock : .finished)
    }

    /// Returns the lock steps that remain for a tag whose lock was interrupted.
    ///
    /// - Throws: ``UnfinishedWrite`` for a tag that cannot be locked.
    private func restOfLock(of entry: JournalEntry) async throws -> LockPlan {
        do {
            return try await tag.perform { try $0.planLock() }
        } catch TagError.cannotMakeReadOnly(let reason) {
            throw UnfinishedWrite(entry, leaving: .impossibleLock(reason: reason))
        }
    }
}
