// Rows that become pending again although their tags hold them — Docs/Provisioning.md

/// The effect of a reset: the rows that become pending again, and the tags that keep their content.
public struct RowReset: Hashable, Sendable {
    /// The rows to reset, which a tag holds or may hold.
    public let rows: Set<Int>
    /// The number of tags that were verified, and how many of those were locked.
    public let (verified, locked): (Int, Int)

    /// Examines the rows before anything is changed.
    ///
    /// - Parameters:
    ///   - numbers: the rows, or nil for all. Pending rows are skipped.
    ///   - journal: the journal of the rows.
    /// - Throws: `underWay` for a row whose tag was not verified yet; `noSuchRow`.
    public init(of numbers: Set<Int>?, in journal: any ProvisionJournal) throws {
        let seals = SealRule(of: journal.plan)
        var rows: Set<Int> = []
        var (verified, locked) = (0, 0)
        func add(_ row: JournalRow) throws {
            guard row.state != .bound, row.state != .written else {
                throw JournalError.underWay(row: row.row.number, state: row.state, uid: row.tag?.uid ?? [])
            }
            rows.insert(row.row.number)
            if row.proof != nil { verified += 1 }
            if row.state == .sealed, seals.seal(of: row.row).lock { locked += 1 }
        }
        if let numbers {
            for number in numbers.sorted() {
                guard let row = try journal.row(number) else { throw JournalError.noSuchRow(number) }
                if row.state != .pending { try add(row) }
            }
        } else {
            try journal.forEachRow(in: Set(RowState.allCases).subtracting([.pending])) { try add($0) }
        }
        (self.rows, self.verified, self.locked) = (rows, verified, locked)
    }
}

extension RowReset {
    /// The consequences for the tags, in sentences.
    public var text: String {
        let count = rows.count
        var facts = [
            count == 1
                ? "1 tag has this row and keeps what it holds. A second tag would then carry the same row."
                : "\(count) tags have these rows and keep what they hold. Other tags would then carry the same rows.",
            "The journal forgets which tag had which row. To keep a record, first run nfctool provision export.",
        ]
        if locked > 0 {
            facts.insert(
                locked == 1
                    ? "1 tag is locked and cannot be written again."
                    : "\(locked) tags are locked and cannot be written again.",
                at: 1)
        }
        return facts.joined(separator: " ")
    }
}
