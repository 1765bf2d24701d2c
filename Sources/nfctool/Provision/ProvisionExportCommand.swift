// nfctool provision export: the report of a plan, at any time

import ArgumentParser
import Foundation
import Provisioning

struct ProvisionExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the report of a plan, also while another nfctool works on it.",
        discussion: """
            The format follows the name: .csv, .jsonl or .html.

              nfctool provision export tags.html
              nfctool provision export tags.csv.report.csv --plan tags.csv
            """)

    @Argument(help: "The report: FILE.csv, FILE.jsonl or FILE.html.")
    var reports: [String]

    @Option(help: ArgumentHelp("The plan whose journal it is.", valueName: "plan"))
    var plan: String?

    @OptionGroup var journal: JournalArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        let file = try journal.file(of: plan)
        let record = try ProvisionJournal.openForReading(file)
        for report in reports {
            try ProvisionReport(record).write(to: URL(fileURLWithPath: report))
            if output.json {
                try JSONLine.print(ExportReport(file: report))
            } else if !output.quiet {
                StandardOutput.print("Wrote \(TerminalText.escaped(report)).")
            }
        }
    }
}

/// A report that was written.
private struct ExportReport: Encodable {
    let schema = 1
    let event = "report"
    let file: String
}
