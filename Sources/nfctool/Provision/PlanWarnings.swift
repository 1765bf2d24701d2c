// Warnings about a plan before the first tag

import Provisioning

extension DuplicateRows {
    /// The number of groups shown to a person.
    static let shown = 10

    /// Shows which rows are equal.
    func show(in warning: Warning) {
        for line in lines(limit: Self.shown) { warning.show(line) }
    }

    /// A fact for the confirmation question about all tags; nil without duplicate rows.
    var fact: String? {
        switch copyCount {
        case 0: nil
        case 1: "1 row repeats an earlier one."
        case let count: "\(count) rows repeat earlier ones."
        }
    }
}

extension PlanCheck {
    /// Shows the warnings and notes about a plan before the first tag.
    func show(in warning: Warning) {
        for note in notes { warning.show(note.text) }
        if let unused = UnusedColumn.text(unusedColumns) { warning.show(unused) }
        for row in warnings { warning.show(row.text) }
    }
}
