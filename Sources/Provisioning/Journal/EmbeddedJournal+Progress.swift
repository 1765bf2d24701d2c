// The progress of a plan in an embedded journal, without reading all of its rows again

import Synchronization

extension EmbeddedJournal {
    /// Returns the progress of the plan.
    ///
    /// The rows are read only once, and only if columns of the plan set locks or passwords.
    public func progress() throws(JournalError) -> ProvisionCounts {
        let known = try sealsNow()
        return ProvisionCounts(
            states: try counts(), waitingForSeal: known.unsealed.count, locked: known.locked,
            protected: known.protected)
    }

    /// Returns the rows whose tags must be placed again.
    public func unfinishedRows(limit: Int) throws(JournalError) -> [JournalRow] {
        var rows = Array(try boundRows().prefix(limit))
        for number in try sealsNow().unsealed.sorted().prefix(limit - rows.count) {
            if let row = try row(number) { rows.append(row) }
        }
        return rows
    }

    private func sealsNow() throws(JournalError) -> SealTally {
        if let known = seals.withLock({ $0 }) { return known }
        let found: SealTally
        do {
            found = try SealTally(of: self)
        } catch {
            throw JournalError(error, path: path)
        }
        seals.withLock { $0 = found }
        return found
    }
}

/// Counts the tags that were locked or protected, and lists the rows whose tags must still be locked or protected.
struct SealTally: Sendable {
    private let rule: SealRule
    /// The verified rows whose tags still have to be locked or protected.
    private(set) var unsealed: Set<Int> = []
    private(set) var locked: Int
    private(set) var protected: Int

    init(of journal: EmbeddedJournal) throws {
        rule = SealRule(of: journal.plan)
        let counts = try ProvisionCounts(of: journal)
        (locked, protected) = (counts.locked, counts.protected)
        guard counts.waitingForSeal > 0 else { return }
        try journal.forEachRow(in: [.proven]) { row in
            if !rule.seal(of: row.row).isNone { unsealed.insert(row.row.number) }
        }
    }

    mutating func note(_ before: JournalRow, _ after: JournalRow) {
        let seal = rule.seal(of: after.row)
        guard !seal.isNone, before.state != after.state else { return }
        if after.state == .proven { unsealed.insert(after.row.number) } else { unsealed.remove(after.row.number) }
        let change = (after.state == .sealed ? 1 : 0) - (before.state == .sealed ? 1 : 0)
        if seal.lock { locked += change }
        if seal.protect { protected += change }
    }
}
