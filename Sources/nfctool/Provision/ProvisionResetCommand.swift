// nfctool provision reset: makes rows pending again, even if they were written to tags

import ArgumentParser
import Foundation
import ProvisionPresentation
import Provisioning
import Terminal

struct ProvisionResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Make rows pending again, so that they are written to other tags.",
        discussion: """
            The tags that have the rows are not changed, and the journal forgets them. Keep a report first: nfctool \
            provision export. Rows in progress are not reset: place their tags again, or use release.

              nfctool provision reset 12 15-18
              nfctool provision reset --all --plan tags.csv
            """)

    @Argument(help: ArgumentHelp("The numbers of the rows, such as 12 15-18.", valueName: "rows"))
    var spans: [RowSpan] = []

    @Flag(help: "Reset all rows of the plan.")
    var all = false

    @OptionGroup var journal: JournalArgument
    @OptionGroup(title: HelpText.shared) var output: OutputOptions

    func validate() throws {
        guard spans.isEmpty == all else { throw ValidationError("Give the numbers of rows, or --all.") }
    }

    func run() throws {
        let journal = try self.journal.open(self.journal.plan, reading: false).journal
        let reset: RowReset
        do {
            reset = try RowReset(of: all ? nil : Set(spans.numbers), in: journal)
        } catch JournalError.noSuchRow(let number) {
            throw try NoSuchRow(number, in: journal)
        } catch let error as JournalError {
            guard case .underWay(let row, _, _) = error else { throw error }
            throw RowUnderWay(
                cause: error, row: row,
                journal: self.journal.repeated(for: self.journal.plan.map { PlanSource.file($0) }))
        }
        if !reset.rows.isEmpty {
            let plan = TerminalText.escaped(journal.plan.file)
            try Confirmation(output).ask("Reset \(Self.rows(reset.rows.count)) of \(plan)?", facts: reset.text)
            try journal.carryOut(reset)
        }
        if output.json {
            let report = ResetReport(rows: reset.rows.count, verified: reset.verified, locked: reset.locked)
            try JSONLine.print(report, at: .now)
        } else if !output.quiet {
            let isOne = reset.rows.count == 1
            StandardOutput.print(
                reset.rows.isEmpty
                    ? "Nothing to reset." : "\(Self.rows(reset.rows.count)) \(isOne ? "is" : "are") pending again.")
        }
    }

    private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}

private struct ResetReport: Encodable {
    let schema = 1
    let event = "reset"
    let rows: Int
    let verified: Int
    let locked: Int
}
