// What differs between the plan a journal was made of and the plan as it is now

/// The differences of two plans: the first of them, and how many there are.
public struct PlanDifferences: Hashable, Sendable {
    /// The plan as it is now.
    public let plan: PlanIdentity
    /// The lines of the recipe that differ: first those that went, then those that came.
    public let recipe: [Recipe]
    /// The first rows that differ, at most `limit`.
    public let rows: [Row]
    /// How many rows differ.
    public let rowCount: Int
    /// Set when all earlier rows are unchanged, and new rows follow them.
    public let isExtension: Bool
    /// Set when the file is not the same, byte by byte; it may be with equal rows: by its line breaks, say.
    public let isOtherFile: Bool

    /// How many rows are listed.
    public static let limit = 20

    /// Set when a journal of the one plan serves the other.
    public var isEmpty: Bool { recipe.isEmpty && !isOtherFile }

    /// A line of the recipe in only one of the plans.
    public enum Recipe: Hashable, Sendable {
        /// It was not there when the plan was begun.
        case added(String)
        /// It was there.
        case removed(String)
    }

    /// A row that differs.
    public enum Row: Hashable, Sendable {
        /// It was not there when the plan was begun.
        case added(PlanRow)
        /// It was there.
        case removed(PlanRow)
        /// In the same place stands another; `columns` are those that differ, in the order of the file.
        case changed(from: PlanRow, to: PlanRow, columns: [Column])
    }

    /// A value that differs; nil where the row has no such column.
    public struct Column: Hashable, Sendable {
        /// The column's name.
        public let name: String
        /// Its value when the plan was begun; three dots for a password.
        public let old: String?
        /// Its value now; three dots for a password.
        public let new: String?

        /// Makes a difference of its facts.
        public init(name: String, old: String?, new: String?) {
            self.name = name
            self.old = old
            self.new = new
        }
    }
}

extension PlanDifferences {
    /// The differences, a line each; those beyond the limit are counted.
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
            case .removed(let row): "row \(row.number): no longer there"
            case .changed(_, let row, let columns):
                "line \(row.line): "
                    + columns.map { column in
                        "\(column.name) was \(column.old.map { "‘\($0)’" } ?? "not there"), is \(column.new.map { "‘\($0)’" } ?? "gone")"
                    }.joined(separator: "; ")
            }
        }
        let more = rowCount - rows.count
        if more > 0 { lines.append("and \(more) more rows") }
        return lines
    }
}

extension PlanDifferences.Row {
    /// A row in the same place as another, with what differs.
    static func change(from old: PlanRow, to new: PlanRow) -> Self {
        let names = new.fields.map(\.name) + old.fields.map(\.name).filter { new[$0] == nil }
        let columns = names.filter { old[$0] != new[$0] }
        return .changed(from: old, to: new, columns: columns.map { .init(name: $0, old: old[$0], new: new[$0]) })
    }

    /// The difference, with the values that may be shown.
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
    /// Compares the journal's plan with the plan as it is now, row by row: neither is held in memory.
    ///
    /// `rows` gives each row of the plan to the closure it gets, and says at the end which plan that was.
    /// - Throws: a `JournalError`, or what `rows` threw.
    public func differences(rows: ((PlanRow) throws -> Void) throws -> PlanIdentity) throws -> PlanDifferences {
        var comparison = PlanComparison(old: JournalPages(of: self))
        let new = try rows { row in try comparison.take(row) }
        try comparison.finish()
        let lines = new.lastingRecipe.difference(from: plan.lastingRecipe)
        let recipe = (lines.removals + lines.insertions).map { change -> PlanDifferences.Recipe in
            switch change {
            case .insert(_, let line, _): .added(ReportSecrets.hide(inRecipe: line))
            case .remove(_, let line, _): .removed(ReportSecrets.hide(inRecipe: line))
            }
        }
        return PlanDifferences(
            plan: new, recipe: recipe,
            rows: comparison.first.map { $0.hiding([ReportSecrets(of: plan), ReportSecrets(of: new)]) },
            rowCount: comparison.count,
            isExtension: recipe.isEmpty && comparison.count > 0 && comparison.count == comparison.appended,
            isOtherFile: new.sha256 != plan.sha256)
    }
}

/// The rows of a journal, one after the other.
struct JournalPages {
    private let journal: any ProvisionJournal
    private var page: ArraySlice<JournalRow> = []
    private var last: Int? = 0

    init(of journal: any ProvisionJournal) { self.journal = journal }

    mutating func next() throws(JournalError) -> PlanRow? {
        if page.isEmpty, let last {
            page = ArraySlice(try journal.page(after: last, in: Set(RowState.allCases)) ?? [])
            self.last = page.last?.row.number
        }
        return page.popFirst()?.row.withoutTokens
    }
}

/// Two plans side by side.
///
/// Where they part, the nearest place where they meet again within a few rows is looked for, so
/// a row that was put in or taken out is one difference and not one for each row after it.
struct PlanComparison {
    private(set) var first: [PlanDifferences.Row] = []
    private(set) var count = 0
    /// How many rows come after the earlier ones.
    private(set) var appended = 0

    private var old: JournalPages
    private var oldWindow: [PlanRow] = []
    private var newWindow: [PlanRow] = []

    /// How many rows may be put in or taken out in one place and be seen as that.
    private static let reach = 32

    init(old: JournalPages) { self.old = old }

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

    /// Takes at least one row from one of the windows.
    private mutating func step() throws(JournalError) {
        try fill()
        let (removed, added) = meeting()
        let changed = min(removed, added)
        for index in 0..<changed { note(.change(from: oldWindow[index], to: newWindow[index])) }
        for row in oldWindow[changed..<max(changed, removed)] { note(.removed(row)) }
        for row in newWindow[changed..<max(changed, added)] { note(.added(row)) }
        if oldWindow.isEmpty { appended += added }
        let isEqual = removed < oldWindow.count && added < newWindow.count
        oldWindow.removeFirst(removed)
        newWindow.removeFirst(added)
        if isEqual {
            oldWindow.removeFirst()
            newWindow.removeFirst()
        }
    }

    /// How many rows of each window come before the nearest pair of equal ones.
    private func meeting() -> (removed: Int, added: Int) {
        let limit = oldWindow.count + newWindow.count
        for distance in 0..<max(limit, 1) {
            let first = max(0, distance - newWindow.count + 1)
            for removed in stride(from: first, to: min(distance + 1, oldWindow.count), by: 1)
            where oldWindow[removed].fields == newWindow[distance - removed].fields {
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
