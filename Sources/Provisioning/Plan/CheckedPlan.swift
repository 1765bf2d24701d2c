// A plan's file with what is made of it: read and checked in one pass, and the journal that belongs to it

public import Foundation
import DurableFiles

/// A plan and its recipe.
public struct CheckedPlan: Sendable {
    /// Where its rows come from.
    public let source: PlanSource
    /// What each row becomes.
    public let recipe: RowRecipe
    /// Whether messages are permitted that phones cannot use.
    public var permitsFaults: Bool
    /// Called before each row; throws to end the reading of a large plan, and to undo what its reader had begun.
    private let checkpoint: @Sendable () throws -> Void

    /// Describes a plan in a file; nothing is read yet.
    public init(path: String, recipe: RowRecipe, permitsFaults: Bool = false) {
        self.init(.file(path), recipe: recipe, permitsFaults: permitsFaults)
    }

    /// Describes a plan; nothing is read yet.
    public init(
        _ source: PlanSource, recipe: RowRecipe, permitsFaults: Bool = false,
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) {
        self.source = source
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
    /// Random digits are zeros: those that tags get are drawn when a journal is made.
    /// - Throws: ``BadRows``; `PlanError`.
    public func check(_ body: (CheckedRow) throws -> Void) throws -> (plan: PlanIdentity, check: PlanCheck) {
        try check(.sample, body)
    }

    private func check(
        _ digits: RowToken.Digits, _ body: (CheckedRow) throws -> Void
    ) throws -> (plan: PlanIdentity, check: PlanCheck) {
        let (rows, tokens) = (try source.open(), recipe.tokens)
        try recipe.check(columns: rows.columns())
        var check = PlanCheck(recipe: recipe, permitsFaults: permitsFaults)
        while let entry = try rows.next() {
            try checkpoint()
            guard let row = check.add(entry.with(tokens, digits)), check.badRowCount == 0 else { continue }
            try body(row)
        }
        guard check.badRowCount == 0 else { throw BadRows(check) }
        if let column = check.unusedPasswordColumn { throw PlanError(column: column, .unusedPassword) }
        check.notes = rows.notes + (check.hasIdlePasswords ? [.idlePasswords] : [])
        return (PlanIdentity(file: source.name, sha256: try rows.digest().hex, recipe: recipe.lines), check)
    }

    /// Reads the plan for a journal: every row checked, with its random digits, and the password known again.
    ///
    /// Gives `add` the rows from number `first` on: those that the journal lacks. `journal` is the one that has the
    /// rows before them, nil for a new one.
    private func contents(
        from first: Int = 1, extending journal: (any ProvisionJournal)? = nil, _ add: (PlanRow) throws -> Void
    ) throws -> (plan: PlanIdentity, check: PlanCheck, duplicates: DuplicateRows) {
        var duplicates = DuplicateRows()
        let (plan, check) = try check(.drawn) { checked in
            duplicates.add(checked)
            if checked.order.row.number >= first { try add(checked.order.row) }
        }
        let password =
            journal?.plan.password
            ?? recipe.dynamic.map { PlanPassword(of: $0.keys) }
            ?? (check.takesGeneralPassword ? recipe.password.map { PlanPassword(of: $0) } : nil)
        let identity = PlanIdentity(file: plan.file, sha256: plan.sha256, recipe: plan.recipe, password: password)
        return (identity, check, duplicates)
    }

    private func begin(in store: any JournalStore) throws -> PlanJournal {
        var found: (check: PlanCheck, duplicates: DuplicateRows)?
        let journal = try store.create { add in
            let (plan, check, duplicates) = try contents(add)
            found = (check, duplicates)
            return plan
        }
        return PlanJournal(journal, found?.check, found?.duplicates) { journal.discard() }
    }

    /// Makes the plan's journal in the place of one no row of which has a tag; nil where others work with that.
    private func replace(
        _ journal: any ProvisionJournal, agree: (_ rows: Int) throws -> Void
    ) throws -> PlanJournal? {
        var found: (check: PlanCheck, duplicates: DuplicateRows)?
        var digits = try DrawnDigits(of: journal)
        guard
            let new = try journal.replaced(rows: { add in
                let (plan, check, duplicates) = try contents { try add(digits.row($0)) }
                // Other stations may know a plan of the same name.
                if digits.lost > 0 || journal.station != nil { try agree(digits.lost) }
                found = (check, duplicates)
                return plan
            })
        else { return nil }
        // What was refused, and drawn, is in the new one alone: it stays.
        return PlanJournal(new, found?.check, found?.duplicates, keptDigits: digits.kept)
    }

    /// Adds the plan's new rows at its end to a journal.
    private func extend(_ journal: any ProvisionJournal, to differences: PlanDifferences) throws -> PlanJournal {
        var found: (check: PlanCheck, duplicates: DuplicateRows)?
        let count = try journal.counts().values.reduce(0, +)
        let extended = try journal.extended(after: count) { add in
            let (plan, check, duplicates) = try contents(from: count + 1, extending: journal, add)
            // The rows before were compared in this file.
            guard plan.sha256 == differences.plan.sha256 else { throw PlanError(.changedMeanwhile) }
            found = (check, duplicates)
            return plan
        }
        return PlanJournal(extended, found?.check, found?.duplicates) {
            try? extended.shorten(to: count, as: journal.plan)
        }
    }

    /// Whether a journal was made of this file with this recipe.
    func isThePlan(of identity: PlanIdentity) throws -> Bool {
        // The rows are not needed to know that.
        let now = PlanIdentity(file: source.name, sha256: "", recipe: recipe.lines)
        guard now.hasRecipe(of: identity) else { return false }
        return try source.open().digest().hex == identity.sha256
    }

    /// Whether the tags to come get the password that those before them have; a journal of an earlier version does not store this.
    func hasThePassword(of identity: PlanIdentity) -> Bool {
        guard let digest = identity.password else { return true }
        if let dynamic = recipe.dynamic { return digest.isDigest(of: dynamic.keys) }
        return recipe.password.map { digest.isDigest(of: $0) } ?? false
    }

    /// The journal of the plan: the one that is there, if it is of the same plan, or a new one with every row checked,
    /// and compared with the others.
    ///
    /// - Parameters:
    ///   - store: where the journal is.
    ///   - extends: whether new rows at the end of the plan are added to it.
    ///   - redraw: asked before rows of a plan that changed, and has no tag yet, lose the random digits they have, and
    ///     before any such plan in a database is replaced; throws to leave the journal as it is.
    /// - Returns: the journal, and what was found in the rows where the plan was read for it.
    /// - Throws: ``BadRows``, ``PlanChanged``, ``OtherPassword``, ``NothingToExtend``; `JournalError`, `PlanError`.
    public func journal(
        in store: any JournalStore, extends: Bool = false, redraw: (_ rows: Int) throws -> Void = { _ in }
    ) throws -> PlanJournal {
        if let journal = try existingJournal(in: store, extends: extends, redraw) { return journal }
        do {
            return try begin(in: store)
        } catch JournalError.exists {
            // Another station began it in the same moment.
            if let journal = try existingJournal(in: store, extends: extends, redraw) { return journal }
            throw JournalError.exists(path: store.name)
        }
    }

    /// The journal of the plan in a file.
    public func journal(
        at url: URL, extends: Bool = false, redraw: (_ rows: Int) throws -> Void = { _ in }
    ) throws -> PlanJournal {
        try journal(in: JournalFile(url), extends: extends, redraw: redraw)
    }

    /// The journal that is there, or the one in its place when it was of another plan and no tag had a row of that; nil
    /// when there is none.
    private func existingJournal(
        in store: any JournalStore, extends: Bool, _ redraw: (_ rows: Int) throws -> Void
    ) throws -> PlanJournal? {
        guard let journal = try store.open() else {
            guard !extends else { throw NothingToExtend(plan: source, journal: store.name) }
            return nil
        }
        let hasPassword = hasThePassword(of: journal.plan)
        // The file may be saved again, with other line ends, say: the rows are what counts.
        let differences = try isThePlan(of: journal.plan) ? nil : journal.differences { try rows($0) }
        let isSame = differences.map { $0.recipe.isEmpty && $0.rowCount == 0 } ?? true
        // A station that has another password than the plan is wrong, and the plan is right.
        let isOther = !isSame || !hasPassword && journal.station == nil
        if isOther, try !journal.hasTags() {
            if let replaced = try replace(journal, agree: redraw) { return replaced }
            // No tag has got a row meanwhile: it is another station.
            guard try journal.hasTags() else { throw JournalError.planInUse(journal: store.name) }
        }
        var addition: PlanDifferences?
        if let differences, !isSame {
            guard extends, differences.isExtension else {
                throw PlanChanged(journal: store.name, differences: differences)
            }
            addition = differences
        }
        guard hasPassword else {
            throw OtherPassword(
                journal: store.name, isGiven: recipe.password != nil || recipe.dynamic != nil,
                isOfKeys: recipe.dynamic != nil)
        }
        if let addition { return try extend(journal, to: addition) }
        try journal.note(recipe: recipe.lines)
        return PlanJournal(journal)
    }
}

/// A plan's journal, and what was found out when rows came into it.
public struct PlanJournal: Sendable {
    /// The journal.
    public let journal: any ProvisionJournal
    /// What the check of the plan found; nil for a journal that was there.
    public let check: PlanCheck?
    /// Which rows say the same; nil for a journal that was there.
    public let duplicates: DuplicateRows?
    /// How many rows of a plan that changed keep the random digits they had.
    public let keptDigits: Int
    /// Makes the journal what it was before, or takes a new one away; nothing may be done with it after this.
    public let undo: @Sendable () -> Void

    package init(
        _ journal: any ProvisionJournal, _ check: PlanCheck? = nil, _ duplicates: DuplicateRows? = nil,
        keptDigits: Int = 0, undo: @escaping @Sendable () -> Void = {}
    ) {
        self.journal = journal
        self.check = check
        self.duplicates = duplicates
        self.keptDigits = keptDigits
        self.undo = undo
    }
}

extension PlanEntry {
    fileprivate func with(_ tokens: [RowToken], _ digits: RowToken.Digits) -> PlanEntry {
        if case .row(let row) = self { .row(row.with(tokens, digits)) } else { self }
    }
}
