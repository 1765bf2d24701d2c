// How a provisioning fails — Docs/JSON.md, Errors

import Foundation
import Hexadecimal
import Provisioning

/// The plan is not done: rows are left.
struct RowsLeft: Failure {
    let summary: ProvisionSummary

    var name: ErrorName { .rowsLeft }
    var message: String {
        let left = summary.counts.left
        let share = "\(left) of \(summary.rows) \(summary.rows == 1 ? "row" : "rows")"
        if summary.pending == left { return "\(share) not written yet." }
        let open = summary.open.compactMap(\.tag).map(\.uid.hex)
        let failed = summary.counts.failed
        var clauses: [String] = []
        if summary.pending > 0 { clauses.append("\(summary.pending) without a tag") }
        if !open.isEmpty {
            let more = left - summary.pending - failed - open.count
            clauses.append("waiting for \(open.joined(separator: ", "))" + (more > 0 ? " and \(more) more" : ""))
        }
        if failed > 0 { clauses.append("\(failed) failed") }
        return "\(share) not finished yet: \(clauses.joined(separator: "; "))."
    }
    var details: [String: FailureDetail] {
        ["pending": .number(summary.pending), "uids": .list(summary.open.compactMap { $0.tag?.uid.hex })]
    }
}

extension PlanChanged: Failure {
    var name: ErrorName { .badPlan }
    var message: String { description }
    var details: [String: FailureDetail] { ["differences": .list(lines)] }
    /// What to do.
    static let advice = """
        To go on, use the file and the options of before. Only --overwrite may change.
        Put new or changed rows into a plan of their own: a new file name gets a journal of its own.
        Do not delete the journal: it knows which tags have their rows.
        """

    var lines: [String] {
        var lines = differences.recipe.map { difference in
            switch difference {
            case .removed(let line): "no longer: \(line)"
            case .added(let line): "new: \(line)"
            }
        }
        lines += differences.rows.map { row in
            switch row {
            case .added(let row): "line \(row.line): a new row"
            case .removed(let row): "row \(row.number): no longer there"
            case .changed(_, let row, let columns):
                "line \(row.line): "
                    + columns.map { column in
                        "\(column.name) was \(column.old.map { "‘\($0)’" } ?? "not there"), is \(column.new.map { "‘\($0)’" } ?? "gone")"
                    }.joined(separator: "; ")
            }
        }
        let more = differences.rowCount - differences.rows.count
        if more > 0 { lines.append("and \(more) more rows") }
        return lines
    }
}

extension OtherPassword: Failure {
    var name: ErrorName { .badPlan }
    var message: String { description }
    /// What to do.
    static let advice = """
        To go on, give the earlier password.
        For another password, put the rows that are left into a plan of their own, with a new file name.
        """
}

extension JournalError: Failure {
    var name: ErrorName {
        switch self {
        case .held: .journalBusy
        case .missing, .exists, .notAJournal, .otherVersion, .orphanedLog, .damaged, .full, .unusable: .badFile
        case .noSuchRow, .illegalStep, .tagHoldsRow: .usage
        case .notPending, .tagHasRow, .quarantined, .proofMissing: .internal
        }
    }
    var message: String { description }
}

extension ReportError: Failure {
    var name: ErrorName { if case .unknownFormat = self { .usage } else { .badFile } }
    var message: String { description }
}

extension BadRows: Failure {
    /// More than these are only counted in text for people.
    private static let shownInText = 50

    var name: ErrorName { .badPlan }
    var message: String { description }
    /// What to do; nil when the rows say it all.
    var advice: String? {
        let hasFault = rows.contains { if case .faulty = $0.reason { true } else { false } }
        return hasFault ? "Correct the plan, or add --force to write messages that phones cannot use." : nil
    }
    var lines: [String] {
        let more = count - min(rows.count, Self.shownInText)
        return rows.prefix(Self.shownInText).map(\.description) + (more > 0 ? ["… and \(more) more"] : [])
            + (UnusedColumn.text(unused).map { [$0] } ?? [])
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
