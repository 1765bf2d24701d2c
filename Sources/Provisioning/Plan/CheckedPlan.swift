// A plan with its recipe, which is read and checked in one pass, and the journal that belongs to it

public import Foundation
import DurableFiles

/// A plan and its recipe.
public struct CheckedPlan: Sendable {
    /// The source of the rows.
    public let source: PlanSource
    /// How each row becomes a message.
    public let recipe: RowRecipe
    /// Whether messages that phones cannot use are permitted.
    public var permitsFaults: Bool
    /// A closure that is called before each row.
    ///
    /// It can throw an error to stop the reading of a large plan. Everything done before the error is undone.
    private let checkpoint: @Sendable () throws -> Void

    /// Creates a plan from a file.
    ///
    /// Nothing is read yet.
    public init(path: String, recipe: RowRecipe, permitsFaults: Bool = false) {
        self.init(.file(path), recipe: recipe, permitsFaults: permitsFaults)
    }

    /// Creates a plan from a source.
    ///
    /// Nothing is read yet.
    public init(
        _ source: PlanSource, recipe: RowRecipe, permitsFaults: Bool = false,
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) {
        self.source = source
        self.recipe = recipe
        self.permitsFaults = permitsFaults
        self.checkpoint = checkpoint
    }

    /// Passes each row to a closure, and returns the identity of the plan.
    ///
    /// - Throws: ``BadRows`` if a row is bad. In that case, discard the rows that the closure received.
    func rows(_ add: (PlanRow) throws -> Void) throws -> PlanIdentity {
        try check { checked in try add(checked.order.row) }.plan
    }

    /// Passes each checked row to a closure, and returns the plan's identity and the results of the check.
    ///
    /// In this check, all random digits are zeros. The digits for tags are drawn when a journal is created.
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
        check.notes = rows.notes + check.notesOnSettings
        return (PlanIdentity(file: source.name, sha256: try rows.digest().hex, recipe: recipe.lines), check)
    }

    /// Reads the plan for a journal: checks every row, adds its random digits, and computes the digest of the password.
    ///
    /// Passes the rows from number `first` on, and those in `changed`, to `add`. `journal` contains the rows before
    /// `first`. It is nil if the journal is new.
    private func contents(
        from first: Int = 1, replacing changed: Set<Int> = [], extending journal: (any ProvisionJournal)? = nil,
        _ add: (PlanRow) throws -> Void
    ) throws -> PlanDraft {
        var duplicates = DuplicateRows()
        var damagedLocks = RowNumbers()
        let (plan, check) = try check(.drawn) { checked in
            duplicates.add(checked)
            let row = checked.order.row
            guard row.number >= first || changed.contains(row.number) else { return }
            try add(row)
            if checked.isDamaged, checked.order.settings.lock { damagedLocks.add(row.number) }
        }
        let password =
            journal?.plan.password
            ?? recipe.dynamic.map { PlanPassword(of: $0.keys) }
            ?? (check.takesGeneralPassword ? recipe.password.map { PlanPassword(of: $0) } : nil)
        let identity = PlanIdentity(file: plan.file, sha256: plan.sha256, recipe: plan.recipe, password: password)
        return PlanDraft(
            plan: identity, check: check, duplicates: duplicates, first: first, changed: changed,
            damagedLocks: damagedLocks)
    }

    private func begin(in store: any JournalStore, agree: (PlanDraft) throws -> Void) throws -> PlanJournal {
        var found: PlanDraft?
        let journal = try store.create { add in
            let draft = try contents(add)
            try agree(draft)
            found = draft
            return draft.plan
        }
        return PlanJournal(journal, found) { journal.discard() }
    }

    /// Creates the plan's journal in place of a journal in which no row has a tag.
    ///
    /// Returns nil if another process or station is using the old journal.
    private func replace(
        _ journal: any ProvisionJournal, redraw: (_ rows: Int) throws -> Void, agree: (PlanDraft) throws -> Void
    ) throws -> PlanJournal? {
        var found: PlanDraft?
        var digits = try DrawnDigits(of: journal)
        guard
            let new = try journal.replaced(rows: { add in
                let draft = try contents { try add(digits.row($0)) }
                // Other stations may be using the plan that has this name.
                if digits.lost > 0 || journal.station != nil { try redraw(digits.lost) }
                try agree(draft)
                found = draft
                return draft.plan
            })
        else { return nil }
        // This cannot be undone, because only the new journal contains the refused tags and the drawn digits.
        return PlanJournal(new, found, keptDigits: digits.kept)
    }

    /// Appends the plan's new rows to a journal, and replaces the cells of corrected and amended rows.
    private func extend(
        _ journal: any ProvisionJournal, to differences: PlanDifferences, agree: (PlanDraft) throws -> Void
    ) throws -> PlanJournal {
        var found: PlanDraft?
        let count = try journal.counts().values.reduce(0, +)
        let changed = journal.acceptsCorrections ? differences.corrected.union(differences.amended) : []
        let earlier = try changed.sorted().compactMap { try journal.row($0)?.row }
        let digits = Dictionary(uniqueKeysWithValues: earlier.map { ($0.number, $0) })
        let extended = try journal.extended(after: count) { add in
            let draft = try contents(from: count + 1, replacing: changed, extending: journal) { row in
                try add(digits[row.number].map { row.withDigits(of: $0) } ?? row)
            }
            // Only the version of the file with this digest was compared with the journal's rows.
            guard draft.plan.sha256 == differences.plan.sha256 else { throw PlanError(.changedMeanwhile) }
            // If only amended rows changed, the plan continues, and everything else is known.
            if differences.isExtension {
                try agree(draft)
                found = draft
            }
            return draft.plan
        }
        return PlanJournal(
            extended, found, corrected: differences.corrected.sorted(),
            amended: differences.amended.sorted(), addsLock: differences.addsLock
        ) {
            try? extended.shorten(to: count, as: journal.plan)
            guard !earlier.isEmpty else { return }
            _ = try? extended.extended(after: count) { add in
                try earlier.forEach(add)
                return journal.plan
            }
        }
    }

    /// Whether a journal was created from this file with this recipe.
    func isThePlan(of identity: PlanIdentity) throws -> Bool {
        // Compare the recipe first, because this does not require reading the rows.
        let now = PlanIdentity(file: source.name, sha256: "", recipe: recipe.lines)
        guard now.hasRecipe(of: identity) else { return false }
        return try source.open().digest().hex == identity.sha256
    }

    /// Whether new tags get the same password as the earlier ones.
    ///
    /// This is also true if the journal stores no digest, because no row needed a password or an earlier version of
    /// nfctool created the journal.
    func hasThePassword(of identity: PlanIdentity) -> Bool {
        guard let digest = identity.password else { return true }
        if let dynamic = recipe.dynamic { return digest.isDigest(of: dynamic.keys) }
        return recipe.password.map { digest.isDigest(of: $0) } ?? false
    }

    /// Returns the journal of the plan: the existing one if it is for the same plan, otherwise a new one.
    ///
    /// For a new journal, every row is checked and compared with the others.
    ///
    /// - Parameters:
    ///   - store: where the journal is stored.
    ///   - extends: whether new rows at the end of the plan are appended to the journal, and corrected rows replaced.
    ///   - redraw: called before the journal of a changed plan without tags is replaced, if rows would lose their
    ///     random digits or the journal is in a database. It receives the number of these rows, and can throw an error
    ///     to keep the old journal.
    ///   - agree: called before new or changed rows are stored. It can throw an error to keep everything as it was.
    /// - Returns: the journal, and the results of reading the plan if the plan was read for it.
    /// - Throws: ``BadRows``, ``PlanChanged``, ``OtherPassword``, ``NothingToExtend``; `JournalError`, `PlanError`.
    public func journal(
        in store: any JournalStore, extends: Bool = false, redraw: (_ rows: Int) throws -> Void = { _ in },
        agree: (PlanDraft) throws -> Void = { _ in }
    ) throws -> PlanJournal {
        if let journal = try existingJournal(in: store, extends: extends, redraw, agree) { return journal }
        do {
            return try begin(in: store, agree: agree)
        } catch JournalError.exists {
            // Another station may have created the journal at the same moment.
            if let journal = try existingJournal(in: store, extends: extends, redraw, agree) { return journal }
            throw JournalError.exists(path: store.name)
        }
    }

    /// Returns the journal of the plan in a file.
    ///
    /// See ``journal(in:extends:redraw:agree:)``.
    public func journal(
        at url: URL, extends: Bool = false, redraw: (_ rows: Int) throws -> Void = { _ in }
    ) throws -> PlanJournal {
        try journal(in: JournalFile(url), extends: extends, redraw: redraw)
    }

    /// Returns the existing journal, or nil if there is none.
    ///
    /// If it is for another plan and no row has a tag, it is replaced.
    private func existingJournal(
        in store: any JournalStore, extends: Bool, _ redraw: (_ rows: Int) throws -> Void,
        _ agree: (PlanDraft) throws -> Void
    ) throws -> PlanJournal? {
        guard let journal = try store.open() else {
            guard !extends else { throw NothingToExtend(plan: source, journal: store.name) }
            return nil
        }
        return try resume(journal, named: store.name, extends: extends, redraw, agree)
    }

    private func resume(
        _ journal: any ProvisionJournal, named name: String, extends: Bool, _ redraw: (_ rows: Int) throws -> Void,
        _ agree: (PlanDraft) throws -> Void
    ) throws -> PlanJournal {
        switch try standing(in: journal, named: name, extends: extends) {
        case .restarted:
            if let replaced = try replace(journal, redraw: redraw, agree: agree) { return replaced }
            // If still no row has a tag, another station is using the plan.
            guard try journal.hasTags() else { throw JournalError.planInUse(journal: name) }
            return try resume(journal, named: name, extends: extends, redraw, agree)
        case .extended(let differences): return try extend(journal, to: differences, agree: agree)
        case .amended(let differences) where journal.acceptsCorrections:
            return try extend(journal, to: differences, agree: agree)
        case .amended(let differences):
            try journal.note(recipe: recipe.lines)
            return PlanJournal(journal, amended: differences.amended.sorted())
        case .new, .continued: break
        }
        try journal.note(recipe: recipe.lines)
        return PlanJournal(journal)
    }
}

/// A plan's journal, and the results of reading the plan.
public struct PlanJournal: Sendable {
    /// The journal.
    public let journal: any ProvisionJournal
    /// The plan whose rows were stored, or nil for an existing journal.
    public let draft: PlanDraft?
    /// The results of checking the plan, or nil for an existing journal.
    public var check: PlanCheck? { draft?.check }
    /// The duplicate rows, or nil for an existing journal.
    public var duplicates: DuplicateRows? { draft?.duplicates }
    /// The number of rows in a changed plan that keep their random digits.
    public let keptDigits: Int
    /// The rows without a tag whose cells were replaced with those of the plan.
    public let corrected: [Int]
    /// The rows of which only cells changed that affect no tag.
    ///
    /// A journal that does not accept corrections keeps the earlier cells.
    public let amended: [Int]
    /// Whether the plan now requires a lock and did not before.
    public let addsLock: Bool
    /// Restores the earlier journal or deletes a new one.
    ///
    /// The journal must not be used afterwards.
    public let undo: @Sendable () -> Void

    package init(
        _ journal: any ProvisionJournal, _ draft: PlanDraft? = nil, keptDigits: Int = 0, corrected: [Int] = [],
        amended: [Int] = [], addsLock: Bool = false,
        undo: @escaping @Sendable () -> Void = {}
    ) {
        self.journal = journal
        self.draft = draft
        self.keptDigits = keptDigits
        self.corrected = corrected
        self.amended = amended
        self.addsLock = addsLock
        self.undo = undo
    }
}

extension PlanEntry {
    fileprivate func with(_ tokens: [RowToken], _ digits: RowToken.Digits) -> PlanEntry {
        if case .row(let row) = self { .row(row.with(tokens, digits)) } else { self }
    }
}
