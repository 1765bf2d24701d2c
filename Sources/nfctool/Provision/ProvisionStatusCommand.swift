// nfctool provision status: how far a plan has come

import ArgumentParser
import Foundation
import Hexadecimal
import Provisioning
import Terminal

struct ProvisionStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how far a plan has come, also while another nfctool works on it.",
        discussion: "Without a name it is the only journal in this folder.")

    @Argument(help: "The plan, or its journal.")
    var plan: String?

    @OptionGroup var journal: JournalArgument
    @OptionGroup(title: HelpText.shared) var output: PrintOptions

    func run() throws {
        let file = try journal.file(of: journal.plan(or: plan))
        let status = try ProvisionStatus(ProvisionJournal.openForReading(file), name: file.lastPathComponent)
        if output.json {
            try JSONLine.print(status)
        } else {
            StandardOutput.print(status.text(.standardOutput))
        }
    }
}

extension ProvisionStatus {
    /// For a person.
    func text(_ style: Style) -> String {
        var lines = [
            style.paint(TerminalText.escaped(plan.file), .heading),
            counts.text,
            style.paint("begun \(begun.formatted(.iso8601)), journal \(TerminalText.escaped(name))", .faint),
        ]
        if !open.isEmpty { lines.append("") }
        for row in open {
            let tag = row.tag.map { "\($0.uid.hex)  \(TerminalText.escaped($0.chip))" } ?? ""
            let reason = row.reason.map { "  " + TerminalText.escaped($0) } ?? ""
            lines.append("row \(row.row.number)  \(row.state.rawValue)  \(tag)\(reason)")
        }
        if !open.isEmpty {
            lines.append("Place these tags on the reader again, or free a row:  nfctool provision release ROW")
        }
        if !quarantined.isEmpty { lines += ["", "Tags in quarantine, which get no row:"] }
        for tag in quarantined {
            lines.append("\(tag.uid.hex)  \(TerminalText.escaped(tag.chip))  \(TerminalText.escaped(tag.reason))")
        }
        return lines.joined(separator: "\n")
    }
}
