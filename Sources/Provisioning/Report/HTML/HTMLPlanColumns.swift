// The plan's own columns on a page

/// The columns of the plan that a page shows for each row.
///
/// Passwords are never shown. If not all columns fit, the column that names the rows is shown, then those that are
/// written to tags.
struct HTMLPlanColumns {
    /// The maximum number of columns on a page.
    private static let limit = 3
    /// Values up to this length, in bytes, stay on one line.
    private static let briefLimit = 18

    private(set) var shown: [String] = []
    /// The columns that did not fit.
    private(set) var others: [String] = []

    /// An error that is thrown after the first row, to end the pass over the rows.
    private struct FirstRow: Error {}

    init() {}

    init(ofFirst row: PlanRow, in record: any ProvisioningRecord) {
        let hiding = record as? RecordWithoutSecrets
        let names = row.fields.filter { $0.value != ReportSecrets.mask && hiding?.hides($0.name) != true }.map(\.name)
        let written = names.filter { Self.isWritten($0, by: record.plan.recipe) }
        // The column that the operator knows the rows by, as in RowLabels.
        let label = names.first { $0.lowercased() == "id" } ?? names.first
        let first = written.filter { $0 != label }
        let ordered = [label].compactMap(\.self) + first + names.filter { $0 != label && !written.contains($0) }
        shown = names.filter(ordered.prefix(Self.limit).contains)
        others = Array(ordered.dropFirst(Self.limit))
    }

    static func chosen(from record: any ProvisioningRecord) throws -> HTMLPlanColumns {
        var columns = HTMLPlanColumns()
        do {
            try record.forEachRow(in: Set(RowState.allCases)) { row in
                columns = HTMLPlanColumns(ofFirst: row.row, in: record)
                throw FirstRow()
            }
        } catch is FirstRow {}
        return columns
    }

    private static func isWritten(_ column: String, by recipe: [String]) -> Bool {
        recipe.contains { $0.contains("{\(column)}") || $0.contains("{\(column):") }
    }

    var heads: String { shown.map { "<th scope=\"col\">\($0.cutForPage.escapedForHTML)</th>" }.joined() }

    /// Returns the cells of a row.
    ///
    /// If `row` is nil, they are empty.
    func cells(of row: PlanRow?) -> String {
        shown.map { column in
            let value = row?.fields.first { $0.name == column }?.value ?? ""
            let kind = value.utf8.count <= Self.briefLimit ? "plan brief" : "plan"
            let name = column.cutForPage.escapedForHTML
            return "<td class=\"\(kind)\" data-name=\"\(name)\">\(value.cutForPage.escapedForHTML)</td>"
        }.joined()
    }

    /// A note that names the columns that are not shown, or an empty string if all are shown.
    var note: String {
        guard !others.isEmpty else { return "" }
        let names = others.map(\.cutForPage).joined(separator: ", ").cutForPage.escapedForHTML
        return HTMLRowTable.note("Columns of the plan that are not shown: \(names)")
    }
}
