// The steps for a row on its tag. Each is recorded before the next, and a returning tag continues at its current step

import Composing
import DurableFiles
import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import WriteJournal

extension RowDelivery {
    /// Carries out the missing steps: write, verify, then protect and lock.
    ///
    /// `job` records the progress even if this throws.
    func carryOut(_ job: inout Job, on tag: DetectedTag) async throws -> (TagReading, RowProof) {
        let looked = job.change
        job.change = nil
        var change =
            if let looked {
                looked
            } else {
                try await self.change(
                    tag, for: job.row, job.order,
                    opening: session.gate.opener(job.uid, job.order.credential, mayBeSet: job.mayBeProtected))
            }
        let held = try await reading(of: change.tag, for: job.order)
        if let dynamic = job.order.dynamic {
            if !job.order.isWritten(on: held) {
                try TagRefusal.check(held, job.order, mayInitialise: mayInitialise)
            }
            return try await carryOut(&job, dynamic, on: change)
        }
        let signature: ChipSignature?
        if job.order.isHeld(by: held) {
            signature = nil
        } else {
            // The row's own message is not foreign content, even if the content that the chip mirrors is still missing.
            if !job.order.isWritten(on: held) {
                try TagRefusal.check(held, job.order, mayInitialise: mayInitialise)
            }
            if job.state == .proven {
                // The tag has changed since it was verified. From now on, its proof no longer counts.
                try await desk.unproven(job.row, of: job.uid, isErased: held.isEmptied)
                job.state = .failed
                if held.isEmptied { tell(.erased(job.tag, row: job.row)) }
            }
            job.isTouched = true
            signature = try await write(job.order, on: change)
        }
        let (row, uid, isNews) = (job.row, job.uid, job.state == .bound || job.state == .failed)
        if isNews { job.state = .written }
        // Store the step on disk while the tag powers up again. Verification waits for both.
        async let early = withTaskExecutorPreference(globalConcurrentExecutor) { signature?.verdict }
        async let noted: Void = withTaskExecutorPreference(globalConcurrentExecutor) {
            if isNews { try await desk.written(row, of: uid) }
        }
        change = try await change.afterPowerUp()
        try await noted
        var reading = try await session.currentReading(of: change.tag)
        guard job.order.isHeld(by: reading) else { throw TagError.verificationFailed(offset: 0) }
        reading.isVerified = true
        var verdict = await early
        if verdict == nil { verdict = try await ChipSignature.read(of: change.tag, in: session)?.verdict }
        var proof = RowProof(
            messageLength: reading.bytes.count, sha256: reading.bytes.sha256,
            signature: verdict, seconds: (ContinuousClock.now - job.arrival).inSeconds)
        if job.state == .written {
            try await desk.proven(job.row, of: job.uid, proof, wantsSeal: job.order.wantsSeal)
            job.state = .proven
        }
        if job.order.wantsSeal {
            reading = try await seal(job.order, on: change, holding: reading)
            try await desk.sealed(job.row, of: job.uid)
            job.state = .sealed
            // The user holds the tag until now. The journal keeps the time that passed until the row was verified.
            proof = RowProof(
                messageLength: proof.messageLength, sha256: proof.sha256, signature: proof.signature,
                seconds: (ContinuousClock.now - job.arrival).inSeconds)
        }
        return (reading, proof)
    }

    /// Writes the message, and reads the chip's signature while the journal is being stored on disk.
    private func write(_ order: TagOrder, on change: TagChange) async throws -> ChipSignature? {
        var signature: ChipSignature?
        let bytes = order.message
        let change = try await change.initialisedIfBlank(for: bytes.count).change
        _ = try await change.replaceMessage(showing: order.mirror) {
            signature = try await ChipSignature.read(of: $0, in: session)
        } _: {
            try $0.planWrite(bytes, .throughEmpty)
        }
        return signature
    }

    /// Protects and locks the tag if this is required and not done yet, and reads it again after each step.
    ///
    /// The password is set first, because a locked tag accepts no password.
    private func seal(_ order: TagOrder, on change: TagChange, holding before: TagReading) async throws -> TagReading {
        var (change, reading) = (change, before)
        if let credential = order.credential {
            reading = try await change.protectAtLeast(with: credential)
            change.tag.unlocking.credential = credential
            // The lock can be set only in a session that the password has opened.
            if order.lock { change = try await change.afterPowerUp() }
        }
        if order.lock { (change, reading) = try await change.lockEnforced(holding: before) }
        reading.isVerified = true
        return reading
    }
}
