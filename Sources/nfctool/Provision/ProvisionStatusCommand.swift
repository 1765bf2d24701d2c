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
        let (journal, file) = try journal.open(journal.plan(or: plan), reading: true)
        let status = try ProvisionStatus(journal, name: file?.lastPathComponent ?? journal.name)
        if output.json {
            try JSONLine.print(status)
        } else {
            StandardOutput.print(status.text(.standardOutput))
        }
    }
}
