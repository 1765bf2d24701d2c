// The operator's own names for rows — Docs/CommandLine.md, provision

/// Finds the label of a row: the value in its column `id` or, if it has no such column, in its first column.
package struct RowLabels: Sendable {
    /// The maximum length of a label in characters, so that there is room for the result next to it.
    private static let longest = 16

    /// The cells that may be shown, or nil if rows have no labels.
    private let cells: OpenCells?

    package init(of plan: PlanIdentity) { cells = OpenCells(of: plan) }

    /// Creates labels for a plan whose rows have none.
    package init() { cells = nil }

    /// Returns the row's label, or nil if the row has none.
    ///
    /// A cell is no label if it is empty, long, secret, a setting such as `lock`, or equal to the row's number.
    package func label(of row: PlanRow) -> String? {
        guard let cells, let field = row.fields.first(where: { $0.name.lowercased() == "id" }) ?? row.fields.first,
            RowSettings.Column(rawValue: field.name) == nil, !field.value.isEmpty,
            field.value.unicodeScalars.count <= Self.longest, field.value != "\(row.number)",
            cells.fields(of: row).contains(field)
        else { return nil }
        return field.value
    }

    /// Returns the row's number with its label, if any, such as `44 (A-0044)`.
    package func name(of row: PlanRow) -> String {
        "\(row.number)" + (label(of: row).map { " (\($0))" } ?? "")
    }
}
