// A lock that is shown, confirmed, carried out exactly as shown, and verified by its effect

public import NDEF
import ReaderInterface
import ReaderSession
public import TagTypes
import WriteJournal

/// A lock before its first step.
public struct LockDraft: Sendable {
    /// What the tag holds.
    public let reading: TagReading
    /// What will be set, in order; empty when nothing is left to set.
    public let plan: LockPlan
    /// The configuration blocks that stay open; nil for none.
    public let openConfiguration: ClosedRange<Int>?
}

extension TagChange {
    /// Makes the tag read-only, as far as it can be, and proves that it refuses writes.
    ///
    /// - Parameter review: called with the message that would stay forever, before anything is asked; throws to say no.
    /// - Returns: the tag as it is afterwards, and what is known about taking the lock back; nil when it was locked already.
    /// - Throws: `TagError.lockInterrupted` from the first step on.
    public func lock(
        reviewing review: (NDEFMessage) throws -> Void = { _ in }
    ) async throws -> (reading: TagReading, permanence: LockStep.Permanence?, wasLocked: Bool) {
        let draft = try await session.withoutChange {
            // The interrupted change may have been meant to replace the message.
            if let work = try await write.unfinishedWork(on: tag) { _ = try facing(work, .lockMessage) }
            try await requireNoHalfRestore()
            return try await confirmedLock(review)
        }
        let (before, plan) = (draft.reading, draft.plan)
        guard !plan.isEmpty else {
            // Bits that read as set may have no effect.
            try await tag.perform { try $0.carryOut(plan) }
            try forget(.lock)
            return (before, nil, true)
        }
        let after = try await insured(before, against: .lock) {
            // What was shown and confirmed, and nothing else.
            do {
                try await tag.perform { try $0.carryOut(plan) }
            } catch  where !Self.isAfterAStep(error) {
                try await session.withoutChange { throw error }
            }
            return try await provenLocked(by: plan, holding: before)
        }
        return (after, plan.permanence, false)
    }

    /// Plans the lock; an empty plan is not asked about.
    private func confirmedLock(_ review: (NDEFMessage) throws -> Void) async throws -> LockDraft {
        // What is locked in must be readable: a broken message would stay forever.
        let before = try await session.currentReading(of: tag)
        guard before.state.status != .notSupported else {
            throw TagError.notNDEF(reason: before.state.reason ?? "")
        }
        // A tag without records is locked as it is: there is nothing for phones to stumble over.
        if !before.bytes.isEmpty { try review(before.message) }
        let plan = try await tag.perform { try $0.planLock() }
        guard !plan.isEmpty else { return LockDraft(reading: before, plan: plan, openConfiguration: nil) }
        let open = try await tag.perform { ($0 as? Type2Tag)?.configurationOpenWhenLocked }
        let draft = LockDraft(reading: before, plan: plan, openConfiguration: open)
        try await ask(.lock(draft)) {
            let now = try await session.currentReading(of: tag)
            guard now.lastingBytes == before.lastingBytes, now.mirror == before.mirror else { return false }
            return try await tag.perform { try $0.planLock() } == plan
        }
        return draft
    }

    /// From the first step on, a lock fails with this error alone.
    private static func isAfterAStep(_ error: any Error) -> Bool {
        if case TagError.lockInterrupted = error { true } else { false }
    }

    /// Looks at the tag in a fresh activation, as the next reader will see it.
    private func provenLocked(by plan: LockPlan, holding before: TagReading) async throws -> TagReading {
        do {
            var after = try await session.read(tag.detected)
            guard after.lastingBytes == before.lastingBytes, after.state.status == .readOnly else {
                throw TagError.verificationFailed(offset: 0)
            }
            after.isVerified = true
            return after
        } catch {
            // All bits are set, which a failure must mention, too.
            guard let cause = TagError(after: error) else { throw error }
            throw TagError.lockInterrupted(done: plan.steps.map(\.name), missing: [], cause: cause)
        }
    }
}

extension TagChange {
    /// Locks a tag of a plan, without a question, and looks at it after a power-up.
    ///
    /// - Parameter before: what the tag holds.
    /// - Returns: the change with the tag as it is connected now, and what the locked tag holds.
    /// - Throws: `TagError.cannotMakeReadOnly` for a tag that has no lock but a mark; `TagError.verificationFailed`
    ///   when the message is another one after the power-up, or something is left to lock.
    package func lockEnforced(holding before: TagReading) async throws -> (TagChange, TagReading) {
        let plan = try await enforcedLockPlan()
        return try await insured(before, against: .lock) {
            // Also when nothing is left to set: bits that read as set may have no effect.
            try await tag.perform { try $0.carryOut(plan) }
            do {
                let locked = try await afterPowerUp()
                let reading = try await session.currentReading(of: locked.tag)
                guard reading.lastingBytes == before.lastingBytes, try await locked.enforcedLockPlan().isEmpty else {
                    throw TagError.verificationFailed(offset: 0)
                }
                return (locked, reading)
            } catch is Interrupted {
                // All bits are set, but not verified: keep the journal entry.
                throw TagError.lockInterrupted(
                    done: plan.steps.map(\.name), missing: [], cause: .reader(.aborted))
            }
        }
    }

    /// What is left to lock.
    ///
    /// That the tag says it is read-only is its capability container alone, the first step of a lock: one that was interrupted
    /// after it left the lock bits open.
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
    /// The error as one of the tag after a change of it; nil for those of neither tag nor reader.
    package init?(after error: any Error) {
        switch error {
        case let error as TagError: self = error
        case let error as ReaderError: self = .reader(error)
        case SessionError.ended, is Interrupted: self = .reader(.aborted)
        // It was whole before.
        case is BrokenMessage: self = .verificationFailed(offset: 0)
        default: return nil
        }
    }
}
