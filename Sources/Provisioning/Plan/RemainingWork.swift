// The rows of a plan that are left, and the work that is left to do for them — Docs/Provisioning.md

/// The rows of a plan that are not provisioned yet, and what will be done to their tags.
public struct RemainingWork: Sendable {
    /// The number of rows that are provisioned.
    public private(set) var provisioned = 0
    /// The number of remaining rows.
    public private(set) var rows = 0
    /// The number of remaining rows whose tags will be locked.
    public private(set) var locked = 0
    /// The number of remaining rows whose tags will get a password.
    public private(set) var protected = 0
    /// The number of exchanges that the remaining rows need if their tags are Type 2 Tags.
    public private(set) var exchanges = ExchangeEstimate.none
    private var done: Set<Int> = []

    /// Creates an empty count.
    ///
    /// - Parameters:
    ///   - journal: the journal that is continued, or nil if all rows remain.
    ///   - extendedPlan: the plan to which the journal is extended, or nil if it keeps its own plan.
    /// - Throws: `JournalError` if the journal cannot be read.
    public init(after journal: (any ProvisionJournal)?, as extendedPlan: PlanIdentity? = nil) throws {
        guard let journal else { return }
        let rule = SealRule(of: extendedPlan ?? journal.plan)
        var done: Set<Int> = []
        try journal.forEachRow(in: [.proven, .sealed]) { row in
            if row.state == .sealed || rule.seal(of: row.row).isNone { done.insert(row.row.number) }
        }
        self.done = done
    }

    /// Adds a row of the plan.
    ///
    /// Returns whether the row remains to be provisioned.
    @discardableResult public mutating func add(_ row: CheckedRow) -> Bool {
        guard !done.contains(row.order.row.number) else {
            provisioned += 1
            return false
        }
        rows += 1
        if row.order.settings.lock { locked += 1 }
        if row.order.settings.protect { protected += 1 }
        exchanges += ExchangeEstimate(messageLength: row.messageLength, locks: row.order.settings.lock)
        return true
    }
}
