// Locking a tag: the lock is shown, confirmed, carried out exactly as shown, and verified by its effect

public import NDEF
import ReaderInterface
import ReaderSession
public import TagTypes
import WriteJournal

/// A planned lock of which no step was carried out yet.
public struct LockDraft: Sendable {
    /// The content of the tag before the lock.
    public let reading: TagReading
    /// The steps of the lock in order.
    ///
    /// The plan is empty if nothing is left to lock.
    public let plan: LockPlan
    /// The ways in which the tag can still be changed or silenced after the lock.
    public let gaps: [LockGap]
}

extension TagChange {
    /// Makes the tag read-only as far as possible, and verifies that it refuses writes.
    ///
    /// - Parameter review: called with the message that would become permanent, before any question. It throws to
    ///   decline the lock.
    /// - Returns: the content of the tag afterwards, and what is known about undoing the lock, which is nil if the tag
    ///   was already locked.
    /// - Throws: `TagError.lockInterrupted` if the lock fails after its first step has started.
    public func lock(
        reviewing review: (NDEFMessage) throws -> Void = { _ in }
    ) async throws -> (reading: TagReading, permanence: LockStep.Permanence?, wasLocked: Bool) {
        let draft = try await session.withoutChange {
            // An earlier interrupted change may have been meant to replace the message.
            if let work = try await write.unfinishedWork(on: tag) { _ = try facing(work, .lockMessage) }
            try await requireNoHalfRestore()
            return try await confirmedLock(review)
        }
        let (before, plan) = (draft.reading, draft.plan)
        guard !plan.isEmpty else {
            // Carry out even an empty plan, to test lock bits that read as set but may have no effect.
            try await tag.perform { try $0.carryOut(plan) }
            try forget(.lock)
            return (before, nil, true)
        }
        let after = try await insured(before, against: .lock) {
            // Carry out exactly what was shown and confirmed.
            do {
                try await tag.perform { try $0.carryOut(plan) }
            } catch  where !Self.isAfterAStep(error) {
                try await session.withoutChange { throw error }
            }
            return try await provenLocked(by: plan, holding: before)
        }
        return (after, plan.permanence, false)
    }

    /// Plans the lock and asks for confirmation, unless the plan is empty.
    private func confirmedLock(_ review: (NDEFMessage) throws -> Void) async throws -> LockDraft {
        // The message to lock must be readable, because a broken message would become permanent.
        let before = try await session.currentReading(of: tag)
        guard before.state.status != .notSupported else {
            throw before.state.notNDEF()
        }
        if !before.bytes.isEmpty { try review(before.message) }
        let plan = try await tag.perform { try $0.planLockOfInspected() }
        // A permanently empty message is probably a mistake. If it is already locked, there is nothing left to prevent.
        if before.bytes.isEmpty, !plan.isEmpty { try review(before.message) }
        guard !plan.isEmpty else { return LockDraft(reading: before, plan: plan, gaps: []) }
        let draft = LockDraft(reading: before, plan: plan, gaps: try await tag.perform { $0.lockGaps })
        try await ask(.lock(draft)) {
            let now = try await session.currentReading(of: tag)
            guard now.lastingBytes == before.lastingBytes, now.mirror == before.mirror else { return false }
            return try await tag.perform { try $0.planLockOfInspected() } == plan
        }
        return draft
    }

    private static func isAfterAStep(_ error: any Error) -> Bool {
        if case TagError.lockInterrupted = error { true } else { false }
    }

    /// Activates the tag again and reads it, to verify what the next reader will see.
    private func provenLocked(by plan: LockPlan, holding before: TagReading) async throws -> TagReading {
        do {
            var after = try await session.read(tag.detected)
            guard after.lastingBytes == before.lastingBytes, after.state.status == .readOnly else {
                throw TagError.verificationFailed(offset: 0)
            }
            after.isVerified = true
            return after
        } catch {
            // All bits are set, so an error from the verification must list the steps that set them.
            guard let cause = TagError(after: error) else { throw error }
            throw TagError.lockInterrupted(done: plan.steps.map(\.name), missing: [], cause: cause)
        }
    }
}

extension TagChange {
    /// Locks a tag without asking, as a provisioning plan requires, and reads it after a power-up.
    ///
    /// - Parameter before: the content of the tag before the lock.
    /// - Returns: the change with the tag's current connection, and the content of the locked tag.
    /// - Throws: `TagError.cannotMakeReadOnly` for a tag that can only be marked as read-only, not locked;
    ///   `TagError.verificationFailed` if the message differs after the power-up, or something is left to lock.
    package func lockEnforced(holding before: TagReading) async throws -> (TagChange, TagReading) {
        let plan = try await enforcedLockPlan()
        return try await insured(before, against: .lock) {
            // Carry out even an empty plan, to test lock bits that read as set but may have no effect.
            try await tag.perform { try $0.carryOut(plan) }
            do {
                let locked = try await afterPowerUp()
                let reading = try await session.currentReading(of: locked.tag)
                guard reading.lastingBytes == before.lastingBytes, try await locked.enforcedLockPlan().isEmpty else {
                    throw TagError.verificationFailed(offset: 0)
                }
                return (locked, reading)
            } catch let error as any ClassifiedError where [.interrupted, .tagGone, .noTagCame].contains(error.kind) {
                // All bits are set, but not verified: keep the journal entry.
                let cause: ReaderError = error.kind == .interrupted ? .aborted : .tagLost
                throw TagError.lockInterrupted(done: plan.steps.map(\.name), missing: [], cause: .reader(cause))
            }
        }
    }

    /// Plans the steps that are left to lock the tag.
    ///
    /// A read-only status shows only that the capability container is set, which is the first step of a lock. If the
    /// lock was interrupted after that step, the lock bits are still open.
    private func enforcedLockPlan() async throws -> LockPlan {
        try await tag.perform { tag throws -> LockPlan in
            let plan = try tag.planEnforcedLock()
            guard try !plan.isEmpty || tag.detect().status == .readOnly else {
                throw TagError.cannotMakeReadOnly(
                    reason: "its lock bits are set, but it still reports that it can be written")
            }
            return plan
        }
    }
}

extension TagError {
    /// Converts an error after a change to a tag error.
    ///
    /// Returns nil if the error came from neither the tag nor the reader.
    package init?(after error: any Error) {
        switch error {
        case let error as TagError: self = error
        case let error as ReaderError: self = .reader(error)
        case SessionError.ended, is Interrupted: self = .reader(.aborted)
        // The message was complete before the change, so a broken message now means that the verification failed.
        case is BrokenMessage: self = .verificationFailed(offset: 0)
        default: return nil
        }
    }
}
