// The journal of a plan: which tag has which row, and how far it has come — wherever it is stored

/// A plan with what became of each of its rows; what a call confirms is on a disk.
///
/// An ``EmbeddedJournal`` is a file that one process at a time works with. A journal in a server lets many stations work on
/// one plan. Rules that hold for both are in ``RowStep``.
public protocol ProvisionJournal: ProvisioningRecord, Sendable {
    /// What people call it: the path of its file, or the address of its server without a password.
    var name: String { get }
    /// Whether the content of rows can be read: a login that may only see the progress of plans cannot.
    var readsRows: Bool { get }

    /// The row a tag has; nil when it has none.
    func row(of uid: [UInt8]) throws(JournalError) -> JournalRow?
    /// A row of the plan by its number; nil when the plan is shorter.
    func row(_ number: Int) throws(JournalError) -> JournalRow?
    /// Why a tag got no row; nil when it was never refused.
    func refusal(of uid: [UInt8]) throws(JournalError) -> RefusedTag?
    /// What is known of a tag that comes to a reader.
    func standing(of uid: [UInt8]) throws(JournalError) -> TagStanding
    /// The next rows after a number, in the order of the plan; nil after the last one.
    func page(after number: Int, in states: Set<RowState>) throws(JournalError) -> [JournalRow]?
    /// How far the plan has come; cheap enough to be asked between two tags.
    func progress() throws(JournalError) -> ProvisionCounts
    /// The rows whose tags have to come back here: bound, written, or proven and not sealed yet; at most `limit`.
    func unfinishedRows(limit: Int) throws(JournalError) -> [JournalRow]
    /// What goes on in the plan now, at all stations; cheap enough to be asked once a second.
    func activity() throws(JournalError) -> PlanActivity
    /// The rows provisioned in the given number of last minutes, by station; may read all rows.
    func provisionedMinutes(_ count: Int) throws(JournalError) -> [ProvisionedMinute]

    /// The journal that replaced this one, for programs that watch it; nil while it is the same.
    ///
    /// - Throws: `missing` when it was taken away.
    func successor() throws(JournalError) -> (any ProvisionJournal)?

    /// A pending row for a tag to come that no other process is given meanwhile; nil when there is none.
    ///
    /// The row is none of `reserved`, which this process has in hand already.
    func claimRow(except reserved: Set<Int>) throws(JournalError) -> PlanRow?
    /// Takes rows a step on, all of them or none.
    ///
    /// - Throws: what ``RowStep`` says of rows that cannot take their step.
    func change(_ steps: [(number: Int, step: RowStep)]) throws(JournalError)
    /// Notes that a tag got no row, and why; a quarantine stays until `unquarantine`.
    ///
    /// - Throws: `tagHasRow` for a tag that has one: that is freed, or fails.
    func refuse(_ tag: RefusedTag) throws(JournalError)
    /// Lets a tag get a row again; false when it was not in quarantine.
    @discardableResult func unquarantine(_ uid: [UInt8]) throws(JournalError) -> Bool

    /// Notes with which options the plan goes on: those that change no row may be others than before.
    func note(recipe: [String]) throws(JournalError)
    /// Adds rows of a plan after those that are there, all of them or none.
    ///
    /// - Parameters:
    ///   - count: how many rows there are.
    ///   - rows: gives each new row to the closure it gets, and says at the end which plan it is now.
    /// - Returns: the journal with the new rows. Use it in place of this one.
    /// - Throws: a `JournalError`, or what `rows` threw; then the journal is as before.
    func extended(
        after count: Int, rows: ((PlanRow) throws -> Void) throws -> PlanIdentity
    ) throws -> any ProvisionJournal
    /// Puts the journal of another plan in the place of this one, no row of which has a tag; refused tags stay refused.
    ///
    /// The new journal is whole before the old one goes.
    /// - Returns: nil where others work with it, or a tag has a row by now; then the journal is as before.
    /// - Throws: a `JournalError`, or what `rows` threw; then the journal is as before.
    func replaced(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> (any ProvisionJournal)?
    /// Takes rows away that no tag has yet.
    ///
    /// - Parameters:
    ///   - count: how many rows stay.
    ///   - plan: the plan as it was with those.
    /// - Throws: `notPending` when a tag has one of the others; then nothing was changed.
    func shorten(to count: Int, as plan: PlanIdentity) throws(JournalError)
    /// Takes a journal away that is not wanted, and of whose rows no tag has one; nothing may be done with it after this.
    ///
    /// - Returns: false for one that stays, since others work with it.
    @discardableResult func discard() -> Bool

    /// The station that this process is; nil where one process works alone.
    var station: String? { get }
    /// Whether the journal can be reached, as far as that was noticed.
    var reach: JournalReach { get }
    /// Tries to reach a journal again that is away, unless it is too early for that; what was kept is stored then.
    ///
    /// - Throws: why it makes no sense to try on.
    func reachAgain() throws(JournalError) -> JournalReturn?
    /// Stores what is kept, at the end of a run.
    ///
    /// - Throws: `stepsKept` when something could not be stored; `away`; `rowMoved` for a row that was released meanwhile.
    func settle() throws(JournalError)
}

/// Whether a journal can be reached.
public enum JournalReach: Hashable, Sendable {
    /// It answers.
    case near
    /// It does not: no tag gets a row. The steps of `keptRows` rows, and `keptTags` refused tags, are kept here until it does.
    case away(reason: String, keptRows: Int, keptTags: Int)
}

/// A journal that was away and is back.
public struct JournalReturn: Hashable, Sendable {
    /// How long it was away.
    public let after: Duration
    /// The rows whose steps were kept, and are stored now.
    public let stored: [Int]
    /// The rows that were released in the meantime: what was done to their tags here is in no journal.
    public let moved: [Int]

    /// Makes a return of its facts.
    public init(after: Duration, stored: [Int], moved: [Int]) {
        self.after = after
        self.stored = stored
        self.moved = moved
    }
}

/// A journal that is always there.
extension ProvisionJournal {
    /// Nil: one process works alone.
    public var station: String? { nil }
    /// A file that can be opened shows all.
    public var readsRows: Bool { true }
    /// It answers.
    public var reach: JournalReach { .near }
    /// Nil.
    public func successor() throws(JournalError) -> (any ProvisionJournal)? { nil }
    /// Does nothing.
    public func reachAgain() throws(JournalError) -> JournalReturn? { nil }
    /// Does nothing: each step is stored when it is made.
    public func settle() throws(JournalError) {}
    /// Whether a row's tag may go on here: no other station has begun it.
    public func isOurs(_ row: JournalRow) -> Bool { row.station == nil || row.station == station }
}

/// What a journal knows of a tag.
public enum TagStanding: Hashable, Sendable {
    /// It has a row.
    case row(JournalRow)
    /// It was refused, and may come again unless it is in quarantine.
    case refused(RefusedTag)
    /// Nothing.
    case unknown
}

/// Where the journal of a plan is, or is to be.
public protocol JournalStore: Sendable {
    /// What people call it.
    var name: String { get }
    /// Opens the journal to go on with it; nil when the plan was not begun.
    func open() throws(JournalError) -> (any ProvisionJournal)?
    /// Makes the journal; it is whole when this returns, or not there at all.
    ///
    /// `rows` gives each row of the plan to the closure it gets, and says at the end which plan that was.
    /// - Throws: a `JournalError` (`exists` when another process created it in the meantime), or what `rows` threw.
    func create(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> any ProvisionJournal
}

extension ProvisionJournal {
    /// Gives a row to a tag; before this returns the tag must not be touched.
    ///
    /// - Throws: `notPending`, `tagHasRow`, `quarantined`, `noSuchRow`.
    public func bind(_ number: Int, to tag: BoundTag) throws(JournalError) { try change([(number, .bind(tag))]) }

    /// Takes a row a step on with the tag of a UID: written, proven (with what was read), sealed, failed.
    ///
    /// `reason` replaces the one that is there.
    ///
    /// - Throws: `rowMoved` for a row that this tag does not have; `illegalStep`, `proofMissing`, `noSuchRow`.
    public func advance(
        _ number: Int, of uid: [UInt8], to state: RowState, proof: RowProof? = nil, reason: String? = nil
    ) throws(JournalError) {
        try change([(number, .advance(of: uid, to: state, proof, reason: reason))])
    }

    /// Notes why the tag of a UID was not finished this time; its row's state stays.
    ///
    /// - Throws: `rowMoved`, `noSuchRow`.
    public func note(_ number: Int, of uid: [UInt8], reason: String) throws(JournalError) {
        try change([(number, .note(of: uid, reason))])
    }

    /// Notes that a row's tag refuses to be finished; the row stays with it until it is released.
    ///
    /// - Throws: `rowMoved`, `illegalStep`, `noSuchRow`.
    public func fail(_ number: Int, of uid: [UInt8], reason: String) throws(JournalError) {
        try advance(number, of: uid, to: .failed, reason: reason)
    }

    /// Gives a row back whose tag holds its old content again, and refuses that tag in the same step when asked to.
    ///
    /// - Throws: `rowMoved`; `illegalStep` for a row that is not bound or written.
    public func free(_ number: Int, of uid: [UInt8], refusing tag: RefusedTag? = nil) throws(JournalError) {
        try change([(number, .free(of: uid, refusing: tag))])
    }

    /// Gives a row back because the user says so: its tag is lost, or broken.
    ///
    /// With `evenIfProven` also a row that its tag was proven to hold; the user answers for that tag.
    ///
    /// - Throws: `tagHoldsRow`, or `illegalStep` for a row that no tag has.
    public func release(_ number: Int, evenIfProven: Bool = false) throws(JournalError) {
        try change([(number, .release(evenIfProven: evenIfProven))])
    }

    /// Gives rows back, in one step; what their tags were is forgotten, and tags in quarantine stay there.
    ///
    /// - Throws: `underWay` for a row whose tag was not verified yet; then nothing was changed.
    public func carryOut(_ reset: RowReset) throws(JournalError) {
        try change(reset.rows.sorted().map { ($0, .reset) })
    }

    /// Whether any row has a tag; the rows themselves say so, not the counts.
    func hasTags() throws(JournalError) -> Bool {
        try page(after: 0, in: Set(RowState.allCases).subtracting([.pending])) != nil
    }

    /// The rows that are under way: bound or written, in the order of the plan.
    public func boundRows() throws(JournalError) -> [JournalRow] {
        var rows: [JournalRow] = []
        while let page = try page(after: rows.last?.row.number ?? 0, in: [.bound, .written]) { rows += page }
        return rows
    }

    /// Gives the rows in these states, in the order of the plan; what `body` throws ends it.
    ///
    /// Rows are read in pages, and between two the journal is free: a report over a million rows holds up no tag, and
    /// `body` may ask the journal for more. Each row is given as it stands when its page is read.
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
