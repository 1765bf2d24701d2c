// How a run would use the journal of a plan — Docs/Provisioning.md

/// The way in which a run uses the journal of its plan.
public enum PlanStanding: Hashable, Sendable {
    /// The plan has no journal, so a new one is created.
    case new
    /// The journal is continued.
    case continued
    /// The journal is continued, and takes over cells that changed only in columns that affect no tag.
    case amended(PlanDifferences)
    /// The plan changed, but no row has a tag, so the journal is created again.
    case restarted
    /// The new rows at the end of the plan are added to the journal, and rows that no tag has are corrected.
    ///
    /// The extended plan may also lock tags that the earlier plan left unlocked.
    case extended(PlanDifferences)

    /// The identity of the extended plan, or nil if the journal keeps its own plan.
    public var extendedPlan: PlanIdentity? {
        if case .extended(let differences) = self { differences.plan } else { nil }
    }
}

extension CheckedPlan {
    /// Compares the plan with its journal in the same way as a run, but without changing anything.
    ///
    /// - Parameters:
    ///   - journal: the journal, or nil if the plan was not started.
    ///   - name: the name of the journal for errors.
    ///   - extends: whether new rows at the end of the plan are appended to the journal, and corrected rows replaced.
    /// - Returns: what the run does with the journal.
    /// - Throws: ``BadRows``, ``PlanChanged``, ``OtherPassword``, ``NothingToExtend``; `JournalError`, for example
    ///   `rowsNotShown` for a login that may not read rows; `PlanError`.
    public func standing(
        in journal: (any ProvisionJournal)?, named name: String, extends: Bool = false
    ) throws -> PlanStanding {
        guard let journal else {
            guard !extends else { throw NothingToExtend(plan: source, journal: name) }
            return .new
        }
        // If the content of the rows cannot be read, all rows would seem to differ from the plan.
        guard journal.readsRows else { throw JournalError.rowsNotShown(journal: name) }
        let hasPassword = hasThePassword(of: journal.plan)
        // The file may have been saved again, for example with other line endings. Only differences in rows count.
        let differences = try isThePlan(of: journal.plan) ? nil : journal.differences(with: recipe) { try rows($0) }
        let isAmended = differences?.amended.isEmpty == false
        let isSame = differences.map { $0.recipe.isEmpty && $0.rowCount == 0 } ?? true
        // In a plan that stations share, a different password is an error at the station, not a change of the plan.
        // `station` cannot be tested here: it is nil for a journal in a database that is opened only for reading.
        let isOther = !isSame || isAmended || !hasPassword && journal is EmbeddedJournal
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
        if let addition { return .extended(addition) }
        if let differences, isAmended { return .amended(differences) }
        return .continued
    }
}
