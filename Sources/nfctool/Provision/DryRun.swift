// provision --dry-run: shows the bytes, whether they fit, and the expected time, without a reader —
// Docs/CommandLine.md, provision

import Foundation
import Hexadecimal
import MemoryPresentation
import NDEF
import PhoneLint
import ProvisionPresentation
import Provisioning
import RecordPresentation
import SecureDynamicMessaging
import TagTypes
import Terminal

struct DryRun {
    private let plan: CheckedPlan
    private let output: OutputOptions
    /// Whether all rows are shown, with the bytes of their messages.
    private let isVerbose: Bool
    private let showsSecrets: Bool
    /// The journal of the plan, opened for reading, or nil if the plan was not started.
    private let journal: (any ProvisionJournal)?
    private let standing: PlanStanding
    /// Finds other journals in which rows of the plan already have tags.
    private let neighbours: (PlanIdentity) throws -> NeighbourCheck

    /// The maximum number of rows that are shown if the user does not ask for all.
    private static let briefLimit = 10
    /// The times that a READ and a WRITE take with a PN532 at 115200 baud, in milliseconds — measured with
    /// Scripts/bench.
    ///
    /// Each of them contains 2 ms for the exchange, and the time for the frames on the serial line and over the air. A
    /// WRITE also contains the 4 ms in which the tag programs a block.
    private static let (read, write) = (8, 11)
    /// The time of a WRITE that a locked block refuses, in milliseconds.
    ///
    /// Assumed, not measured: the virtual reader with `latency=real` needs 104 ms for the three attempts on a block.
    /// The tag answers none of them, or must be selected again.
    private static let refusedWrite = 35

    init(
        _ plan: CheckedPlan, _ output: OutputOptions, isVerbose: Bool, showsSecrets: Bool,
        journal: (any ProvisionJournal)?, standing: PlanStanding,
        neighbours: @escaping (PlanIdentity) throws -> NeighbourCheck
    ) {
        self.plan = plan
        self.journal = journal
        self.standing = standing
        self.neighbours = neighbours
        self.isVerbose = isVerbose
        self.showsSecrets = showsSecrets
        self.output = output
    }

    func run() throws {
        let style = Style.standardOutput
        let limit = isVerbose ? Int.max : Self.briefLimit
        var remaining = try RemainingWork(after: standing == .restarted ? nil : journal, as: standing.extendedPlan)
        var duplicates = DuplicateRows()
        let (identity, check) = try plan.check { row in
            let isLeft = remaining.add(row)
            duplicates.add(row)
            if output.json {
                try JSONLine.print(CheckedRowReport(row), at: .now)
            } else if isLeft, remaining.rows <= limit {
                StandardOutput.print(line(row, style))
            }
        }
        let notes = try notes(on: identity)
        let exchanges = remaining.exchanges
        let milliseconds =
            exchanges.reads * Self.read + exchanges.writes * Self.write + exchanges.refusedWrites * Self.refusedWrite
        let seconds = Double(milliseconds) / 1000
        if output.json {
            try JSONLine.print(
                CheckedPlanReport(identity, check, duplicates, remaining, notes: notes, seconds: seconds), at: .now)
        } else {
            check.show(in: Warning(output))
            if let text = DynamicFacts.sharedKeys(plan.recipe.dynamic?.keys.alsoChanging ?? []) {
                Warning(output).show(text)
            }
            for note in notes { Warning(output).show(note) }
            StandardOutput.printSentences(
                check.summary(
                    duplicates, remaining, shown: DuplicateRows.shown, more: remaining.rows - limit,
                    seconds: seconds, isStarted: journal != nil))
        }
    }

    /// Returns notes about what a run would do with the plan's journal.
    private func notes(on plan: PlanIdentity) throws -> [String] {
        switch standing {
        case .new: try neighbours(plan).texts
        case .continued: try neighbours(plan).texts
        case .restarted:
            try ["The plan changed. No tag has a row of the earlier plan yet, so a run replaces the journal."]
                + neighbours(plan).texts
        case .extended(let differences):
            try [
                Self.newRows(differences.rowCount - differences.corrected.count),
                CorrectedRows(differences.corrected.sorted()).text, amended(differences),
                differences.addsLock ? AddedLock.text : nil,
            ].compactMap(\.self) + neighbours(plan).texts
        case .amended(let differences): try [amended(differences)].compactMap(\.self) + neighbours(plan).texts
        }
    }

    /// Returns the note on the rows whose changes affect no tag, or nil if there are none.
    private func amended(_ differences: PlanDifferences) -> String? {
        AmendedRows(differences.amended.sorted(), isStored: differences.acceptsCorrections).text
    }

    /// Returns the note on the rows that a run would add to the journal, or nil if there are none.
    private static func newRows(_ count: Int) -> String? {
        switch count {
        case ..<1: nil
        case 1: "1 new row is not in the journal yet. A run adds it."
        default: "\(count) new rows are not in the journal yet. A run adds them."
        }
    }

    /// Returns the line for a row, such as `row 1 → https://example.com/1, locked`.
    private func line(_ row: CheckedRow, _ style: Style) -> String {
        let records = RecordSummary.all(row.message.message.records).map { summary in
            summary.kind == "URI" ? summary.value : "\(summary.kind) \(summary.value)"
        }
        let facts = [records.joined(separator: " + ")] + row.order.settings.facts
        let line = "row \(row.order.row.number) → " + facts.joined(separator: ", ")
        let secrets = showsSecrets ? [] : row.message.message.records.flatMap(\.secrets)
        let bytes = isVerbose ? (try? row.message.message.encoded())?.spacedHex(hiding: secrets) : nil
        return ([line] + (bytes.map { ["    \(ByteCount(row.messageLength)): \($0)"] } ?? []))
            .map { style.isTerminal ? $0.cut(to: style.width) : $0 }.joined(separator: "\n")
    }
}

extension RowSettings {
    /// What would be done to a row's tag in addition to the message, as clauses.
    ///
    /// The password is never included.
    fileprivate var facts: [String] {
        (protect ? ["protected by a password"] : []) + (lock ? ["locked"] : [])
    }
}
