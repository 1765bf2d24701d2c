// A plan that locks tags or changes their keys without confirmation

public import ReaderInterface

/// Rows of the plan lock their tags permanently, but this was not confirmed.
///
/// No reader was opened.
public struct LocksNotAgreed: ClassifiedError {
    /// The number of the first such row.
    public let row: Int

    /// The kind of failure.
    public var kind: FailureKind { .notAgreed }

    /// A description in one sentence.
    public var description: String {
        "Row \(row) locks its tag permanently, but that was not confirmed. Nothing was started."
    }

    /// - Throws: ``LocksNotAgreed`` if the journal has rows whose tags still have to be locked.
    static func check(_ journal: any ProvisionJournal) throws {
        let seals = SealRule(of: journal.plan)
        try journal.forEachRow(in: [.pending, .bound, .written, .proven, .failed]) { row in
            if seals.seal(of: row.row).lock { throw LocksNotAgreed(row: row.row.number) }
        }
    }
}

/// The plan changes the keys of its tags, but this was not confirmed.
///
/// No reader was opened.
public struct KeysNotAgreed: ClassifiedError {
    /// The kind of failure.
    public var kind: FailureKind { .notAgreed }

    /// A description in one sentence.
    public var description: String { "The tags get other keys, but that was not confirmed. Nothing was started." }
}
