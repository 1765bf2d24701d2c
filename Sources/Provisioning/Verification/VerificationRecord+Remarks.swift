// The results of a verification, stored in the journal of its plan

extension VerificationRecord {
    /// Stores in the journal which tags no longer hold the rows they were verified with, and which hold them again.
    ///
    /// Reports then show this, and a run of a complete plan waits for the changed tags, so that each gets its own row
    /// again. Call this after the verification. Rows that other processes changed in the meantime are left as they are.
    ///
    /// - Parameter journal: the journal that was verified, opened for writing.
    /// - Throws: `JournalError`.
    public func storeRemarks(in journal: any ProvisionJournal) throws(JournalError) {
        for check in all {
            guard let row = check.row, row.state == .proven || row.state == .sealed else { continue }
            let reason = check.lostRow.map { Self.reason($0, check) }
            guard reason != nil || check.agrees, reason != row.reason else { continue }
            do {
                try journal.change([(row.row.number, .remark(of: check.uid, reason))])
            } catch .rowMoved, .illegalStep {
                continue
            }
        }
    }

    private static func reason(_ number: Int, _ check: TagCheck) -> String {
        "The tag was verified with row \(number), but "
            + (check.content == .erased ? "was erased since." : "now holds another message.")
    }
}
