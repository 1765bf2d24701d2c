// The one place where rows are given out: readers ask here, the journal answers — Docs/CommandLine.md, provision

import Foundation

/// Gives rows to readers, keeps the journal, and knows when all is done.
///
/// A reader first reserves a row, which only this process sees, and binds it once its tag is known to be right for it.
actor ProvisionDesk: RunGoal {
    private let journal: any ProvisionJournal
    private let roster: ReaderRoster
    private let limit: Int?

    private var reserved: Set<Int> = []
    /// The tags that readers are at work on: one that is moved to another reader, or has a double there, waits.
    private var inHand: Set<[UInt8]> = []
    /// The rows that this run provisioned.
    private var doneNow: Set<Int> = []
    private var refusedNow: Set<[UInt8]> = []
    /// The tags whose lock was proven to be useless in this run, by their UIDs.
    private var uselessLocks: [[UInt8]: RefusedTag] = [:]
    private let start = ContinuousClock.now
    private let tell: @Sendable (ProvisionEvent) -> Void
    private var isAwayTold = false
    private var isReaching = false

    /// Begins a run on the readers of the roster.
    ///
    /// It provisions at most `limit` rows; nil for all. It calls `tell` when the journal's database becomes
    /// unreachable, and when it is back.
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

    /// Takes a tag in hand for one reader; false while another one has it.
    func take(_ uid: [UInt8]) -> Bool { inHand.insert(uid).inserted }

    /// The reader is done with the tag for now.
    func putDown(_ uid: [UInt8]) { inHand.remove(uid) }

    /// Whether more readers than one have a tag in hand: a row that is not free now may be soon.
    ///
    /// Other stations may have rows in hand, too.
    var othersAreAtWork: Bool {
        get throws { try inHand.count > 1 || journal.station != nil && journal.progress().pending > 0 }
    }

    /// Whether a row's tag may go on here.
    nonisolated func isOurs(_ row: JournalRow) -> Bool { journal.isOurs(row) }

    /// What is known of a tag that comes.
    func standing(of uid: [UInt8]) throws -> TagStanding { try journal.standing(of: uid) }

    /// The next row without a tag, for one reader to look at the tag with that it took; nil when there is none.
    func reserve() throws -> PlanRow? {
        // Each tag in hand may be proven, this one among them.
        if let limit, doneNow.count + inHand.count > limit { return nil }
        guard let row = try journal.claimRow(except: reserved) else { return nil }
        reserved.insert(row.number)
        return row
    }

    /// Takes back a row that was not bound.
    func giveBack(_ row: PlanRow) { reserved.remove(row.number) }

    /// Gives a reserved row to a tag; it is on the disk when this returns.
    func bind(_ row: PlanRow, to tag: BoundTag) throws {
        try journal.bind(row.number, to: tag)
        reserved.remove(row.number)
    }

    /// The tag took all of its row.
    func written(_ row: PlanRow, of uid: [UInt8]) throws { try journal.advance(row.number, of: uid, to: .written) }

    /// The tag was proven to hold its row; without a seal to come the row is done.
    func proven(_ row: PlanRow, of uid: [UInt8], _ proof: RowProof, wantsSeal: Bool) throws {
        try journal.advance(row.number, of: uid, to: .proven, proof: proof)
        if !wantsSeal { doneNow.insert(row.number) }
    }

    /// The tag is locked or protected, as the row wants.
    func sealed(_ row: PlanRow, of uid: [UInt8]) throws {
        try journal.advance(row.number, of: uid, to: .sealed)
        doneNow.insert(row.number)
    }

    /// The tag of a row that was provisioned is empty now: the row is to be written again.
    func erased(_ row: PlanRow, of uid: [UInt8]) throws {
        try journal.fail(row.number, of: uid, reason: "The tag was erased after it was verified.")
        doneNow.remove(row.number)
    }

    /// Notes why a row's tag was not finished; the row stays with it.
    func note(_ row: PlanRow, of uid: [UInt8], reason: String) throws {
        try journal.note(row.number, of: uid, reason: reason)
    }

    /// A row's tag refuses to be finished, and may hold a part of it.
    func fail(_ row: PlanRow, of uid: [UInt8], reason: String) throws {
        try journal.fail(row.number, of: uid, reason: reason)
    }

    /// Remembers that a tag's lock is useless: its bits are set now, so another try would look like success.
    func rememberUselessLock(_ tag: RefusedTag) { uselessLocks[tag.uid] = tag }

    /// What made a tag's lock useless in this run; nil when nothing did.
    func uselessLock(of uid: [UInt8]) -> RefusedTag? { uselessLocks[uid] }

    /// Takes a row back from a tag that was proven to hold nothing of it, and gives that tag none any more.
    func takeBack(_ row: PlanRow, from tag: RefusedTag) throws {
        try journal.free(row.number, of: tag.uid, refusing: tag)
        refusedNow.insert(tag.uid)
    }

    /// Counts a tag that the journal knows, and that is refused in this run.
    func refuseAgain(_ uid: [UInt8]) { refusedNow.insert(uid) }

    /// Notes a tag that gets no row.
    func refuse(_ tag: RefusedTag) throws {
        refusedNow.insert(tag.uid)
        try journal.refuse(tag)
    }

    // MARK: The database

    /// Whether the journal can be asked; one that is away is tried again, while tags in hand go on.
    func isReady() async throws -> Bool {
        if case .away(let reason, let keptRows, let keptTags) = journal.reach, !isAwayTold {
            isAwayTold = true
            tell(.databaseAway(reason: reason, keptRows: keptRows, keptTags: keptTags))
            // The wait for tags begins again, but it has an end also while the database stays away.
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

    /// Not on this actor: to connect takes seconds.
    private nonisolated func reachAgain() async throws -> JournalReturn? { try journal.reachAgain() }
    private nonisolated func settle() async throws { try journal.settle() }

    /// Stores what is kept, at the end; a database that is away is waited for, but not for long.
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

    /// Whether no reader needs to look for tags any more.
    func isOver() async throws -> Bool {
        if await roster.isOver { return true }
        if let limit, doneNow.count >= limit { return true }
        return try isComplete()
    }

    func summary() throws -> ProvisionSummary {
        ProvisionSummary(
            counts: try journal.progress(), open: try journal.unfinishedRows(limit: ProvisionSummary.listed),
            provenNow: doneNow.count, refusedNow: refusedNow.count, elapsed: ContinuousClock.now - start)
    }

    /// Whether every row is provisioned.
    func isComplete() throws -> Bool { try journal.progress().isComplete }
}
