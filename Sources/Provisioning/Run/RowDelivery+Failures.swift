// What an error means for a tag and its row

import Foundation
import ReaderSession
import SafeTag
import TagTypes
import WriteJournal

extension RowDelivery {
    /// Performs work on a tag, and repeats it after an error that another attempt may avoid.
    ///
    /// Before each repetition, the tag is selected again.
    func retrying<Value>(
        _ tag: DetectedTag, _ work: (DetectedTag) async throws -> Value
    ) async throws -> Value {
        var tag = tag
        for _ in 1..<Self.attempts {
            do { return try await work(tag) } catch {
                guard try outcome(of: error).isWorthAnotherTry else { throw error }
                tag = try await safeWrite.afterPowerUp(ConnectedTag(tag, opening: session.unlocking)).detected
            }
        }
        return try await work(tag)
    }

    /// Returns what an error means for the tag.
    ///
    /// - Throws: the error itself if it concerns the reader or the journals instead of the tag, or is an interruption.
    func outcome(of error: any Error) throws -> TagTrouble {
        guard let trouble = TagTrouble(error) else { throw error }
        return trouble
    }

    /// Records and reports that a row was released while this tag was being written.
    ///
    /// Another tag may already have the row. This tag is recorded as refused, so that reports name it.
    func moved(_ row: PlanRow, from tag: ProvisionedTag, _ uid: [UInt8]) async throws -> Outcome {
        let refusal = RefusedTag.moved(from: row.number, uid: uid, chip: tag.chip, reader: tag.reader)
        do {
            try await desk.refuse(refusal)
        } catch let error as JournalError where error.isPassing {
            // The tag already has another row, so it cannot be refused.
        }
        tell(.refused(tag, cause: .known(.rowMoved), reason: refusal.reason, isQuarantined: false))
        return .settled
    }

    /// Handles an error during the work on a row.
    ///
    /// A tag that left keeps its row. A tag that was refused loses its row if it was verified to hold no part of the
    /// row.
    func cut(_ job: Job, on tag: DetectedTag, _ error: any Error) async throws -> Outcome {
        if case JournalError.rowMoved = error {
            // A tag that holds no part of the row is checked again, so that it can get another row.
            guard job.isTouched else { return .later }
            return try await moved(job.row, from: job.tag, job.uid)
        }
        do {
            return try await noteCut(job, on: tag, error)
        } catch JournalError.rowMoved {
            guard job.isTouched else { return .later }
            return try await moved(job.row, from: job.tag, job.uid)
        } catch let failure {
            throw RowNotStored(failure, of: interruption(of: job, during: error)) ?? failure
        }
    }

    private func interruption(of job: Job, during error: any Error) -> RowInterrupted {
        RowInterrupted(
            uid: job.tag.uid, row: job.row.number, seal: job.order.seal, state: job.state, during: error)
    }

    private func noteCut(_ job: Job, on tag: DetectedTag, _ error: any Error) async throws -> Outcome {
        guard let failure = TagTrouble(error) else {
            guard session.isInterrupted else { throw error }
            let interruption = interruption(of: job, during: error)
            if case TagError.lockInterrupted = error {
                // The message about the tag matters more than an error of the journal.
                try? await desk.note(job.row, of: job.uid, reason: interruption.state)
            }
            throw Interrupted(cause: interruption)
        }
        guard !failure.isTagGone else {
            try await noteLeaving(job, error, failure)
            tell(.cut(job.tag, row: job.row, reason: failure.message))
            return .left
        }
        let refusal = RefusedTag(
            uid: job.uid, chip: job.tag.chip, reader: session.reader, cause: failure.cause,
            reason: failure.message, isQuarantined: failure.cause != .wrongReader, time: .now)
        if job.state == .bound, try await holdsNothing(job, on: tag, after: error) {
            try await desk.takeBack(job.row, from: refusal)
            tell(
                .refused(
                    job.tag, cause: refusal.cause, reason: refusal.reason, isQuarantined: refusal.isQuarantined))
        } else {
            try await desk.fail(job.row, of: job.uid, reason: failure.message)
            if failure.isFinal { await desk.rememberUselessLock(refusal) }
            tell(.failed(job.tag, row: job.row, cause: failure.cause, reason: failure.message))
        }
        return .refused
    }

    /// Records why a tag that left is not finished.
    ///
    /// If it only waits for its lock or password, a reason that says which lock bits are set is not replaced by one
    /// that does not.
    private func noteLeaving(_ job: Job, _ error: any Error, _ failure: TagTrouble) async throws {
        var reason = failure.message
        if job.state == .proven, job.order.wantsSeal {
            switch error {
            case TagError.lockInterrupted: break
            default:
                guard try await desk.reason(of: job.row) == nil else { return }
                reason = "The tag left before it was \(job.order.seal.lock ? "locked" : "protected")."
            }
        }
        try await desk.note(job.row, of: job.uid, reason: reason)
    }

    /// Whether a tag holds no part of its row, because its write never began, its old message was restored, or it
    /// was found to hold something else.
    ///
    /// If the journal has an entry for the write, the write is undone. A missing entry proves nothing: the message
    /// may be on the tag, with only its mirrored content missing.
    private func holdsNothing(_ job: Job, on tag: DetectedTag, after error: any Error) async throws -> Bool {
        guard job.isTouched else { return true }
        // The tag may have received the row's keys.
        guard job.order.dynamic == nil else { return false }
        do {
            let unlocking = session.unlocking.for(.writing)
            let tag = try await safeWrite.afterPowerUp(ConnectedTag(tag, opening: unlocking))
            // Different content was read, so another program has written to the tag in the meantime. Leave it
            // unchanged.
            if !(error is TagRefusal), let entry = try session.journals.writes.entry(uid: job.uid),
                entry.plan.newMessage == job.order.message
            {
                let change = TagChange(of: tag, safeWrite)
                let finished = try await change.finished(by: entry, .backward)
                try change.write.forgetEntry(of: finished, after: .broughtBack)
                return true
            }
            return try await !job.order.mayBeHeld(by: session.currentReadingEvenBroken(of: tag))
        } catch {
            _ = try outcome(of: error)
            return false
        }
    }
}
