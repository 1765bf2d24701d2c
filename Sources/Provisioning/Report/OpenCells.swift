// The cells of a plan that other programs get — Docs/Security.md, Commands of --exec and rules

/// The cells of rows that hold no secret: those that a report shows as they are.
package struct OpenCells: Sendable {
    private let secrets: ReportSecrets

    /// Finds out what is secret by the templates of a plan.
    package init(of plan: PlanIdentity) { secrets = ReportSecrets(of: plan) }

    /// The cells of a row without those that a report hides, as a whole or in part.
    package func fields(of row: PlanRow) -> [PlanField] {
        zip(row.fields, secrets.hide(in: row).fields).filter { $0.0 == $0.1 }.map(\.0)
    }
}
