// Rows that become pending again although their tags hold them — Docs/Provisioning.md

/// The effect of a reset: rows become pending again, although tags keep their content.
public struct RowReset: Hashable, Sendable {
    /// The rows to reset.
    ///
    /// For each of these rows, there is a tag that holds the row or may hold it.
    public let rows: Set<Int>
    /// The number of tags that were verified, and the number of those that were locked.
    public let (verified, locked): (Int, Int)
    /// The UIDs of the first tags that have the rows, in the order of the rows, at most ``namedTags``.
    public let uids: [[UInt8]]
    /// The maximum number of tags in ``uids``.
    public static let namedTags = 5
    /// The number of verified tags that may be locked, because it is not recorded that their locks were finished.
    public let doubtful: Int

    /// Examines the rows before anything is changed.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the rows, or nil for all rows. Pending rows are skipped.
    ///   - journal: the journal of the rows.
    /// - Throws: `underWay` for a row that is bound or written; `noSuchRow`.
    public init(of numbers: Set<Int>?, in journal: any ProvisionJournal) throws {
        let seals = SealRule(of: journal.plan)
        var rows: Set<Int> = []
        var (verified, locked, doubtful) = (0, 0, 0)
        var uids: [[UInt8]] = []
        func add(_ row: JournalRow) throws {
            guard row.state != .bound, row.state != .written else {
                throw JournalError.underWay(row: row.row.number, state: row.state, uid: row.tag?.uid ?? [])
            }
            rows.insert(row.row.number)
            if uids.count < Self.namedTags, let tag = row.tag { uids.append(tag.uid) }
            if row.proof != nil { verified += 1 }
            guard seals.seal(of: row.row).lock else { return }
            if row.state == .sealed {
                locked += 1
            } else if row.proof != nil {
                doubtful += 1
            }
        }
        if let numbers {
            for number in numbers.sorted() {
                guard let row = try journal.row(number) else { throw JournalError.noSuchRow(number) }
                if row.state != .pending { try add(row) }
            }
        } else {
            try journal.forEachRow(in: Set(RowState.allCases).subtracting([.pending])) { try add($0) }
        }
        (self.rows, self.verified, self.locked, self.doubtful) = (rows, verified, locked, doubtful)
        self.uids = uids
    }
}
