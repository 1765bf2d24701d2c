// The results of a verification, stored in the journal of its plan

extension VerificationRecord {
    /// A remark about the tag of a row, or nil if the tag holds its row again.
    private struct Remark {
        let row: JournalRow
        let uid: [UInt8]
        let reason: String?
    }

    private var remarks: [Remark] {
        all.compactMap { check in
            guard let row = check.row, row.state == .proven || row.state == .sealed else { return nil }
            let reason = check.lostRow.map { Self.reason($0, check) }
            guard reason != nil || check.agrees, reason != row.reason else { return nil }
            // Only a password that the tag accepted disproves what is recorded about its password.
            if reason == nil, PasswordRemark.isOne(row.reason), check.password != .accepted { return nil }
            return Remark(row: row, uid: check.uid, reason: reason)
        }
    }

    private static func reason(_ number: Int, _ check: TagCheck) -> String {
        switch check.content {
        case .erased: "The tag was verified with row \(number), but has since been erased."
        case .changed: "The tag was verified with row \(number), but now holds another message."
        case .same, .unreadable, nil:
            check.password == .refused ? PasswordRemark.changed(row: number) : PasswordRemark.lost(row: number)
        }
    }

    /// Whether ``storeRemarks(in:)`` has something to store.
    public var hasRemarks: Bool { !remarks.isEmpty }

    /// Stores in the journal which tags no longer hold the rows they were verified with, and which hold them again.
    ///
    /// Reports then show this, and a run of a complete plan waits for the changed tags, so that each gets its own row
    /// again. Rows that other processes have changed since their tags were checked are left as they are.
    ///
    /// - Parameter journal: the journal that was verified, opened for writing.
    /// - Throws: `JournalError`.
    public func storeRemarks(in journal: any ProvisionJournal) throws(JournalError) {
        for remark in remarks {
            let number = remark.row.row.number
            guard try journal.row(number) == remark.row else { continue }
            do {
                try journal.change([(number, .remark(of: remark.uid, remark.reason))])
            } catch .rowMoved, .illegalStep {
                continue
            }
        }
        try journal.settle()
    }

    /// The numbers of the rows whose tags no longer hold them.
    public var lostRows: [Int] { all.compactMap(\.lostRow).sorted() }

    /// Returns the rows among ``lostRows`` for whose tags a run of the complete plan waits.
    ///
    /// A run does not wait for locked tags, and not for tags about which the journal has no remark.
    ///
    /// - Throws: `JournalError`.
    public func awaitedRows(in journal: any ProvisionJournal) throws(JournalError) -> [JournalRow] {
        let lost = Set(lostRows)
        guard !lost.isEmpty else { return [] }
        return try journal.repairableRows(limit: ProvisionRun.awaitedRows).filter { lost.contains($0.row.number) }
    }
}
