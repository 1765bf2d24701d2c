// Why a plan is not begun, or not gone on with

/// Rows of a plan that cannot be carried out; nothing was started.
public struct BadRows: Error {
    /// The first of them, with what is wrong.
    public let rows: [PlanError]
    /// How many there are.
    public let count: Int
    /// How many rows the plan has.
    public let total: Int
    /// The columns that nothing uses.
    public let unused: [UnusedColumn]

    init(_ check: PlanCheck) {
        rows = check.badRows
        count = check.badRowCount
        total = check.badRowCount + check.goodRowCount
        unused = check.unusedColumns
    }
}

/// The plan, or its recipe, is not the one the journal belongs to.
public struct PlanChanged: Error {
    /// The journal's file.
    public let journal: String
    /// What is not as before.
    public let differences: PlanDifferences
}

/// The tags to come would get another password than those that have their rows.
public struct OtherPassword: Error {
    /// The journal's file.
    public let journal: String
    /// Whether this run has a password at all.
    public let isGiven: Bool
}
