// A row number that the plan does not have

import Provisioning

struct NoSuchRow: Failure {
    let row: Int
    let rows: Int
    /// Whether the plan is a range of numbers, which may differ from the row numbers.
    let isRange: Bool

    init(_ row: Int, in journal: any ProvisionJournal) throws {
        self.row = row
        rows = try journal.counts().values.reduce(0, +)
        isRange = journal.plan.isRange
    }

    var name: ErrorName { .usage }
    var message: String {
        let known = rows == 1 ? "Its only row is row 1." : "Its rows are 1 to \(rows)."
        return "The plan has no row \(row). \(known)"
            + (isRange ? " Rows are counted from 1, whatever numbers the range has." : "")
    }
}
