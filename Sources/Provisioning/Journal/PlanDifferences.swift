// Differences between a journal's plan and the current plan

/// The differences between two plans: the first few, and the number of all of them.
public struct PlanDifferences: Hashable, Sendable {
    /// The current plan.
    public let plan: PlanIdentity
    /// The lines of the recipe that differ: first the removed lines, then the added ones.
    public let recipe: [Recipe]
    /// The first rows that differ, at most ``limit``.
    public let rows: [Row]
    /// The number of rows that differ, without those in ``amended``.
    public let rowCount: Int
    /// The rows that kept their numbers and changed only in columns that affect no tag, such as a remark.
    public let amended: Set<Int>
    /// The rows whose changed cells the journal accepts, because no tag has them.
    public let corrected: Set<Int>
    /// Whether the journal accepts changed cells in rows that no tag has.
    ///
    /// A journal in a database does not, because another station may be about to write such rows.
    public let acceptsCorrections: Bool
    /// The earlier rows that a tag has, and that are now missing or have other cells.
    public let onTags: Set<Int>
    /// Whether rows were inserted or removed, so that rows have moved to other places.
    public let movesRows: Bool
    /// Whether the only new option is `--lock`, and the journal can adopt it.
    ///
    /// Tags that already have rows are then locked when they are placed again.
    ///
    /// A journal in a database cannot adopt it. Neither can a journal with tags that are already locked or protected,
    /// because it would count protected tags as locked.
    public let addsLock: Bool
    /// Whether the journal can be extended to the plan: new rows follow the earlier ones, and every earlier row is
    /// unchanged or one of ``corrected`` or ``amended``.
    ///
    /// Of the options, only `--lock` may be new: see ``addsLock``.
    public let isExtension: Bool
    /// Whether the bytes of the file differ.
    ///
    /// The rows may still be equal, for example if only line breaks differ.
    public let isOtherFile: Bool

    /// The maximum number of rows that are listed.
    public static let limit = 20

    /// Whether there are no differences, so that the journal can be used as it is.
    public var isEmpty: Bool { recipe.isEmpty && !isOtherFile }

    /// A line of the recipe that only one of the plans has.
    public enum Recipe: Hashable, Sendable {
        /// The line was added after the plan was started.
        case added(String)
        /// The line was removed after the plan was started.
        case removed(String)
    }

    /// A row that differs.
    public enum Row: Hashable, Sendable {
        /// The row was added after the plan was started.
        case added(PlanRow)
        /// The row was removed after the plan was started.
        case removed(PlanRow)
        /// Another row is now in its place. `columns` are the columns that differ, in the order of the file. There are
        /// none if only the order of the columns differs.
        case changed(from: PlanRow, to: PlanRow, columns: [Column])
    }

    /// A column whose value differs.
    ///
    /// A value is nil if the row has no such column.
    public struct Column: Hashable, Sendable {
        /// The column's name.
        public let name: String
        /// The value when the plan was started, or three dots for a password.
        public let old: String?
        /// The current value, or three dots for a password.
        public let new: String?

        /// Creates the difference in a column.
        public init(name: String, old: String?, new: String?) {
            self.name = name
            self.old = old
            self.new = new
        }
    }
}

extension PlanDifferences {
    /// The differences, one per line, and the number of those beyond the limit.
    public var lines: [String] {
        var lines = recipe.map { difference in
            switch difference {
            case .removed(let line): "no longer: \(line)"
            case .added(let line): "new: \(line)"
            }
        }
        lines += rows.map { row in
            switch row {
            case .added(let row): "line \(row.line): a new row"
            case .removed(let row): "row \(row.number): removed" + note(on: row)
            case .changed(let old, let row, let columns) where columns.isEmpty:
                "line \(row.line): the columns are in another order" + note(on: old)
            case .changed(let old, let row, let columns):
                "line \(row.line): "
                    + columns.map { column in
                        "\(column.name): was \(column.old.map { "‘\($0)’" } ?? "missing"), now \(column.new.map { "‘\($0)’" } ?? "missing")"
                    }.joined(separator: "; ") + note(on: old)
            }
        }
        let more = rowCount - rows.count
        if more > 0 { lines.append("and \(more) more rows") }
        return lines
    }

    /// Returns a note for a row that a tag has, or an empty string for a row that may still change.
    private func note(on row: PlanRow) -> String { onTags.contains(row.number) ? " (a tag has this row)" : "" }
}

extension PlanDifferences.Row {
    static func change(from old: PlanRow, to new: PlanRow) -> Self {
        let names = new.fields.map(\.name) + old.fields.map(\.name).filter { new[$0] == nil }
        let columns = names.filter { old[$0] != new[$0] }
        return .changed(from: old, to: new, columns: columns.map { .init(name: $0, old: old[$0], new: new[$0]) })
    }

    fileprivate func hiding(_ secrets: [ReportSecrets]) -> Self {
        guard case .changed(let old, let new, let columns) = self else { return self }
        let (oldTold, newTold) = (
            secrets.reduce(old) { $1.hide(in: $0) }, secrets.reduce(new) { $1.hide(in: $0) }
        )
        return .changed(
            from: old, to: new,
            columns: columns.map { .init(name: $0.name, old: oldTold[$0.name], new: newTold[$0.name]) })
    }
}

extension ProvisionJournal {
    /// Compares the journal's plan with the current plan row by row, without holding either in memory.
    ///
    /// - Parameters:
    ///   - recipe: the plan's recipe, which says which columns affect tags; nil if all of them do.
    ///   - rows: passes each row of the plan to its closure, and returns the identity of that plan.
    /// - Returns: the differences, without random digits and with passwords hidden.
    /// - Throws: a `JournalError`, or what `rows` threw.
    public func differences(
        with recipe: RowRecipe? = nil, rows: ((PlanRow) throws -> Void) throws -> PlanIdentity
    ) throws -> PlanDifferences {
        var comparison = PlanComparison(old: JournalPages(of: self), recipe)
        let new = try rows { row in try comparison.take(row) }
        try comparison.finish()
        let lines = new.lastingRecipe.difference(from: plan.lastingRecipe)
        let options = (lines.removals + lines.insertions).map { change -> PlanDifferences.Recipe in
            switch change {
            case .insert(_, let line, _): .added(ReportSecrets.hide(inRecipe: line))
            case .remove(_, let line, _): .removed(ReportSecrets.hide(inRecipe: line))
            }
        }
        let corrected = acceptsCorrections ? comparison.corrected : []
        let isLockNew = acceptsCorrections && options == [.added(RowSettings.lockLine)]
        let addsLock = try isLockNew && counts()[.sealed, default: 0] == 0
        return PlanDifferences(
            plan: new, recipe: options,
            rows: comparison.first.map { $0.hiding([ReportSecrets(of: plan), ReportSecrets(of: new)]) },
            rowCount: comparison.count, amended: comparison.amended, corrected: corrected,
            acceptsCorrections: acceptsCorrections,
            onTags: comparison.onTags, movesRows: comparison.movesRows, addsLock: addsLock,
            isExtension: (addsLock || options.isEmpty && comparison.count > 0)
                && comparison.count == comparison.appended + corrected.count,
            isOtherFile: new.sha256 != plan.sha256)
    }
}

/// A row of a journal, as it is written in the plan.
struct StartedRow {
    let row: PlanRow
    let isPending: Bool
}

/// The rows of a journal, one at a time.
struct JournalPages {
    private let journal: any ProvisionJournal
    private var page: ArraySlice<JournalRow> = []
    private var last: Int? = 0

    init(of journal: any ProvisionJournal) { self.journal = journal }

    mutating func next() throws(JournalError) -> StartedRow? {
        if page.isEmpty, let last {
            page = ArraySlice(try journal.page(after: last, in: Set(RowState.allCases)) ?? [])
            self.last = page.last?.row.number
        }
        return page.popFirst().map { StartedRow(row: $0.row.withoutTokens, isPending: $0.state == .pending) }
    }
}

/// Compares two plans row by row.
///
/// Where the plans diverge, it looks for the nearest pair of equal rows. An inserted or deleted row is therefore one
/// difference, instead of one for each row after it.
struct PlanComparison {
    private(set) var first: [PlanDifferences.Row] = []
    private(set) var count = 0
    /// The number of new rows that follow all earlier ones.
    private(set) var appended = 0
    /// The rows without a tag that kept their numbers but have other cells.
    private(set) var corrected: Set<Int> = []
    /// The rows that kept their numbers and changed only in columns that affect no tag.
    private(set) var amended: Set<Int> = []
    /// The rows that a tag has and that differ or are missing.
    private(set) var onTags: Set<Int> = []
    /// Whether rows were inserted before the last earlier row, or removed.
    private(set) var movesRows = false

    private var old: JournalPages
    /// The recipe that says which columns affect tags, or nil if all of them do.
    private let recipe: RowRecipe?
    private var oldWindow: [StartedRow] = []
    private var newWindow: [PlanRow] = []

    /// The maximum number of rows that can be inserted or deleted in one place and still be recognised as such.
    private static let reach = 32

    init(old: JournalPages, _ recipe: RowRecipe?) { (self.old, self.recipe) = (old, recipe) }

    mutating func take(_ row: PlanRow) throws(JournalError) {
        newWindow.append(row.withoutTokens)
        while newWindow.count >= Self.reach { try step() }
    }

    mutating func finish() throws(JournalError) {
        try fill()
        while !(oldWindow.isEmpty && newWindow.isEmpty) {
            try step()
            try fill()
        }
    }

    private mutating func fill() throws(JournalError) {
        while oldWindow.count < Self.reach, let row = try old.next() { oldWindow.append(row) }
    }

    /// Records the next differences, and removes at least one row from the windows.
    private mutating func step() throws(JournalError) {
        try fill()
        let (removed, added) = meeting()
        let changed = min(removed, added)
        for (old, new) in zip(oldWindow.prefix(changed), newWindow) {
            if isAmended(old.row, new) {
                amended.insert(new.number)
                continue
            }
            if !old.isPending {
                onTags.insert(old.row.number)
            } else if old.row.number == new.number {
                corrected.insert(new.number)
            }
            note(.change(from: old.row, to: new))
        }
        for old in oldWindow[changed..<max(changed, removed)] {
            if !old.isPending { onTags.insert(old.row.number) }
            movesRows = true
            note(.removed(old.row))
        }
        for row in newWindow[changed..<max(changed, added)] { note(.added(row)) }
        // If the old window is not full, it ends with the journal's last row.
        if removed == oldWindow.count, removed < Self.reach {
            appended += added - changed
        } else if added > changed {
            movesRows = true
        }
        let isEqual = removed < oldWindow.count && added < newWindow.count
        oldWindow.removeFirst(removed)
        newWindow.removeFirst(added)
        if isEqual {
            oldWindow.removeFirst()
            newWindow.removeFirst()
        }
    }

    /// Whether a row kept its number, and its tag would be written in the same way.
    ///
    /// Rows are aligned by all their cells, because a row whose message depends only on the UID is recognised by its
    /// other cells alone.
    private func isAmended(_ old: PlanRow, _ new: PlanRow) -> Bool {
        guard let recipe, old.number == new.number else { return false }
        return recipe.cells(of: old) == recipe.cells(of: new)
    }

    /// Returns the number of rows in each window before the nearest pair of equal rows.
    private func meeting() -> (removed: Int, added: Int) {
        let limit = oldWindow.count + newWindow.count
        for distance in 0..<max(limit, 1) {
            let first = max(0, distance - newWindow.count + 1)
            for removed in stride(from: first, to: min(distance + 1, oldWindow.count), by: 1)
            where oldWindow[removed].row.fields == newWindow[distance - removed].fields {
                return (removed, distance - removed)
            }
        }
        return (oldWindow.count, newWindow.count)
    }

    private mutating func note(_ row: PlanDifferences.Row) {
        count += 1
        if first.count < PlanDifferences.limit { first.append(row) }
    }
}
