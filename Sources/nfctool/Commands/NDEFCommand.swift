// nfctool ndef: makes, reads and checks messages without a tag

import ArgumentParser

struct NDEFCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ndef",
        abstract: "Make, read and check NDEF messages.",
        discussion: """
            Messages are raw bytes, for use with pipes and files:

              nfctool ndef encode --uri https://example.com | nfctool ndef decode
            """,
        subcommands: [NDEFEncode.self, NDEFDecode.self, NDEFCheck.self])
}
