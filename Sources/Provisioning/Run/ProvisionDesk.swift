// Assigns the rows of a plan to the readers of a run, according to the journal — Docs/CommandLine.md, provision

import Foundation

/// Assigns rows to readers, updates the journal, and decides when the run is over.
///
/// A reader first reserves a row, which only this process sees. The row is bound to the tag as soon as the tag is known
/// to be suitable.
actor ProvisionDesk: RunGoal {
    private let journal: any ProvisionJournal
    private let roster: ReaderRoster
    private let limit: Int?

    private var reserved: Set<Int> = []
    /// The tags that readers are working on.
    ///
    /// If such a tag, or another tag with the same UID, appears on a second reader, it must wait.
    private var inHand: Set<[UInt8]> = []
    private var doneNow: Set<Int> = []
    private var refusedNow: Set<[UInt8]> = []
    private var commandFailedRows: Set<Int> = []
    /// The refusals of tags whose locks had no effect in this run, by UID.
    private var uselessLocks: [[UInt8]: RefusedTag] = [:]
    private let start = ContinuousClock.now
    private let tell: @Sendable (ProvisionEvent) -> Void
    /// The numbers of the rows whose changed tags can be written again, if the plan was complete when the run began.
    ///
    /// Nil until the run begins.
    private var changed: Set<Int>?
    /// Whether the plan was complete when the run last checked.
    private var wasDone = false
    private var isAwayTold = false
    private var isReaching = false

    /// Creates the desk for a run on the roster's readers.
    ///
    /// The run provisions at most `limit` rows, or all rows if `limit` is nil. The desk calls `tell` when the
    /// journal's database becomes unreachable and when it can be reached again.
    init(
        _ journal: any ProvisionJournal, _ roster: ReaderRoster, limit: Int?,
        tell: @escaping @Sendable (ProvisionEvent) -> Void
    ) {
        self.journal = journal
        self.tell = tell
        self.roster = roster
        self.limit = limit
    }

    // MARK: Rows

    /// Marks a tag as being worked on.
    ///
    /// Returns false if another reader is already working on it.
    func take(_ uid: [UInt8]) -> Bool { inHand.insert(uid).inserted }

    func putDown(_ uid: [UInt8]) { inHand.remove(uid) }

    /// Whether other readers are working on tags, so that a row may soon become available.
    ///
    /// This is also true if other stations may have claimed the rows without a tag.
    var othersAreAtWork: Bool {
        get throws { try inHand.count > 1 || journal.station != nil && journal.progress().pending > 0 }
    }

    nonisolated func isOurs(_ row: JournalRow) -> Bool { journal.isOurs(row) }

    /// Returns another reader that has a tag with this UID now, or nil if there is none.
    func reader(with uid: [UInt8], besides reader: String) async -> String? {
        await roster.reader(with: uid, besides: reader)
    }

    func standing(of uid: [UInt8]) throws -> TagStanding { try journal.standing(of: uid) }

    /// Reserves the next free row for a tag.
    ///
    /// Returns nil if no row is free or the limit is reached.
    func reserve() throws -> PlanRow? {
        // Each tag being worked on, including the current one, may count towards the limit.
        if let limit, doneNow.count + inHand.count > limit { return nil }
        guard let row = try journal.claimRow(except: reserved) else { return nil }
        reserved.insert(row.number)
        return row
    }

    /// The maximum number of pending rows that are searched for one that fits a tag.
    private static let lookAhead = 500

    /// Returns the next rows without a tag, from which a row that fits a tag can be chosen.
    ///
    /// Rows that other stations have reserved are left out.
    func rowsAhead() throws -> [PlanRow] { try journal.pendingRows(limit: Self.lookAhead) }

    /// Adds the row of another tag to a refusal, if both tags hold the same message.
    func naming(rowOfOtherTagIn refusal: TagRefusal) throws -> TagRefusal {
        guard let content = refusal.content, let known = try journal.row(heldBy: content) else { return refusal }
        return refusal.naming(known)
    }

    /// Reserves a certain row for a tag.
    ///
    /// Returns false if another reader has already reserved it.
    func reserve(_ row: PlanRow) -> Bool { reserved.insert(row.number).inserted }

    /// Releases a reserved row that was not bound to a tag.
    func giveBack(_ row: PlanRow) { reserved.remove(row.number) }

    /// Binds a reserved row to a tag.
    ///
    /// The change is on disk when this returns.
    func bind(_ row: PlanRow, to tag: BoundTag) throws {
        try journal.bind(row.number, to: tag)
        reserved.remove(row.number)
    }

    func written(_ row: PlanRow, of uid: [UInt8]) throws { try journal.advance(row.number, of: uid, to: .written) }

    /// Records that a row's tag was verified.
    ///
    /// The row is then done, unless the tag must still be locked or protected.
    func proven(_ row: PlanRow, of uid: [UInt8], _ proof: RowProof, wantsSeal: Bool) throws {
        try journal.advance(row.number, of: uid, to: .proven, proof: proof)
        if !wantsSeal { noteDone(row) }
    }

    func sealed(_ row: PlanRow, of uid: [UInt8]) throws {
        try journal.advance(row.number, of: uid, to: .sealed)
        noteDone(row)
    }

    private func noteDone(_ row: PlanRow) {
        doneNow.insert(row.number)
        changed?.remove(row.number)
    }

    /// Records that the tag of a verified row no longer holds the row: it was erased, or holds a message that may be
    /// replaced.
    ///
    /// The row must be written again.
    func unproven(_ row: PlanRow, of uid: [UInt8], isErased: Bool) throws {
        let change = isErased ? "erased" : "changed"
        try journal.fail(row.number, of: uid, reason: "The tag was \(change) after it was verified.")
        doneNow.remove(row.number)
    }

    /// Records why a row's tag is not finished yet.
    ///
    /// The tag keeps the row.
    func note(_ row: PlanRow, of uid: [UInt8], reason: String) throws {
        try journal.note(row.number, of: uid, reason: reason)
    }

    /// Returns what the journal records about the tag of a row, or nil if it records nothing.
    func reason(of row: PlanRow) throws -> String? { try journal.row(row.number)?.reason }

    /// Records why the tag of a verified row no longer holds the row's message, or that it does again if `reason` is
    /// nil.
    func remark(_ row: PlanRow, of uid: [UInt8], _ reason: String?) throws {
        try journal.change([(row.number, .remark(of: uid, reason))])
        if reason == nil { changed?.remove(row.number) }
    }

    /// Records why a row's tag could not be finished.
    ///
    /// The tag may hold part of the row's message.
    func fail(_ row: PlanRow, of uid: [UInt8], reason: String) throws {
        try journal.fail(row.number, of: uid, reason: reason)
    }

    /// Remembers that the lock of a tag has no effect.
    ///
    /// The tag's lock bits are set now, so another attempt to lock the tag would seem to succeed.
    func rememberUselessLock(_ tag: RefusedTag) { uselessLocks[tag.uid] = tag }

    /// Returns the refusal of a tag whose lock had no effect in this run, or nil for any other tag.
    func uselessLock(of uid: [UInt8]) -> RefusedTag? { uselessLocks[uid] }

    /// Releases a row from a tag that was verified to hold no part of it, and refuses the tag.
    func takeBack(_ row: PlanRow, from tag: RefusedTag) throws {
        try journal.free(row.number, of: tag.uid, refusing: tag)
        refusedNow.insert(tag.uid)
    }

    /// Records whether the command failed for a verified row.
    ///
    /// A later success cancels an earlier failure.
    func commandEnded(for row: PlanRow, hasFailed: Bool) {
        if hasFailed { commandFailedRows.insert(row.number) } else { commandFailedRows.remove(row.number) }
    }

    /// Counts a tag that the journal already lists as refused and that this run refuses again.
    func refuseAgain(_ uid: [UInt8]) { refusedNow.insert(uid) }

    func refuse(_ tag: RefusedTag) throws {
        refusedNow.insert(tag.uid)
        try journal.refuse(tag)
    }

    // MARK: The database

    /// Whether the journal can be reached.
    ///
    /// If it cannot, this tries to reconnect. Meanwhile, other readers can finish their current tags.
    func isReady() async throws -> Bool {
        if case .away(let reason, let keptRows, let keptTags) = journal.reach, !isAwayTold {
            isAwayTold = true
            tell(.databaseAway(reason: reason, keptRows: keptRows, keptTags: keptTags))
            // Restart the wait for tags. It still ends if the database stays unreachable.
            await roster.workIsSuspended()
        }
        guard isAwayTold else { return true }
        guard !isReaching else { return false }
        isReaching = true
        defer { isReaching = false }
        guard let back = try await reachAgain() else { return false }
        isAwayTold = false
        await roster.workIsSuspended()
        tell(.databaseBack(back))
        return true
    }

    /// Tries to reconnect to the database.
    ///
    /// This is not isolated to the actor, because connecting takes seconds.
    private nonisolated func reachAgain() async throws -> JournalReturn? { try journal.reachAgain() }
    private nonisolated func settle() async throws { try journal.settle() }

    /// Stores the steps that were kept in memory, at the end of the run.
    ///
    /// If the database is unreachable, this tries again for a few seconds.
    func storeKeptSteps() async throws {
        for pause in [250, 500, 1000, 2000] {
            do {
                return try await settle()
            } catch JournalError.stepsKept {
                try? await Task.sleep(for: .milliseconds(pause))
            }
        }
        try await settle()
    }

    // MARK: The end

    /// Whether readers can stop looking for tags.
    func isOver() async throws -> Bool {
        if await roster.isOver { return true }
        if let limit, doneNow.count >= limit { return true }
        let isDone = try isComplete()
        try updateChanged(isDone)
        return isDone && changed?.isEmpty != false
    }

    /// Updates ``changed`` if the plan has become complete.
    ///
    /// If the plan was incomplete in between, rows may have been reset and given to other tags, even by other stations.
    private func updateChanged(_ isDone: Bool) throws {
        if isDone, !wasDone, changed?.isEmpty != true {
            guard let found = try changedRows() else { return }
            changed = changed?.intersection(found) ?? found
        } else if changed == nil {
            changed = []
        }
        wasDone = isDone
    }

    /// Returns the numbers of the rows whose changed tags the run waits for if the plan is complete, or nil if the
    /// database does not answer.
    private func changedRows() throws -> Set<Int>? {
        do {
            let rows = try journal.repairableRows(limit: ProvisionRun.awaitedRows)
            return Set(rows.map(\.row.number))
        } catch {
            guard case .away = error else { throw error }
            return nil
        }
    }

    func summary() throws -> ProvisionSummary {
        let open = try journal.unfinishedRows(limit: ProvisionSummary.listed)
        return ProvisionSummary(
            counts: try journal.progress(), open: open, openHere: try openRows(besides: open),
            provenNow: doneNow.count, refusedNow: refusedNow.count, elapsed: ContinuousClock.now - start,
            commandFailedRows: commandFailedRows)
    }

    /// Returns the number of rows whose tags must be placed here again, of which `open` are the first.
    ///
    /// While the database is away, only `open` is known.
    private func openRows(besides open: [JournalRow]) throws -> Int {
        guard open.count == ProvisionSummary.listed, journal.reach == .near else { return open.count }
        return try journal.activity().stations.first { $0.name == journal.station }?.unfinished ?? open.count
    }

    func isComplete() throws -> Bool { try journal.progress().isComplete }
}
