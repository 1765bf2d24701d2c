// The cells by which a row of one plan is recognised in another plan — Docs/Provisioning.md, Continuing a plan

import Composing

/// Makes a key for each row from the cells that go into its message.
///
/// Rows with equal keys make the same message with the same recipe, except for random digits and what the tag fills in.
/// Keys are hashes of 64 bits that are valid in this process only. In two plans of a million rows each, the probability
/// that two different rows are mistaken for equal ones is 5 in 100 million.
struct RowKeys {
    private let columns: Set<String>
    private let usesNumber: Bool

    init(_ recipe: RowRecipe) {
        columns = Set(recipe.isOfColumns ? RecordOption.Name.allCases.map(\.rawValue) : recipe.usedColumns)
        usesNumber = recipe.usesNumber
    }

    /// Returns the key of a row, or nil if the message does not depend on the row.
    func key(of row: PlanRow) -> Int? {
        let cells = row.fields.filter { !$0.value.isEmpty && columns.contains($0.name) }.sorted { $0.name < $1.name }
        guard usesNumber || !cells.isEmpty else { return nil }
        var hasher = Hasher()
        hasher.combine(cells)
        hasher.combine(row[RowSettings.Column.lang.rawValue])
        if usesNumber { hasher.combine(row[RangeRows.column] ?? "\(row.number)") }
        return hasher.finalize()
    }
}
