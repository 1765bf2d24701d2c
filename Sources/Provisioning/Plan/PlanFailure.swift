// Why a plan is not begun, or not gone on with

public import ReaderInterface

/// Rows of a plan that cannot be carried out; nothing was started.
public struct BadRows: ClassifiedError {
    /// The first of them, with what is wrong.
    public let rows: [PlanError]
    /// How many there are.
    public let count: Int
    /// How many rows the plan has.
    public let total: Int
    /// The columns that nothing uses.
    public let unused: [UnusedColumn]

    /// What kind of thing went wrong.
    public var kind: FailureKind { .badFile }

    /// What happened, in sentences.
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

/// The plan, or its recipe, is not the one the journal belongs to.
public struct PlanChanged: ClassifiedError {
    /// The journal's file.
    public let journal: String
    /// What is not as before.
    public let differences: PlanDifferences

    /// What kind of thing went wrong.
    public var kind: FailureKind { .badFile }

    /// What happened, in sentences.
    public var description: String { "The journal \(journal) was started with another plan. Nothing was started." }
}

/// The tags to come would get another password than those that have their rows.
public struct OtherPassword: ClassifiedError {
    /// The journal's file.
    public let journal: String
    /// Whether this run has a password at all.
    public let isGiven: Bool
    /// Whether it is the keys of NTAG 424 DNA tags.
    public var isOfKeys = false

    /// What kind of thing went wrong.
    public var kind: FailureKind { .badFile }

    /// What happened, in sentences.
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
