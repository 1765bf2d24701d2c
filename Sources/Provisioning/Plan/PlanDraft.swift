// A plan that is about to be stored in a journal, about which the user can still be asked

/// A new, changed or extended plan that was read and checked, but is not stored yet.
public struct PlanDraft: Sendable {
    /// The identity of the plan.
    public let plan: PlanIdentity
    /// The results of the check of the plan.
    public let check: PlanCheck
    /// The duplicate rows.
    public let duplicates: DuplicateRows
    /// The number of the first row that the journal does not have.
    let first: Int
    /// The earlier rows whose cells the journal takes from the plan.
    let changed: Set<Int>
    /// The rows to store that have damaged cells, and whose tags get locked.
    public let damagedLocks: RowNumbers

    /// Whether the rows are added to an existing journal.
    public var isExtension: Bool { first > 1 }

    /// Whether a row with this number is stored, because it is new or was changed.
    public func stores(_ number: Int) -> Bool { number >= first || changed.contains(number) }
}
