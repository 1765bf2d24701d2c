// The checks that a tag without a row must pass before it gets one

import Composing
import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

extension RowDelivery {
    /// Binds a row to a tag: the row `first` or, if it does not fit the tag, the next free row that does.
    ///
    /// A tag that already holds the message of a free row gets this row.
    ///
    /// `first` is a reserved row, which is released if the tag does not get it.
    ///
    /// - Throws: the reason why the tag gets no row. If no row fits, this is the reason why `first` does not fit.
    func bindRow(
        to tag: DetectedTag, trying first: PlanRow, since arrival: ContinuousClock.Instant
    ) async throws -> Job {
        let uid = tag.target.identifier
        var row = first
        var tried: Set<Int> = []
        var misfit: TagRefusal?
        while true {
            do {
                let job = try await retrying(tag) { try await look(at: $0, for: row, since: arrival) }
                let bound = BoundTag(uid: uid, chip: job.tag.chip, reader: session.reader, bound: .now)
                try await desk.bind(row, to: bound)
                return job
            } catch {
                await desk.giveBack(row)
                guard let refusal = error as? TagRefusal, refusal.allowsOtherRow else { throw error }
                if refusal.room != nil { misfit = misfit ?? refusal }
                tried.insert(row.number)
                guard let next = try await nextRow(after: refusal, uid, except: tried) else {
                    throw refusal.room == nil ? try await desk.naming(rowOfOtherTagIn: refusal) : misfit ?? refusal
                }
                row = next
            }
        }
    }

    /// Reserves the next row that may be for a tag, or returns nil if there is none.
    ///
    /// - Throws: `JournalError.claimLost` if another reader has reserved the row whose message the tag holds. It may give
    ///   this row back.
    private func nextRow(
        after refusal: TagRefusal, _ uid: [UInt8], except tried: Set<Int>
    ) async throws -> PlanRow? {
        for row in try await desk.rowsAhead() where !tried.contains(row.number) {
            // Skip a row whose message cannot be created. It is reported when its turn comes.
            guard let order = try? TagOrder(recipe, row, uid: uid) else { continue }
            guard refusal.permits(order) else { continue }
            if await desk.reserve(row) { return row }
            if refusal.content != nil { throw JournalError.claimLost(row: row.number) }
        }
        return nil
    }

    /// Checks whether a tag may get a row.
    ///
    /// Nothing is written to the tag, except to undo an interrupted write. The write is undone even if it wrote the
    /// message of `row`: the row has been released since then, and a tag without a row must not hold part of one.
    func look(
        at tag: DetectedTag, for row: PlanRow, since arrival: ContinuousClock.Instant
    ) async throws -> Job {
        guard !tag.target.hasRandomIdentifier else { throw TagRefusal.randomUID }
        let order = try TagOrder(recipe, row, uid: tag.target.identifier)
        // Send no password to a tag that gets no row.
        if session.unlocking.credential != nil {
            let connected = try await session.connect(to: tag)
            var reading = try await self.reading(of: connected, for: order)
            // Assume that the password will open the tag, but still respect lock bits and the capability container.
            if reading.state.needsPassword { reading.state.status = .readWrite }
            try TagRefusal.check(reading, order, mayInitialise: mayInitialise)
        }
        let change = try await change(tag, for: row, nil)
        let reading = try await self.reading(of: change.tag, for: order)
        do {
            try await foresee(order, reading, on: change)
        } catch let error as TagError {
            // Errors from the tag do not name its chip, so add it.
            guard let trouble = TagTrouble(error) else { throw error }
            throw TagRefusal(cause: trouble.cause, reason: trouble.message, chip: reading.name)
        }
        return Job(
            row: row, order: order, tag: named(tag, reading.name), uid: tag.target.identifier, arrival: arrival,
            state: .bound, change: change, isTouched: false)
    }

    /// Reads the content of a tag, and determines its chip if the row requires a certain one.
    func reading(of tag: ConnectedTag, for order: TagOrder) async throws -> TagReading {
        let reading = try await session.currentReadingEvenBroken(of: tag)
        return order.require == nil ? reading : try await session.identified(reading, of: tag)
    }

    /// Checks in advance, as far as possible, that the tag supports everything that the row requires.
    private func foresee(_ order: TagOrder, _ reading: TagReading, on change: TagChange) async throws {
        // Only a tag that needed the password, or may have been opened with it, costs another look at its protection.
        let mayBeProtected =
            reading.state.needsPassword
            || order.overwrite == .same && order.credential == nil && session.unlocking.credential != nil
                && order.isHeld(by: reading)
        if mayBeProtected, let protection = try? await change.protection(), protection.isActive {
            throw order.overwrite == .same && order.credential == nil && order.isHeld(by: reading)
                ? TagRefusal(cause: .passwordNeeded, reason: order.isProtectedByEarlierPlan, chip: reading.name)
                : TagRefusal.protected(reading.name, protection)
        }
        // Check this before `--overwrite`, because no option allows replacing such a message.
        if order.dynamic == nil, reading.state.status == .readWrite {
            try await change.tag.perform { try ($0 as? Type4Tag)?.requireOpenMessage() }
        }
        try TagRefusal.check(reading, order, mayInitialise: mayInitialise)
        if let dynamic = order.dynamic { try await change.requireSetUp(dynamic.setup, after: dynamic.keys) }
        if let mirror = order.mirror { try await change.requireMirror(for: mirror.content) }
        if let credential = order.credential {
            let protection = try await change.protection()
            guard protection.opens(to: credential) else { throw TagRefusal.otherSecret(reading.name, protection) }
        }
        if order.lock { try await change.tag.perform { try $0.requireEnforcedLock() } }
    }

    /// The causes that may result from a released row that the tag still holds.
    private static let causesOfOwnRow: Set<RefusalCause> = [
        .foreignContent, .sameContent, .rowTaken, .readOnly, .passwordNeeded,
    ]

    /// Records and reports that a tag gets no row.
    ///
    /// The tag may have been refused before.
    func refused(_ tag: DetectedTag, _ error: any Error, after earlier: RefusedTag?) async throws -> Outcome {
        let failure = try outcome(of: error)
        if failure.isTagGone { return .left }
        let released = earlier?.isReleased == true ? earlier : nil
        // If the tag still holds a released row, give that as the reason, because it is more precise.
        let told = Self.causesOfOwnRow.contains(failure.cause) ? released : nil
        func refusal(_ reason: RefusedTag?) -> RefusedTag {
            RefusedTag(
                uid: tag.target.identifier, chip: failure.chip ?? TagDetection.tagType(of: tag.target).name,
                reader: session.reader, cause: reason == nil ? failure.cause : .rowMoved,
                reason: reason?.reason ?? failure.message, isQuarantined: failure.isOfBrokenRules, time: .now)
        }
        do {
            // Reports must name the tag of a released row, unless it is refused for good.
            try await desk.refuse(refusal(failure.isOfBrokenRules ? nil : released))
        } catch let error as JournalError where error.isPassing {
            // Another station has given the tag a row in the meantime, so it cannot be refused.
            return .later
        }
        let now = refusal(told)
        tell(.refused(named(tag, now.chip), cause: now.cause, reason: now.reason, isQuarantined: now.isQuarantined))
        return .refused
    }
}
