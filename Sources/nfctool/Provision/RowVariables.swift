// The variables of provision --exec: their names, and columns that would have the same variable — Docs/CommandLine.md,
// provision

import Provisioning

/// The environment variables that the `--exec` command gets for the columns of a row.
struct RowVariables {
    /// The columns that were checked last.
    ///
    /// Most plans have the same columns in all rows, so one check is enough.
    private var checked: [String] = []

    /// Returns the name of a column's variable: `NFC_COLUMN_` and the name of the column.
    ///
    /// In the column's name, `a` to `z` are replaced by `A` to `Z`, and other characters except `A` to `Z` and digits
    /// by `_`.
    static func name(of column: String) -> String {
        "NFC_COLUMN_" + column.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0.uppercased() : "_" }.joined()
    }

    /// Checks that no two columns of a row have the same variable, for all rows of a plan.
    ///
    /// - Parameters:
    /// - plan: the plan.
    /// - journal: the plan's journal if only the journal has the rows, otherwise nil.
    /// - Throws: ``SharedVariable``; an error if the plan cannot be read.
    static func check(_ plan: CheckedPlan, in journal: (any ProvisionJournal)?) throws {
        var variables = RowVariables()
        if let journal {
            try journal.forEachRow(in: Set(RowState.allCases)) { try variables.check($0.row.fields.map(\.name)) }
        } else if let columns = try plan.source.columns() {
            try variables.check(columns)
        } else {
            _ = try plan.check { try variables.check($0.order.row.fields.map(\.name)) }
        }
    }

    /// Checks that no two columns of a row have the same variable.
    mutating func check(_ columns: [String]) throws(SharedVariable) {
        guard columns != checked else { return }
        checked = columns
        var owners: [String: String] = [:]
        for column in columns {
            let variable = Self.name(of: column)
            if let other = owners[variable] { throw SharedVariable(columns: (other, column), name: variable) }
            owners[variable] = column
        }
    }
}

/// Two columns have the same variable, so the `--exec` command would get only one of the two cells.
struct SharedVariable: Failure {
    let columns: (String, String)
    let variable: String

    init(columns: (String, String), name variable: String) {
        self.columns = columns
        self.variable = variable
    }

    var name: ErrorName { .badPlan }
    var message: String {
        "The columns \"\(columns.0)\" and \"\(columns.1)\" would have the same variable in the --exec command, "
            + "\(variable). Nothing was started. Rename one of the columns."
    }
}
