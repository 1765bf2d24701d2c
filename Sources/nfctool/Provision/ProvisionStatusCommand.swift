// nfctool provision status: how far a plan has come

import ArgumentParser
import Foundation
import ProvisionPresentation
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
        let status = try ProvisionStatus(EmbeddedJournal.openForReading(file), name: file.lastPathComponent)
        if output.json {
            try JSONLine.print(status)
        } else {
            StandardOutput.print(status.text(.standardOutput))
        }
    }
}
