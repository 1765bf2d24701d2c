// Delivers a row to one tag: check, bind, write, verify, protect and lock. Each step is on disk before the next

import Composing
import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// Delivers a row to the tag on a reader.
struct RowDelivery: Sendable {
    let session: TagSession
    let desk: ProvisionDesk
    let recipe: RowRecipe
    /// Whether blank tags may be initialised, which sets one-time bits.
    let mayInitialise: Bool
    let tell: @Sendable (ProvisionEvent) -> Void

    /// The result of the work on a tag.
    enum Outcome: Sendable {
        /// The tag was verified to hold its row.
        case finished(Job, TagReading, ProvisionEvent)
        /// There is nothing left to do with the tag while it stays.
        case settled
        /// The tag itself is unsuitable for a row, so there is nothing left to do with it while it stays.
        case refused
        /// The tag left before it was finished. Work continues as soon as it is back.
        case left
        /// No row is free for the tag, because each remaining row is waiting for its own tag.
        case noRow
        /// The tag must wait, because another reader is working on it or on the row that it could get.
        case later
    }

    /// A row that is being delivered to its tag.
    struct Job: Sendable {
        let row: PlanRow
        let order: TagOrder
        let tag: ProvisionedTag
        let uid: [UInt8]
        let arrival: ContinuousClock.Instant
        var state: RowState
        /// The connection to the tag right after the tag was checked, or nil if the tag must be checked again.
        var change: TagChange?
        /// Whether the tag may hold part of the row.
        ///
        /// This is false until the first write if the tag has just got the row.
        var isTouched: Bool
        /// Whether the tag may already have the row's password, which is set after the tag is verified.
        var mayBeProtected = false
    }

    /// The maximum number of attempts to work on a tag.
    static let attempts = 3

    /// Gives a tag a row, or writes the missing part of the row that it has.
    ///
    /// - Throws: an error from the reader or the journal that ends the reader's work, or an interruption.
    func deliver(to tag: DetectedTag) async throws -> Outcome {
        let uid = tag.target.identifier
        guard await desk.take(uid) else { return .later }
        let result: Result<Outcome, any Error>
        do {
            result = .success(try await deliverRow(to: tag))
        } catch {
            result = .failure(error)
        }
        await desk.putDown(uid)
        if case .failure(JournalError.away) = result { return .later }
        return try result.get()
    }

    private func deliverRow(to tag: DetectedTag) async throws -> Outcome {
        let arrival = ContinuousClock.now
        let uid = tag.target.identifier
        var earlier: RefusedTag?
        switch try await desk.standing(of: uid) {
        case .row(let known):
            return try await goOn(with: known, on: tag, as: named(tag, known.tag?.chip ?? ""), since: arrival)
        case .refused(let refusal) where refusal.isQuarantined:
            await desk.refuseAgain(uid)
            tell(
                .refused(
                    named(tag, refusal.chip), cause: refusal.cause, reason: refusal.reason, isQuarantined: true))
            return .refused
        case .refused(let refusal): earlier = refusal
        case .unknown: break
        }
        guard let row = try await desk.reserve() else { return try await desk.othersAreAtWork ? .later : .noRow }
        let job: Job
        do {
            job = try await bindRow(to: tag, trying: row, since: arrival)
        } catch {
            if let error = error as? JournalError, error.isPassing { return .later }
            return try await refused(tag, error, after: earlier)
        }
        return try await finish(job, on: tag)
    }

    // MARK: A tag with a row

    private func goOn(
        with known: JournalRow, on tag: DetectedTag, as name: ProvisionedTag, since arrival: ContinuousClock.Instant
    ) async throws -> Outcome {
        let order = try TagOrder(recipe, known.row, uid: tag.target.identifier)
        if let useless = await desk.uselessLock(of: tag.target.identifier) {
            tell(.failed(name, row: known.row, cause: .uselessLock, reason: useless.reason))
            return .refused
        }
        if known.state == .failed, let reason = known.reason, TagTrouble.isOfChangedData(reason) {
            tell(.failed(name, row: known.row, cause: .uselessLock, reason: reason))
            return .refused
        }
        let isDone = known.state == .sealed || known.state == .proven && !order.wantsSeal
        guard isDone || desk.isOurs(known) else { return await refusedAsOthers(known, as: name) }
        guard !isDone else {
            return try await lookAgain(at: tag, as: name, order, known)
        }
        let job = Job(
            row: known.row, order: order, tag: name, uid: tag.target.identifier, arrival: arrival, state: known.state,
            isTouched: true, mayBeProtected: known.proof != nil)
        return try await finish(job, on: tag)
    }

    /// Checks the tag of a finished row: whether it still holds the row, is empty or formatted now, or holds something
    /// else.
    private func lookAgain(
        at tag: DetectedTag, as name: ProvisionedTag, _ order: TagOrder, _ known: JournalRow
    ) async throws -> Outcome {
        do {
            let reading = try await retrying(tag) { tag in
                try await TagOrder.reading(for: order) {
                    try await session.read(tag, orOpeningWith: order.credential)
                }
            }
            if order.isHeld(by: reading) {
                switch try await hasLostPassword(tag, order) {
                case true?:
                    return try await refusedAsChanged(
                        known, as: name, .passwordLost, PasswordRemark.lost(row: known.row.number))
                // A run does not try the password. What is recorded about it stays recorded.
                case let isLost where PasswordRemark.isOne(known.reason):
                    let reason = isLost == false ? PasswordRemark.unchecked(known) : known.reason
                    await desk.refuseAgain(tag.target.identifier)
                    tell(.refused(name, cause: .known(.passwordLost), reason: reason ?? "", isQuarantined: false))
                    return .refused
                case false?: try await remark(known, of: tag.target.identifier, nil)
                case nil: break
                }
                tell(.known(name, row: known.row, state: known.state, seal: order.seal))
            } else if let other = try await refusedAsOtherChip(tag, reading.name, order, known) {
                return other
            } else if reading.isEmptied {
                if reading.state.isBlank {
                    try await remark(known, of: tag.target.identifier, Self.reason(known, reading))
                    // Check first whether the tag may be initialised. Otherwise its row would count as failed.
                    try TagRefusal.check(reading, order, mayInitialise: mayInitialise)
                }
                return try await writeAgain(tag, as: name, order, known)
            } else {
                return try await refusedAsChanged(known, as: name, .contentChanged, Self.reason(known, reading))
            }
            return .settled
        } catch {
            let trouble = try outcome(of: error)
            if trouble.isTagGone { return .left }
            await desk.refuseAgain(tag.target.identifier)
            tell(.refused(name, cause: .known(trouble.cause), reason: trouble.message, isQuarantined: false))
            return .refused
        }
    }

    /// Refuses a tag that no longer agrees with its verified row, and records the reason.
    private func refusedAsChanged(
        _ known: JournalRow, as name: ProvisionedTag, _ cause: RefusalCause, _ reason: String
    ) async throws -> Outcome {
        if let uid = known.tag?.uid {
            try await remark(known, of: uid, reason)
            await desk.refuseAgain(uid)
        }
        tell(.refused(name, cause: .known(cause), reason: reason, isQuarantined: false))
        return .refused
    }

    /// Returns a sentence that says why the tag of a verified row no longer holds the row.
    private static func reason(_ known: JournalRow, _ reading: TagReading) -> String {
        "The tag was verified with row \(known.row.number), but "
            + (reading.state.isBlank ? "is blank now." : "now holds another message.")
    }

    /// Records in the journal whether the tag of a verified row still holds the row.
    ///
    /// Reports can then show this.
    private func remark(_ known: JournalRow, of uid: [UInt8], _ reason: String?) async throws {
        guard known.reason != reason else { return }
        do {
            try await desk.remark(known.row, of: uid, reason)
        } catch JournalError.rowMoved, JournalError.illegalStep {
            // The row was released or reset in the meantime, so there is nothing to record.
        }
    }

    /// Writes the row again to a tag that was erased after it was verified, and therefore has no content to lose.
    private func writeAgain(
        _ tag: DetectedTag, as name: ProvisionedTag, _ order: TagOrder, _ known: JournalRow
    ) async throws -> Outcome {
        guard desk.isOurs(known) else { return await refusedAsOthers(known, as: name, isErased: true) }
        do {
            try await desk.unproven(known.row, of: tag.target.identifier, isErased: true)
        } catch JournalError.rowMoved {
            // The tag was just found to be empty. Check it again, so that it can get another row.
            return .later
        }
        tell(.erased(name, row: known.row))
        let job = Job(
            row: known.row, order: order, tag: name, uid: tag.target.identifier, arrival: .now, state: .failed,
            isTouched: true, mayBeProtected: true)
        return try await finish(job, on: tag)
    }

    /// Refuses a tag because another station has started its row, or verified the row before the tag was erased.
    ///
    /// The other station may be working on the row, so the row must be finished there or freed by the user.
    private func refusedAsOthers(
        _ known: JournalRow, as name: ProvisionedTag, isErased: Bool = false
    ) async -> Outcome {
        let (number, station) = (known.row.number, known.station ?? "")
        let fact =
            isErased
            ? "The station \(station) verified row \(number) on this tag, and the tag has since been erased."
            : "The station \(station) has started row \(number) on this tag."
        let reason = "\(fact) Place the tag there, or free row \(number)."
        if let uid = known.tag?.uid { await desk.refuseAgain(uid) }
        tell(.refused(name, cause: .known(.otherStation), reason: reason, isQuarantined: false))
        return .settled
    }

    private func finish(_ job: Job, on tag: DetectedTag) async throws -> Outcome {
        tell(.started(job.tag, row: job.row, isNew: !job.isTouched))
        var job = job
        do {
            let (reading, proof) = try await retrying(tag) { try await carryOut(&job, on: $0) }
            let event = ProvisionEvent.finished(
                job.tag, row: job.row, state: job.state, proof, seal: job.order.seal)
            tell(event)
            return .finished(job, reading, event)
        } catch {
            return try await cut(job, on: tag, error)
        }
    }

    // MARK: The tag

    /// Connects to a tag, and handles an interrupted write: finishes it if it wrote the order's message, and undoes it
    /// otherwise.
    ///
    /// If `credential` is given, it opens the tag instead of the user's credential.
    func change(
        _ tag: DetectedTag, for row: PlanRow, _ order: TagOrder?, opening credential: Type2Credential? = nil
    ) async throws -> TagChange {
        var unlocking = session.unlocking.for(.writing)
        if let credential { unlocking.credential = credential }
        let name = named(tag, TagDetection.tagType(of: tag.target).name)
        let dialogue = PlanDialogue(mayInitialise: mayInitialise, mayChangeKeys: recipe.dynamic != nil) { [tell] tag in
            tell(.initialising(name, row: row, tag.target))
        }
        let write = SafeWrite(session, patience: .none, dialogue: dialogue)
        return try await write.change(of: tag, replacingBy: order?.message, opening: unlocking)
    }

    /// A ``SafeWrite`` that does not wait for a tag that has left, because the reader's loop already waits for it.
    var safeWrite: SafeWrite { SafeWrite(session, patience: .none) }

    func named(_ tag: DetectedTag, _ chip: String) -> ProvisionedTag {
        ProvisionedTag(reader: session.reader, uid: tag.uid, chip: chip)
    }
}
