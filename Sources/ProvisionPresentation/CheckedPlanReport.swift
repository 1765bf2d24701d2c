// The result of a plan check in JSON — Docs/JSON.md, Provision --dry-run

import PhoneLint
package import Provisioning

/// The summary of the plan that `provision --dry-run --json` prints.
package struct CheckedPlanReport: Encodable, Sendable {
    private let schema = 1
    private let event = "plan"
    private let plan: String
    private let sha256: String
    private let rows: Int
    private let provisioned: Int
    private let shortest: Int
    private let longest: Int
    private let fits: [String]
    private let seconds: Double
    private let locked: Int
    private let protected: Int
    private let notes: [String]
    private let unusedColumns: [String]
    private let duplicates: [DuplicateReport]
    private let warnings: [WarningReport]

    private struct DuplicateReport: Encodable {
        let row: Int
        let same: String
        let copies: Int
        let firstCopy: Int?
    }

    private struct WarningReport: Encodable {
        let rule: String
        let severity: String
        let message: String
        let rows: Int
        let firstRow: Int?
    }

    /// Creates the report of a plan.
    ///
    /// `notes` concern the plan's journal. `seconds` is the estimated time for the remaining work.
    package init(
        _ plan: PlanIdentity, _ check: PlanCheck, _ duplicates: DuplicateRows, _ remaining: RemainingWork,
        notes: [String], seconds: Double
    ) {
        provisioned = remaining.provisioned
        locked = remaining.locked
        protected = remaining.protected
        self.notes = check.notes.map(\.text) + notes
        unusedColumns = check.unusedColumns.map(\.name)
        self.duplicates = duplicates.groups.map {
            DuplicateReport(
                row: $0.original, same: $0.kind.rawValue, copies: $0.copies.count, firstCopy: $0.copies.first)
        }
        warnings = check.warnings.map {
            WarningReport(
                rule: $0.rule, severity: $0.severity.rawValue, message: $0.message, rows: $0.rows.count,
                firstRow: $0.rows.first)
        }
        self.plan = plan.file
        sha256 = plan.sha256
        rows = check.goodRowCount
        shortest = check.messageLengths?.lowerBound ?? 0
        longest = check.messageLengths?.upperBound ?? 0
        fits = check.fittingChips
        self.seconds = seconds
    }
}
