// The shared state of a verification

import Foundation
import SafeTag

/// Looks up rows, collects the results, and decides when the verification is over.
actor VerificationDesk: RunGoal {
    private var journal: any ProvisionJournal
    private let roster: ReaderRoster
    private let seals: SealRule
    /// The chip required by rows that do not name one, or nil if any chip will do.
    private let requiredChip: RequiredChip?
    /// The number of rows to check: those with a tag, or as many as a spot check asks for.
    private let rowsWanted: Int
    private var checks: [[UInt8]: TagCheck] = [:]
    private var rowsSeen: Set<Int> = []
    private let start = ContinuousClock.now

    /// Creates the desk.
    ///
    /// `limit` is the number of rows to check, or nil for all rows with a tag.
    init(_ journal: any ProvisionJournal, _ roster: ReaderRoster, limit: Int? = nil) throws {
        self.journal = journal
        self.roster = roster
        seals = SealRule(of: journal.plan)
        let prefix = RowSettings.requirePrefix
        requiredChip = journal.plan.recipe.first { $0.hasPrefix(prefix) }
            .flatMap { RequiredChip(named: String($0.dropFirst(prefix.count))) }
        let rowsWithTag = try journal.counts().reduce(0) { $0 + ($1.key == .pending ? 0 : $1.value) }
        rowsWanted = min(limit ?? rowsWithTag, rowsWithTag)
    }

    func row(of uid: [UInt8]) throws -> JournalRow? {
        renew()
        return try journal.row(of: uid)
    }

    /// Reads the journal again if only a copy of it was read, and another process has changed it since.
    ///
    /// If this fails, for example because the disk is full, the earlier copy is still good.
    private func renew() {
        guard let embedded = journal as? EmbeddedJournal, embedded.isCopy,
            let next = (try? embedded.successor()) ?? nil, next.plan == journal.plan
        else { return }
        journal = next
    }

    /// Returns a sentence about the released row that a tag may still hold, or nil if no row of the tag was released.
    func releasedRow(of uid: [UInt8]) throws -> String? {
        guard let refusal = try journal.refusal(of: uid), refusal.isReleased else { return nil }
        return refusal.reason
    }

    /// Returns a sentence about another tag that holds the same message as this tag without a row, or nil if none does.
    func rowOfOtherTag(heldBy reading: TagReading) throws -> String? {
        try journal.row(heldBy: reading)?.wordsForOtherTag
    }

    /// Returns the lock and password that a row's tag must have.
    func seal(of row: PlanRow) -> RowSeal { seals.seal(of: row) }

    /// Returns the chip that a row's tag must have, or nil if any chip will do.
    func requiredChip(of row: PlanRow) -> RequiredChip? {
        row[RowSettings.Column.require.rawValue].flatMap(RequiredChip.init) ?? requiredChip
    }

    /// Stores the result for a tag.
    ///
    /// A tag that is placed again is counted once, with its last result.
    func keep(_ check: TagCheck) {
        checks[check.uid] = check
        if let row = check.row { rowsSeen.insert(row.row.number) }
    }

    func isOver() async throws -> Bool { await roster.isOver || isComplete() }

    /// Whether the tags of all rows to check were seen.
    func isComplete() -> Bool { rowsWanted > 0 && rowsSeen.count >= rowsWanted }

    /// The progress, for the rows that have a tag now: another process may have written tags in the meantime.
    func summary() throws -> VerificationSummary {
        renew()
        let counts = try journal.counts()
        let pending = counts[.pending] ?? 0
        var summary = VerificationSummary(
            rows: counts.values.reduce(0, +) - pending, withoutTag: pending, checks: checks.values,
            elapsed: ContinuousClock.now - start)
        try journal.forEachRow(in: Set(RowState.allCases).subtracting([.pending])) { row in
            if !rowsSeen.contains(row.row.number) { summary.addUnseen(row) }
        }
        return summary
    }

    /// The results so far.
    func record() throws -> VerificationRecord {
        let summary = try summary()
        return VerificationRecord(journal: journal, checks: checks, summary: summary)
    }
}
