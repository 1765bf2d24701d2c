// The journal of a plan: which tag has which row, and the progress of each row, regardless of how it is stored

/// A plan and the progress of each of its rows.
///
/// A step is on disk when the call that makes it returns. An ``EmbeddedJournal`` is a file that one process at a time
/// works with. A journal on a server lets many stations work on one plan. ``RowStep`` defines the rules for both kinds
/// of journal.
public protocol ProvisionJournal: ProvisioningRecord, Sendable {
    /// The name to show: the path of the journal's file, or the address of its server without a password.
    var name: String { get }
    /// Whether the content of rows can be read. A login with access only to the progress of plans cannot read it.
    var readsRows: Bool { get }

    /// Returns the row of a tag, or nil if the tag has none.
    func row(of uid: [UInt8]) throws(JournalError) -> JournalRow?
    /// Returns the row with this number, or nil if the plan has fewer rows.
    func row(_ number: Int) throws(JournalError) -> JournalRow?
    /// Returns the first row whose tag was verified to hold a message with this length and SHA-256 digest (upper-case
    /// hexadecimal), or nil if there is none or this login cannot read digests.
    ///
    /// This may read all rows.
    func row(verifiedWith sha256: String, length: Int) throws(JournalError) -> JournalRow?
    /// Returns the record of a tag that got no row, or nil if the tag was never refused.
    func refusal(of uid: [UInt8]) throws(JournalError) -> RefusedTag?
    /// Returns what the journal records about a tag that was placed on a reader.
    func standing(of uid: [UInt8]) throws(JournalError) -> TagStanding
    /// Returns the next rows after a row number, in the order of the plan, or nil if no rows follow.
    func page(after number: Int, in states: Set<RowState>) throws(JournalError) -> [JournalRow]?
    /// Returns the progress of the plan. This is fast enough to call between two tags.
    func progress() throws(JournalError) -> ProvisionCounts
    /// Returns at most `limit` rows whose tags must be placed here again: bound, written, or proven and not yet sealed.
    func unfinishedRows(limit: Int) throws(JournalError) -> [JournalRow]
    /// Returns the next rows, at most `limit`, after a row number that are done but whose tags were later found to hold
    /// something else (see ``SealRule``). Only rows that this station may continue with are returned. This may read all
    /// rows.
    func changedRows(after number: Int, limit: Int) throws(JournalError) -> [JournalRow]
    /// Returns the current activity of the plan at all stations. This is fast enough to call once a second.
    func activity() throws(JournalError) -> PlanActivity
    /// Returns how many rows were provisioned in the last `minutes` minutes, grouped by station and time. This may read
    /// all rows.
    func recentlyProvisioned(minutes: Int) throws(JournalError) -> [ProvisionedRows]

    /// Returns the journal that replaced this one, or nil if it was not replaced. This is for programs that watch a
    /// plan.
    ///
    /// - Throws: `missing` if the journal was removed.
    func successor() throws(JournalError) -> (any ProvisionJournal)?

    /// Claims a pending row for the next tag, so that no other process gets it. Returns nil if no row is available.
    ///
    /// The row is not one of `reserved`, which this process has already claimed.
    func claimRow(except reserved: Set<Int>) throws(JournalError) -> PlanRow?
    /// Returns at most `limit` pending rows that no other process has claimed, the first ones in the order of the plan.
    ///
    /// The rows are not claimed, so another process may bind one of them first.
    func pendingRows(limit: Int) throws(JournalError) -> [PlanRow]
    /// Applies one step to each of these rows: either all steps are applied, or none.
    ///
    /// - Throws: an error for a row that cannot take its step; see ``RowStep``.
    func change(_ steps: [(number: Int, step: RowStep)]) throws(JournalError)
    /// Records a refused tag and the reason. A quarantine lasts until `unquarantine`.
    ///
    /// - Throws: `tagHasRow` if the tag has a row. Free or fail that row instead. A tag that is refused because another
    ///   chip with the same UID has a row is accepted.
    func refuse(_ tag: RefusedTag) throws(JournalError)
    /// Removes a tag from quarantine, so that it can get a row. Returns false if it was not in quarantine.
    @discardableResult func unquarantine(_ uid: [UInt8]) throws(JournalError) -> Bool

    /// Stores the options of this run. Options that change no row may differ from those of earlier runs.
    func note(recipe: [String]) throws(JournalError)
    /// Whether `extended` can also replace the cells of earlier rows.
    var acceptsCorrections: Bool { get }
    /// Appends rows of a plan to the existing ones, and replaces changed rows: either all changes are made, or none.
    ///
    /// - Parameters:
    ///   - count: the number of existing rows.
    ///   - rows: passes each new or changed row to its closure, and returns the identity of the extended plan.
    /// - Returns: the journal with the new rows. Use it in place of this one.
    /// - Throws: a `JournalError`, or what `rows` threw. In both cases, the journal is unchanged.
    func extended(
        after count: Int, rows: ((PlanRow) throws -> Void) throws -> PlanIdentity
    ) throws -> any ProvisionJournal
    /// Replaces this journal, in which no row has a tag, with the journal of another plan. Refused tags stay refused.
    ///
    /// The new journal is complete before the old one is removed.
    /// - Returns: the new journal, or nil if another process or station works with this one, or a tag has a row. In
    ///   that case, nothing is changed.
    /// - Throws: a `JournalError`, or what `rows` threw. In both cases, the journal is unchanged.
    func replaced(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> (any ProvisionJournal)?
    /// Removes the last rows, none of which may have a tag.
    ///
    /// - Parameters:
    ///   - count: the number of rows to keep.
    ///   - plan: the identity of the plan with only those rows.
    /// - Throws: `notPending` if one of the rows to remove has a tag. If so, nothing is changed.
    func shorten(to count: Int, as plan: PlanIdentity) throws(JournalError)
    /// Deletes a journal that is not needed and in which no row has a tag. The value must not be used afterwards.
    ///
    /// - Returns: false if the journal is kept, because another process or station works with it.
    @discardableResult func discard() -> Bool

    /// The name of this station, or nil if one process works alone.
    var station: String? { get }
    /// Whether the journal could be reached when it was last used.
    var reach: JournalReach { get }
    /// If the journal does not answer, tries to reach it again, unless it is too early for another attempt.
    ///
    /// Once the journal answers, stores the steps that were kept in the meantime.
    ///
    /// - Throws: an error if further attempts are pointless.
    func reachAgain() throws(JournalError) -> JournalReturn?
    /// Stores the steps that were kept, at the end of a run.
    ///
    /// - Throws: `stepsKept` if something could not be stored; `away`; `rowMoved` for a row that has been released in
    ///   the meantime.
    func settle() throws(JournalError)
}

/// Whether a journal can be reached.
public enum JournalReach: Hashable, Sendable {
    /// The journal answers.
    case near
    /// The journal does not answer, so no tag gets a row. The steps of `keptRows` rows and `keptTags` refused tags are
    /// kept until it answers.
    case away(reason: String, keptRows: Int, keptTags: Int)
}

/// The result of reaching a journal that was away.
public struct JournalReturn: Hashable, Sendable {
    /// How long the journal was away.
    public let after: Duration
    /// The rows whose steps were kept and are now stored.
    public let stored: [Int]
    /// The rows that had been released in the meantime.
    ///
    /// The steps that were kept for these rows are not stored.
    public let moved: [Int]

    /// Creates the result of reaching a journal.
    public init(after: Duration, stored: [Int], moved: [Int]) {
        self.after = after
        self.stored = stored
        self.moved = moved
    }
}

/// Defaults for a journal that can always be reached.
extension ProvisionJournal {
    /// Nil, because one process works alone.
    public var station: String? { nil }
    /// False, unless a journal provides its own value.
    public var acceptsCorrections: Bool { false }
    /// True, because a file that can be opened shows everything.
    public var readsRows: Bool { true }
    /// Returns the first rows of the first page of pending rows, because no other process has claimed any.
    public func pendingRows(limit: Int) throws(JournalError) -> [PlanRow] {
        (try page(after: 0, in: [.pending]) ?? []).prefix(limit).map(\.row)
    }
    /// Always `near`, because a file can be reached at any time.
    public var reach: JournalReach { .near }
    /// Returns nil, because the journal is never replaced.
    public func successor() throws(JournalError) -> (any ProvisionJournal)? { nil }
    /// Does nothing and returns nil, because the journal is never away.
    public func reachAgain() throws(JournalError) -> JournalReturn? { nil }
    /// Does nothing, because each step is stored when it is made.
    public func settle() throws(JournalError) {}
    /// Whether this station may continue with a row's tag, because no other station has started it.
    public func isOurs(_ row: JournalRow) -> Bool { row.station == nil || row.station == station }
}

/// The state of a tag in the journal.
public enum TagStanding: Hashable, Sendable {
    /// The tag has a row.
    case row(JournalRow)
    /// The tag was refused, and may be tried again unless it is in quarantine.
    case refused(RefusedTag)
    /// The journal has no entry for the tag.
    case unknown
}

/// The place where the journal of a plan is or will be stored.
public protocol JournalStore: Sendable {
    /// The name to show.
    var name: String { get }
    /// Opens the journal to continue it, or returns nil if the plan was not started.
    func open() throws(JournalError) -> (any ProvisionJournal)?
    /// Creates the journal. When this returns, the journal is complete. After an error, it does not exist.
    ///
    /// `rows` passes each row of the plan to its closure, and returns the identity of that plan.
    /// - Throws: a `JournalError` (`exists` if another process created it in the meantime), or what `rows` threw.
    func create(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> any ProvisionJournal
}

extension ProvisionJournal {
    /// Gives a row to a tag.
    ///
    /// The tag must not be touched before this returns.
    ///
    /// - Throws: `notPending`, `tagHasRow`, `quarantined`, `noSuchRow`.
    public func bind(_ number: Int, to tag: BoundTag) throws(JournalError) { try change([(number, .bind(tag))]) }

    /// Moves the row of the tag with this UID to its next state: written, proven (with `proof`), sealed or failed.
    ///
    /// `reason` replaces the stored reason.
    ///
    /// - Throws: `rowMoved` if this tag does not have the row; `illegalStep`, `proofMissing`, `noSuchRow`.
    public func advance(
        _ number: Int, of uid: [UInt8], to state: RowState, proof: RowProof? = nil, reason: String? = nil
    ) throws(JournalError) {
        try change([(number, .advance(of: uid, to: state, proof, reason: reason))])
    }

    /// Records why the tag with this UID was not finished this time.
    ///
    /// The state of the tag's row stays the same.
    ///
    /// - Throws: `rowMoved`, `noSuchRow`.
    public func note(_ number: Int, of uid: [UInt8], reason: String) throws(JournalError) {
        try change([(number, .note(of: uid, reason))])
    }

    /// Records that a row's tag could not be finished.
    ///
    /// The tag keeps the row until the row is released.
    ///
    /// - Throws: `rowMoved`, `illegalStep`, `noSuchRow`.
    public func fail(_ number: Int, of uid: [UInt8], reason: String) throws(JournalError) {
        try advance(number, of: uid, to: .failed, reason: reason)
    }

    /// Makes a row pending again because its tag holds its old content again, and optionally refuses that tag too.
    ///
    /// - Throws: `rowMoved`; `illegalStep` if the row is not bound or written.
    public func free(_ number: Int, of uid: [UInt8], refusing tag: RefusedTag? = nil) throws(JournalError) {
        try change([(number, .free(of: uid, refusing: tag))])
    }

    /// Makes a row pending again because the user reports that its tag is lost or broken.
    ///
    /// With `evenIfProven`, this also releases a row that was verified on its tag or completely written to it. The user
    /// is responsible for that tag. It is recorded as refused, so that reports name it.
    /// Without it, the row of a tag that was not finished is released, although that tag may hold all of the row: ask
    /// the user first.
    ///
    /// - Throws: `tagHoldsRow`, or `illegalStep` if no tag has the row.
    public func release(_ number: Int, evenIfProven: Bool = false) throws(JournalError) {
        try change([(number, .release(evenIfProven: evenIfProven))])
    }

    /// Returns the connected station that may be writing a row to its tag now, or nil if there is none.
    ///
    /// If such a row is freed, it may end up on two tags.
    public func stationAtWork(on row: JournalRow) throws(JournalError) -> String? {
        guard let station = row.station, row.state == .bound || row.state == .written else { return nil }
        return try activity().isStationConnected(of: row) ? station : nil
    }

    /// Makes rows pending again in one step, and removes their tags from the journal.
    ///
    /// Tags in quarantine stay in quarantine.
    ///
    /// - Throws: `underWay` for a row that is bound or written. If so, nothing is changed.
    public func carryOut(_ reset: RowReset) throws(JournalError) {
        try change(reset.rows.sorted().map { ($0, .reset) })
    }

    /// Returns the rows whose tags were changed after they were verified and can be written again, because they are not
    /// locked.
    ///
    /// At most `limit` rows are returned. If the plan is complete, a run waits for these tags.
    public func repairableRows(limit: Int) throws(JournalError) -> [JournalRow] {
        let rule = SealRule(of: plan)
        var (rows, last): ([JournalRow], Int) = ([], 0)
        while rows.count < limit {
            let page = try changedRows(after: last, limit: limit)
            rows += page.filter { rule.isRepairable($0) }
            guard let end = page.last?.row.number, page.count == limit, end > last else { break }
            last = end
        }
        return Array(rows.prefix(limit))
    }

    /// Whether any row has a tag, according to the rows and not to the counts.
    package func hasTags() throws(JournalError) -> Bool {
        try page(after: 0, in: Set(RowState.allCases).subtracting([.pending])) != nil
    }

    /// Returns the rows in progress (bound or written), in the order of the plan.
    public func boundRows() throws(JournalError) -> [JournalRow] {
        var rows: [JournalRow] = []
        while let page = try page(after: rows.last?.row.number ?? 0, in: [.bound, .written]) { rows += page }
        return rows
    }

    /// Passes the rows in these states to `body` in the order of the plan.
    ///
    /// An error thrown by `body` ends the loop. Rows are read in pages, and the journal is free between two pages. A
    /// report on a million rows therefore delays no tag, and `body` may query the journal. Each row is passed in the
    /// state that it had when its page was read.
    public func forEachRow(in states: Set<RowState>, _ body: (JournalRow) throws -> Void) throws {
        var last = 0
        while let page = try page(after: last, in: states) {
            for row in page {
                try body(row)
                last = row.row.number
            }
        }
    }
}
