// A plan's file with what is made of it: read and checked in one pass — CLI.md, provision

import Provisioning
import WriteJournal

/// A plan and its recipe.
struct CheckedPlan: Sendable {
    let path: String
    let recipe: RowRecipe

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
        var check = PlanCheck(recipe: recipe)
        while let entry = try file.next() {
            guard let row = check.add(entry), check.badRowCount == 0 else { continue }
            try body(row)
        }
        guard check.badRowCount == 0 else { throw BadRows(check) }
        return (PlanIdentity(file: path, sha256: try file.digest().hexText, recipe: recipe.lines), check)
    }

    /// Whether a journal was made of this file with this recipe.
    func isThePlan(of identity: PlanIdentity) throws -> Bool {
        guard recipe.lines == identity.recipe else { return false }
        return try PlanFile(path: path).digest().hexText == identity.sha256
    }

    /// Tells of columns that may be meant otherwise.
    func warn(_ hint: Hint) {
        guard let columns = try? PlanFile(path: path).columns() else { return }
        for slip in recipe.slips(in: columns) {
            hint.show("The column \(slip.column) does nothing; is \(slip.meant) meant?")
        }
    }
}

/// Rows of a plan that cannot be carried out; nothing was started.
struct BadRows: Failure {
    private let rows: [PlanError]
    private let count: Int
    private let total: Int

    /// More than these are only counted in text for people.
    private static let shown = 50

    init(_ check: PlanCheck) {
        rows = check.badRows
        count = check.badRowCount
        total = check.badRowCount + check.goodRowCount
    }

    var name: ErrorName { .badPlan }
    var message: String {
        "\(count) of \(total) \(total == 1 ? "row" : "rows") cannot be carried out; nothing was started."
    }
    var lines: [String] {
        let more = count - min(rows.count, Self.shown)
        return rows.prefix(Self.shown).map(\.description) + (more > 0 ? ["… and \(more) more"] : [])
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
