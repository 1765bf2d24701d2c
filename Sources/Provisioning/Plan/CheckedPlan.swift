// A plan's file with what is made of it: read and checked in one pass, and the journal that belongs to it

public import Foundation
import DurableFiles

/// A plan and its recipe.
public struct CheckedPlan: Sendable {
    /// The plan's file.
    public let path: String
    /// What each row becomes.
    public let recipe: RowRecipe
    /// Whether messages are permitted that phones cannot use.
    public var permitsFaults: Bool
    /// Called before each row; throws to end the reading of a large plan, and to undo what its reader had begun.
    private let checkpoint: @Sendable () throws -> Void

    /// Describes a plan; nothing is read yet.
    public init(
        path: String, recipe: RowRecipe, permitsFaults: Bool = false,
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) {
        self.path = path
        self.recipe = recipe
        self.permitsFaults = permitsFaults
        self.checkpoint = checkpoint
    }

    /// Gives each row to a closure, and says at the end which plan that was.
    ///
    /// - Throws: ``BadRows`` when a row is bad: all of them are named, so the closure has got rows for nothing.
    package func rows(_ add: (PlanRow) throws -> Void) throws -> PlanIdentity {
        try check { checked in try add(checked.order.row) }.plan
    }

    /// Gives each row, checked, to a closure; what the check found out comes with the plan's identity.
    ///
    /// - Throws: ``BadRows``; `PlanError`.
    public func check(_ body: (CheckedRow) throws -> Void) throws -> (plan: PlanIdentity, check: PlanCheck) {
        let file = try PlanFile(path: path)
        if let columns = try file.columns() { try recipe.check(columns: columns) }
        var check = PlanCheck(recipe: recipe, permitsFaults: permitsFaults)
        while let entry = try file.next() {
            try checkpoint()
            guard let row = check.add(entry), check.badRowCount == 0 else { continue }
            try body(row)
        }
        guard check.badRowCount == 0 else { throw BadRows(check) }
        if let column = check.unusedPasswordColumn { throw PlanError(column: column, .unusedPassword) }
        return (PlanIdentity(file: path, sha256: try file.digest().hex, recipe: recipe.lines), check)
    }

    /// Makes the journal of the plan: every row checked, and the password known again.
    func begin(at file: URL) throws -> (journal: ProvisionJournal, check: PlanCheck?, duplicates: DuplicateRows) {
        var check: PlanCheck?
        var duplicates = DuplicateRows()
        let journal = try ProvisionJournal.create(at: file) { add in
            let (plan, result) = try self.check { checked in
                duplicates.add(checked)
                try add(checked.order.row)
            }
            check = result
            guard result.takesGeneralPassword, let password = recipe.password else { return plan }
            return PlanIdentity(
                file: plan.file, sha256: plan.sha256, recipe: plan.recipe, password: PlanPassword(of: password))
        }
        return (journal, check, duplicates)
    }

    /// Whether a journal was made of this file with this recipe.
    func isThePlan(of identity: PlanIdentity) throws -> Bool {
        // The rows are not needed to know that.
        let now = PlanIdentity(file: path, sha256: "", recipe: recipe.lines)
        guard now.hasRecipe(of: identity) else { return false }
        return try PlanFile(path: path).digest().hex == identity.sha256
    }

    /// Whether the tags to come get the password that those before them have; a journal of an earlier version does not
    /// tell.
    func hasThePassword(of identity: PlanIdentity) -> Bool {
        guard let digest = identity.password else { return true }
        return recipe.password.map(digest.isDigest) ?? false
    }

    /// The journal of the plan: the one that is there, if it is of the same plan, or a new one with every row checked, and
    /// compared with the others.
    ///
    /// - Parameter url: the journal's file.
    /// - Returns: the journal; what the check of a new one found, and which of its rows say the same.
    /// - Throws: ``BadRows``, ``PlanChanged``, ``OtherPassword``; `JournalError`, `PlanError`.
    public func journal(
        at url: URL
    ) throws -> (journal: ProvisionJournal, check: PlanCheck?, duplicates: DuplicateRows?) {
        if let journal = try existingJournal(at: url) { return (journal, nil, nil) }
        let (journal, check, duplicates) = try begin(at: url)
        return (journal, check, duplicates)
    }

    /// The journal that is there; nil when there is none, or when it was of another plan and no tag had a row of that.
    private func existingJournal(at url: URL) throws -> ProvisionJournal? {
        let journal: ProvisionJournal
        do {
            journal = try ProvisionJournal.open(url)
        } catch {
            guard case .missing = error else { throw error }
            return nil
        }
        let (isSame, hasPassword) = (try isThePlan(of: journal.plan), hasThePassword(of: journal.plan))
        if !(isSame && hasPassword), try journal.counts().allSatisfy({ $0.key == .pending || $0.value == 0 }) {
            journal.discard()
            return nil
        }
        if !isSame {
            let differences = try journal.differences { try rows($0) }
            // The file may be saved again, with other line ends, say: the rows are what counts.
            guard differences.recipe.isEmpty, differences.rowCount == 0 else {
                throw PlanChanged(journal: url.path, differences: differences)
            }
        }
        guard hasPassword else { throw OtherPassword(journal: url.path, isGiven: recipe.password != nil) }
        try journal.note(recipe: recipe.lines)
        return journal
    }
}
