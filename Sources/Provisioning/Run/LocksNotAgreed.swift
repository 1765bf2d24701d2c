// A plan that locks tags, or changes their keys, which was not confirmed

public import ReaderInterface

/// Rows of the plan lock their tags permanently, and that was not confirmed: no reader was opened.
public struct LocksNotAgreed: ClassifiedError {
    /// The number of the first such row.
    public let row: Int

    /// What kind of thing went wrong.
    public var kind: FailureKind { .notAgreed }

    /// What happened, in a sentence.
    public var description: String {
        "Row \(row) locks its tag permanently, but that was not confirmed. Nothing was started."
    }

    /// - Throws: ``LocksNotAgreed`` for a journal with rows that are to be locked yet.
    static func check(_ journal: any ProvisionJournal) throws {
        let seals = SealRule(of: journal.plan)
        try journal.forEachRow(in: [.pending, .bound, .written, .proven, .failed]) { row in
            if seals.seal(of: row.row).lock { throw LocksNotAgreed(row: row.row.number) }
        }
    }
}

/// The plan gives its tags other keys, and that was not confirmed: no reader was opened.
public struct KeysNotAgreed: ClassifiedError {
    /// What kind of thing went wrong.
    public var kind: FailureKind { .notAgreed }

    /// What happened, in a sentence.
    public var description: String { "The tags get other keys, but that was not confirmed. Nothing was started." }
}
