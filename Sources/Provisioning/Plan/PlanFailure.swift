// Errors that prevent a plan from being started or continued

public import ReaderInterface

/// The error that a plan was not started, because some of its rows cannot be written.
public struct BadRows: ClassifiedError {
    /// The first bad rows, with the reason for each.
    public let rows: [PlanError]
    /// The number of bad rows.
    public let count: Int
    /// The number of rows in the plan.
    public let total: Int
    /// The columns that have no effect.
    public let unused: [UnusedColumn]

    /// The kind of failure.
    public var kind: FailureKind { .badPlan }

    /// A description in sentences.
    public var description: String {
        "\(count) of \(total) \(total == 1 ? "row" : "rows") cannot be written. Nothing was started."
    }

    init(_ check: PlanCheck) {
        rows = check.badRows
        count = check.badRowCount
        total = check.badRowCount + check.goodRowCount
        unused = check.unusedColumns
    }
}

/// The error that the plan or its recipe differs from that with which the journal was started.
public struct PlanChanged: ClassifiedError {
    /// The name of the journal.
    public let journal: String
    /// The differences from the plan that the journal was started with.
    public let differences: PlanDifferences

    /// The kind of failure.
    public var kind: FailureKind { .badPlan }

    /// A description in sentences.
    public var description: String { "The journal \(journal) was started with another plan. Nothing was started." }
}

/// The error that new tags would get a different password than the tags that already have rows.
public struct OtherPassword: ClassifiedError {
    /// The name of the journal.
    public let journal: String
    /// Whether a password or keys were given for this run.
    public let isGiven: Bool
    /// Whether the error is about the keys of NTAG 424 DNA tags instead of a password.
    public var isOfKeys = false

    /// The kind of failure.
    public var kind: FailureKind { .badPlan }

    /// A description in sentences.
    public var description: String {
        let beginning =
            switch (isGiven, isOfKeys) {
            case (true, false): "This plan was started with another password."
            case (false, false): "This plan was started with a password, but none is given now."
            case (true, true): "This plan was started with other keys."
            case (false, true): "The tags of this plan have keys, but none are given now."
            }
        return beginning
            + " Nothing was started. Tags in \(journal) already have the earlier \(isOfKeys ? "keys" : "password")."
    }
}
