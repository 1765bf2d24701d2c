// What a plan's owner should know before the first tag

import Provisioning

extension DuplicateRows {
    /// The number of groups shown to a person.
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
        for note in notes { warning.show(note.text) }
        if let unused = UnusedColumn.text(unusedColumns) { warning.show(unused) }
        for row in warnings { warning.show(row.text) }
    }
}
