// How far the plan of an embedded journal has come, without reading all its rows again

import Synchronization

extension EmbeddedJournal {
    /// How far the plan has come; its rows are read once, and only where their own columns say how tags are closed.
    public func progress() throws(JournalError) -> ProvisionCounts {
        let known = try sealsNow()
        return ProvisionCounts(
            states: try counts(), waitingForSeal: known.unsealed.count, locked: known.locked)
    }

    /// The rows whose tags have to come back.
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

/// Which tags are closed, and which are to be yet.
struct SealTally: Sendable {
    private let rule: SealRule
    /// Rows that are proven, and are to be sealed yet.
    private(set) var unsealed: Set<Int> = []
    /// How many rows' tags were locked.
    private(set) var locked: Int

    init(of journal: EmbeddedJournal) throws {
        rule = SealRule(of: journal.plan)
        let counts = try ProvisionCounts(of: journal)
        locked = counts.locked
        guard counts.waitingForSeal > 0 else { return }
        try journal.forEachRow(in: [.proven]) { row in
            if !rule.seal(of: row.row).isNone { unsealed.insert(row.row.number) }
        }
    }

    /// Counts a step of a row.
    mutating func note(_ before: JournalRow, _ after: JournalRow) {
        let seal = rule.seal(of: after.row)
        guard !seal.isNone, before.state != after.state else { return }
        if after.state == .proven { unsealed.insert(after.row.number) } else { unsealed.remove(after.row.number) }
        if seal.lock { locked += (after.state == .sealed ? 1 : 0) - (before.state == .sealed ? 1 : 0) }
    }
}
