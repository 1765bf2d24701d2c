// nfctool provision: writes many tags from a list — Docs/CommandLine.md, provision

import ArgumentParser

struct ProvisionCommand: AsyncParsableCommand {
    static let name = "provision"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Write many tags from a list, one row per tag, and verify each.",
        subcommands: [
            ProvisionRunCommand.self, ProvisionVerifyCommand.self, ProvisionStatusCommand.self,
            ProvisionExportCommand.self, ProvisionReleaseCommand.self, ProvisionResetCommand.self,
            ProvisionBoardCommand.self, ProvisionInitDatabaseCommand.self,
        ],
        defaultSubcommand: ProvisionRunCommand.self)
}
