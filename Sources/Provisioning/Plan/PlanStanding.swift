// How a run would use the journal of a plan — Docs/Provisioning.md

/// The way in which a run uses the journal of its plan.
public enum PlanStanding: Hashable, Sendable {
    /// The plan has no journal, so a new one is created.
    case new
    /// The journal is continued.
    case continued
    /// The plan changed, but no row has a tag: the journal is created again.
    case restarted
    /// The new rows at the end of the plan are added to the journal, and rows that no tag has are corrected.
    ///
    /// The extended plan may also lock tags that the earlier one left unlocked.
    case extended(PlanDifferences)

    /// The identity of the extended plan, or nil if the journal keeps its own.
    public var extendedPlan: PlanIdentity? {
        if case .extended(let differences) = self { differences.plan } else { nil }
    }
}

extension CheckedPlan {
    /// Compares the plan with its journal as a run does, without changing anything.
    ///
    /// - Parameters:
    ///   - journal: the journal, or nil if the plan was not started.
    ///   - name: the name of the journal for errors.
    ///   - extends: whether new rows at the end of the plan are appended to the journal, and corrected rows replaced.
    /// - Returns: what the run does with the journal.
    /// - Throws: ``BadRows``, ``PlanChanged``, ``OtherPassword``, ``NothingToExtend``; `JournalError`, also
    ///   `rowsNotShown` for a login that may not read rows; `PlanError`.
    public func standing(
        in journal: (any ProvisionJournal)?, named name: String, extends: Bool = false
    ) throws -> PlanStanding {
        guard let journal else {
            guard !extends else { throw NothingToExtend(plan: source, journal: name) }
            return .new
        }
        // Rows without their content would all seem to differ from the plan.
        guard journal.readsRows else { throw JournalError.rowsNotShown(journal: name) }
        let hasPassword = hasThePassword(of: journal.plan)
        // The file may have been saved again, for example with other line ends. Only the rows count.
        let differences = try isThePlan(of: journal.plan) ? nil : journal.differences { try rows($0) }
        let isSame = differences.map { $0.recipe.isEmpty && $0.rowCount == 0 } ?? true
        // If the password of a station differs from that of the plan, the station is wrong, not the plan. A journal in
        // a database that is opened only for reading has no station.
        let isOther = !isSame || !hasPassword && journal is EmbeddedJournal
        if isOther, try !journal.hasTags() { return .restarted }
        var addition: PlanDifferences?
        if let differences, !isSame {
            guard extends, differences.isExtension else { throw PlanChanged(journal: name, differences: differences) }
            addition = differences
        }
        guard hasPassword else {
            throw OtherPassword(
                journal: name, isGiven: recipe.password != nil || recipe.dynamic != nil,
                isOfKeys: recipe.dynamic != nil)
        }
        return addition.map { .extended($0) } ?? .continued
    }
}
