// nfctool provision: many tags from a list — Docs/CommandLine.md, provision

import ArgumentParser

struct ProvisionCommand: AsyncParsableCommand {
    static let name = "provision"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Write many tags from a list, one row per tag, and verify each.",
        subcommands: [
            ProvisionRunCommand.self, ProvisionStatusCommand.self, ProvisionReleaseCommand.self,
            ProvisionExportCommand.self,
        ],
        defaultSubcommand: ProvisionRunCommand.self)
}
