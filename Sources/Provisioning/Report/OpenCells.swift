// The cells of a plan that other programs may receive — Docs/Security.md, Commands of --exec and rules

/// The cells of rows that contain no secret, so that a report shows them unchanged.
package struct OpenCells: Sendable {
    private let secrets: ReportSecrets

    /// Determines the secret cells from the templates of a plan.
    package init(of plan: PlanIdentity) { secrets = ReportSecrets(of: plan) }

    /// The cells of a row, without those that a report hides entirely or partly.
    package func fields(of row: PlanRow) -> [PlanField] {
        zip(row.fields, secrets.hide(in: row).fields).filter { $0.0 == $0.1 && !secrets.isSecret($0.0.name) }.map(\.0)
    }
}
