// nfctool provision export: writes a report about a plan at any time

import ArgumentParser
import Foundation
import Provisioning
import Terminal

struct ProvisionExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the report of a plan, even while another nfctool works on it.",
        discussion: """
            The file name selects the format: .csv, .tsv (for Excel), .jsonl or .html.

              nfctool provision export tags.html
              nfctool provision export tags.csv.report.csv --plan tags.csv
              nfctool provision export customer.html --summary --title 'Table signs, order 4711' --plan tags.csv
            """)

    @Argument(help: "The report: FILE.csv, .tsv, .jsonl or .html.", completion: .file())
    var reports: [String]

    @Option(help: ArgumentHelp("The heading of .html reports. Default: the plan's name.", valueName: "text"))
    var title: String?

    @Flag(help: "Shorten .html reports for a customer: title, date, counts, UID and result of each row.")
    var summary = false

    @Flag(help: "Include passwords. Only you can then read the reports.")
    var showSecrets = false

    @OptionGroup var overwrite: OverwriteOption
    @OptionGroup var journal: JournalArgument
    @OptionGroup(title: HelpText.shared) var output: OutputOptions

    func validate() throws {
        guard title != nil || summary else { return }
        if let title, title.allSatisfy(\.isWhitespace) { throw ValidationError("--title must not be empty.") }
        // A name whose format is not known is reported later, with all known formats.
        let formats = reports.compactMap { try? ReportFormat(of: URL(fileURLWithPath: $0)) }
        guard formats.isEmpty || formats.contains(.html) else {
            throw ValidationError("--title and --summary apply to .html reports only. Name one: FILE.html.")
        }
    }

    func run() throws {
        let (record, file) = try journal.open(journal.plan, reading: true)
        let sources = sources(of: record.plan, journal: file)
        let files = try reports.map { name in
            try ReportFile(name, of: sources, showsSecrets: showSecrets)
                .claimed(overwrite: overwrite.isAllowed, isJSON: output.json)
        }
        if !record.readsRows {
            Hint(output).tell(
                "This login is not allowed to see the cells of the plan or what was written, so the report does not "
                    + "contain them. A login with the role nfctool_station is allowed to."
            )
        }
        let content = ProvisionReport(record, showsSecrets: showSecrets, title: title, isSummary: summary)
        var failure: (any Error)?
        for (report, place) in zip(reports, files) {
            do {
                try place.write(content)
            } catch {
                // Continue with the other reports, and throw the first error after all were tried.
                failure = failure ?? error
                continue
            }
            if output.json {
                try JSONLine.print(ExportReport(file: report))
            } else if !output.quiet {
                StandardOutput.print("Wrote \(TerminalText.escaped(report)).")
            }
        }
        if let failure { throw failure }
    }

    /// Returns the files that a report must not replace: the journal, and the possible paths of its plan.
    ///
    /// The plan may be at the path that was recorded at the start, next to the journal, or at the path that the user
    /// gave.
    private func sources(of identity: PlanIdentity, journal: URL?) -> [URL] {
        let plan = URL(fileURLWithPath: identity.file)
        let beside = journal?.deletingLastPathComponent().appending(path: plan.lastPathComponent)
        return [journal, plan, beside, self.journal.plan.map { URL(fileURLWithPath: $0) }].compactMap(\.self)
    }
}

private struct ExportReport: Encodable {
    let schema = 1
    let event = "report"
    let file: String
}
