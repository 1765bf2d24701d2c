// The cells of a plan that may be passed to other programs — Docs/Security.md, Commands of --exec and rules

/// The cells of a plan's rows that contain no secret.
///
/// Reports show them unchanged.
package struct OpenCells: Sendable {
    private let secrets: ReportSecrets

    package init(of plan: PlanIdentity) { secrets = ReportSecrets(of: plan) }

    /// Returns the cells of a row, except those that a report hides entirely or partly.
    package func fields(of row: PlanRow) -> [PlanField] {
        zip(row.fields, secrets.hide(in: row).fields).filter { $0.0 == $0.1 && !secrets.isSecret($0.0.name) }.map(\.0)
    }
}
