// What a run would do with the journal of a plan, and which rows it would write — Docs/Provisioning.md

import Foundation

/// The way in which a run uses the journal of its plan.
public enum PlanStanding: Hashable, Sendable {
    /// The plan has no journal, so a new one is created.
    case new
    /// The journal is continued.
    case continued
    /// The plan changed, but no row has a tag: the journal is created again.
    case restarted
    /// The new rows at the end of the plan are added to the journal.
    case extended(PlanDifferences)
}

extension CheckedPlan {
    /// Compares the plan with its journal as a run does, without changing anything.
    ///
    /// - Parameters:
    ///   - journal: the journal, or nil if the plan was not started.
    ///   - name: the name of the journal for errors.
    ///   - extends: whether new rows at the end of the plan are appended to it.
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
    /// The exchanges that the remaining rows need if their tags are Type 2 Tags.
    public private(set) var exchanges = ExchangeEstimate.none
    private var done = IndexSet()

    /// Creates an empty count.
    ///
    /// - Parameter journal: the journal that is continued, or nil if all rows remain.
    /// - Throws: `JournalError`.
    public init(after journal: (any ProvisionJournal)?) throws {
        guard let journal else { return }
        let rule = SealRule(of: journal.plan)
        var done = IndexSet()
        try journal.forEachRow(in: [.proven, .sealed]) { row in
            if row.state == .sealed || rule.seal(of: row.row).isNone { done.insert(row.row.number) }
        }
        self.done = done
    }

    /// Adds a row of the plan.
    ///
    /// Returns whether it remains to be provisioned.
    @discardableResult public mutating func add(_ row: CheckedRow) -> Bool {
        guard !done.contains(row.order.row.number) else {
            provisioned += 1
            return false
        }
        rows += 1
        if row.order.settings.lock { locked += 1 }
        if row.order.settings.protect { protected += 1 }
        exchanges += ExchangeEstimate(messageLength: row.messageLength)
        return true
    }
}
