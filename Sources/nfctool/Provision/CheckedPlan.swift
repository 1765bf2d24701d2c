// A plan's file with what is made of it: read and checked in one pass — Docs/CommandLine.md, provision

import Foundation
import DurableFiles
import Provisioning
import Terminal
import WriteJournal

/// A plan and its recipe.
struct CheckedPlan: Sendable {
    let path: String
    let recipe: RowRecipe
    /// Whether messages are permitted that `ndef check` calls wrong.
    var permitsFaults = false

    /// Gives each row to a closure, and says at the end which plan that was.
    ///
    /// - Throws: ``BadRows`` when a row is bad: all of them are named, so the closure has got rows for nothing.
    func rows(_ add: (PlanRow) throws -> Void) throws -> PlanIdentity {
        try check { checked in try add(checked.order.row) }.plan
    }

    /// Gives each row, checked, to a closure; what the check found out comes with the plan's identity.
    func check(_ body: (CheckedRow) throws -> Void) throws -> (plan: PlanIdentity, check: PlanCheck) {
        let file = try PlanFile(path: path)
        if let columns = try file.columns() { try recipe.check(columns: columns) }
        var check = PlanCheck(recipe: recipe, permitsFaults: permitsFaults)
        while let entry = try file.next() {
            // A signal ends the reading of a large plan, and undoes what its reader had begun.
            try Interruption.check()
            guard let row = check.add(entry), check.badRowCount == 0 else { continue }
            try body(row)
        }
        guard check.badRowCount == 0 else { throw BadRows(check) }
        if let column = check.unusedPasswordColumn { throw PlanError(column: column, .unusedPassword) }
        return (PlanIdentity(file: path, sha256: try file.digest().hex, recipe: recipe.lines), check)
    }

    /// Makes the journal of the plan: every row checked, and the password known again.
    func begin(at file: URL) throws -> (journal: ProvisionJournal, check: PlanCheck?, duplicates: DuplicateRows) {
        var check: PlanCheck?
        var duplicates = DuplicateRows()
        let journal = try ProvisionJournal.create(at: file) { add in
            let (plan, result) = try self.check { checked in
                duplicates.add(checked)
                try add(checked.order.row)
            }
            check = result
            guard result.takesGeneralPassword, let password = recipe.password else { return plan }
            return PlanIdentity(
                file: plan.file, sha256: plan.sha256, recipe: plan.recipe, password: PlanPassword(of: password))
        }
        return (journal, check, duplicates)
    }

    /// Whether a journal was made of this file with this recipe.
    func isThePlan(of identity: PlanIdentity) throws -> Bool {
        // The rows are not needed to know that.
        let now = PlanIdentity(file: path, sha256: "", recipe: recipe.lines)
        guard now.hasRecipe(of: identity) else { return false }
        return try PlanFile(path: path).digest().hex == identity.sha256
    }

    /// Whether the tags to come get the password that those before them have; a journal of an earlier version does not
    /// tell.
    func hasThePassword(of identity: PlanIdentity) -> Bool {
        guard let digest = identity.password else { return true }
        return recipe.password.map(digest.isDigest) ?? false
    }
}

extension DuplicateRows {
    /// So many groups are shown to a person.
    static let shown = 10

    /// Shows which rows say the same, before the first tag.
    func show(in warning: Warning) {
        for line in lines(limit: Self.shown) { warning.show(line) }
    }

    /// What a question about all tags says of them; nil without any.
    var fact: String? {
        switch copyCount {
        case 0: nil
        case 1: "1 row repeats an earlier one."
        case let count: "\(count) rows repeat earlier ones."
        }
    }
}

extension PlanCheck {
    /// Shows what the plan's owner should know before the first tag.
    func show(in warning: Warning) {
        if let unused = UnusedColumn.text(unusedColumns) { warning.show(unused) }
        for row in warnings { warning.show(row.text) }
    }
}

/// Rows of a plan that cannot be carried out; nothing was started.
struct BadRows: Failure {
    let rows: [PlanError]
    private let count: Int
    private let total: Int
    private let unused: String?

    /// More than these are only counted in text for people.
    private static let shown = 50

    init(_ check: PlanCheck) {
        rows = check.badRows
        count = check.badRowCount
        total = check.badRowCount + check.goodRowCount
        unused = UnusedColumn.text(check.unusedColumns)
    }

    var name: ErrorName { .badPlan }
    var message: String {
        "\(count) of \(total) \(total == 1 ? "row" : "rows") cannot be written. Nothing was started."
    }
    /// What to do; nil when the rows say it all.
    var advice: String? {
        let hasFault = rows.contains { if case .faulty = $0.reason { true } else { false } }
        return hasFault ? "Correct the plan, or add --force to write messages that phones cannot use." : nil
    }
    var lines: [String] {
        let more = count - min(rows.count, Self.shown)
        return rows.prefix(Self.shown).map(\.description) + (more > 0 ? ["… and \(more) more"] : [])
            + (unused.map { [$0] } ?? [])
    }
    var details: [String: FailureDetail] {
        ["rows": .list(rows.map(\.description)), "badRows": .number(count)]
    }
}

extension PlanError: Failure {
    var name: ErrorName {
        switch reason {
        case .unreadable, .notAFile: .badFile
        case .badTemplate, .nothingToWrite: .usage
        default: .badPlan
        }
    }
    var message: String { description }
}
