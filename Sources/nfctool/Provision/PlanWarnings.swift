// Warnings about a plan before the first tag

import Foundation
import Hexadecimal
import ProvisionPresentation
import Provisioning
import Terminal

extension DuplicateRows {
    /// The maximum number of groups that are shown.
    static let shown = 10

    /// Shows as a warning which rows are equal.
    func show(in warning: Warning) {
        for line in lines(limit: Self.shown) { warning.show(line) }
    }

    /// A fact about duplicate rows for the confirmation question about all tags, or nil if there are none.
    var fact: String? {
        switch copyCount {
        case 0: nil
        case 1: "1 row repeats an earlier one."
        case let count: "\(count) rows repeat earlier ones."
        }
    }
}

/// Rows that were changed in the plan while no tag had them, and that were corrected in the journal.
struct CorrectedRows {
    private var numbers = RowNumbers()

    /// - Parameter rows: the row numbers, in ascending order.
    init(_ rows: [Int]) { for row in rows { numbers.add(row) } }

    /// The notice that names the rows, or nil if there are none.
    var text: String? {
        guard numbers.count > 0 else { return nil }
        let rows = numbers.capitalizedText
        return numbers.count == 1
            ? "\(rows) changed in the plan. No tag has it yet, so it is written as it is now."
            : "\(rows) changed in the plan. No tag has them yet, so they are written as they are now."
    }
}

/// Rows that changed only in columns that affect no tag.
struct AmendedRows {
    private var numbers = RowNumbers()
    private let isStored: Bool

    /// - Parameters:
    ///   - rows: the row numbers, in ascending order.
    ///   - isStored: whether the journal stores the new cells.
    init(_ rows: [Int], isStored: Bool) {
        self.isStored = isStored
        for row in rows { numbers.add(row) }
    }

    /// The notice that names the rows, or nil if there are none.
    var text: String? {
        guard numbers.count > 0 else { return nil }
        let cells = isStored ? "new cells" : "earlier cells, because the journal is in a database"
        return "\(numbers.capitalizedText) changed only in columns that do not affect tags. Reports show "
            + "\(numbers.count == 1 ? "its" : "their") \(cells)."
    }
}

extension PlanJournal {
    /// Shows what changed in the plan, before the first tag is written.
    func show(in warning: Warning) {
        let changes = [
            CorrectedRows(corrected).text, AmendedRows(amended, isStored: journal.acceptsCorrections).text,
            addsLock ? AddedLock.text : nil,
        ]
        for text in changes.compactMap(\.self) { warning.show(text) }
        if keptDigits > 0 {
            warning.show("The plan changed. Rows that did not keep their random digits: \(keptDigits).")
        }
    }
}

/// A lock that was not yet part of the plan when its first tags were written.
enum AddedLock {
    static let text = "--lock is new in this plan. Tags that are already written are locked when they are placed again."
}

/// Tags of a complete plan that were changed after their verification.
struct ChangedTags {
    private let rows: [JournalRow]

    /// The maximum number of rows that the notice names.
    private static let named = 10

    /// Finds the rows in a journal, or none if the plan is not complete.
    ///
    /// - Throws: `JournalError`.
    init(in journal: any ProvisionJournal) throws {
        rows = try journal.progress().isComplete ? journal.repairableRows(limit: ProvisionRun.awaitedRows) : []
    }

    init(_ rows: [JournalRow]) { self.rows = rows }

    /// Returns the notice that says why the run waits although all rows are done, and what to do.
    ///
    /// Nil if no tag was changed. `journal` contains the options that name the journal, for the command in the notice.
    func text(naming journal: String) -> String? {
        guard !rows.isEmpty else { return nil }
        let named = rows.prefix(Self.named)
        let more = rows.count > named.count ? " and \(rows.count - named.count) more" : ""
        let tags = named.map { "\($0.tag?.uid.hex ?? "") (row \($0.row.number))" }.joined(separator: ", ") + more
        let numbers = named.map { "\($0.row.number)" }.joined(separator: " ")
        let reset = "nfctool provision reset \(numbers)\(journal)"
        return rows.count == 1
            ? "All rows are done, but this tag has been changed since then: \(tags). To write its row again, place it; if it holds another message, erase it first (nfctool erase), and if it lost its password, protect it (nfctool protect). To give the row to another tag:  \(reset)"
            : "All rows are done, but these tags have been changed since then: \(tags). To write their rows again, place them; if one holds another message, erase it first (nfctool erase), and if one lost its password, protect it (nfctool protect). To give \(more.isEmpty ? "the" : "the named") rows to other tags:  \(reset)"
    }
}

extension PlanCheck {
    /// Shows the warnings and notes about a plan before the first tag is written.
    func show(in warning: Warning) {
        for note in notes { warning.show(note.text) }
        if let unused = UnusedColumn.text(unusedColumns) { warning.show(unused) }
        // A tag with a damaged cell is useless, so --quiet does not hide this.
        for row in warnings { (row.isOfDamage ? warning.evenIfQuiet : warning).show(row.text) }
    }
}

extension PlanDraft {
    /// Shows the warnings about the plan before it is stored.
    func show(in warning: Warning) {
        check.show(in: warning)
        duplicates.show(in: warning)
    }

    /// Asks whether to lock tags whose rows have damaged cells, which the warnings name.
    ///
    /// `--yes` does not answer the question, because it would be given before the damage is known.
    ///
    /// - Throws: an error of ``Confirmation``.
    func confirmDamagedLocks(_ output: OutputOptions, isAgreed: Bool) throws {
        guard damagedLocks.count > 0 else { return }
        let rows = damagedLocks.capitalizedText
        try Confirmation(output, answeredBy: "--force", isAgreed: isAgreed).ask(
            "Lock damaged text into tags?",
            facts: damagedLocks.count == 1
                ? "\(rows) seems to be damaged, and its tag will be locked permanently."
                : "\(rows) seem to be damaged, and their tags will be locked permanently.")
    }
}
