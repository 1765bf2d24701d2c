// nfctool provision: many tags from a list — Docs/CommandLine.md, provision

import ArgumentParser

struct ProvisionCommand: AsyncParsableCommand {
    static let name = "provision"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Write a list to many tags, a row each, and prove every one.",
        subcommands: [
            ProvisionRunCommand.self, ProvisionVerifyCommand.self, ProvisionStatusCommand.self,
            ProvisionExportCommand.self, ProvisionReleaseCommand.self, ProvisionResetCommand.self,
        ],
        defaultSubcommand: ProvisionRunCommand.self)
}
