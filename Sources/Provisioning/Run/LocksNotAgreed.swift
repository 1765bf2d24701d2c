// The errors for a plan that would lock tags or change their keys without confirmation

public import ReaderInterface

/// The error for a plan whose rows lock their tags permanently, if this was not confirmed.
///
/// When it is thrown, no reader has been opened.
public struct LocksNotAgreed: ClassifiedError {
    /// The number of the first row that locks its tag.
    public let row: Int

    /// The kind of failure.
    public var kind: FailureKind { .notAgreed }

    /// A description in one sentence.
    public var description: String {
        "Row \(row) locks its tag permanently, but that was not confirmed. Nothing was started."
    }

    /// Checks that the journal has no rows whose tags still have to be locked.
    ///
    /// - Throws: ``LocksNotAgreed`` if it has such rows.
    static func check(_ journal: any ProvisionJournal) throws {
        let seals = SealRule(of: journal.plan)
        try journal.forEachRow(in: RowState.open) { row in
            if seals.seal(of: row.row).lock { throw LocksNotAgreed(row: row.row.number) }
        }
    }
}

/// The error for a plan that changes the keys of its tags, if this was not confirmed.
///
/// When it is thrown, no reader has been opened.
public struct KeysNotAgreed: ClassifiedError {
    /// The kind of failure.
    public var kind: FailureKind { .notAgreed }

    /// A description in one sentence.
    public var description: String { "The tags get other keys, but that was not confirmed. Nothing was started." }
}
