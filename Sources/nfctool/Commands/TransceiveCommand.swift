// nfctool transceive: sends a tag's own commands, byte for byte

import ArgumentParser

struct TransceiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transceive",
        abstract: "Send raw commands to the tag, for experts.",
        discussion: """
            Each word is one command of the tag's data sheet in hexadecimal; quote it if it contains spaces or colons. \
            The reader adds the CRC and the framing of the tag's protocol. A FeliCa command begins with its length; a \
            Type 1 Tag command leaves out the UID. There are no prompts, checks or backups: a command can change the \
            tag permanently, or ruin it. A command that is refused (NAK) or has no answer ends the run with exit code \
            76 or 75, and nothing more is sent.

              nfctool transceive 60 3000     # an NTAG's version and first 16 bytes
              nfctool transceive 1BFFFFFFFF 'A2 27 00 00 00 00'
            """)

    @OptionGroup var commands: OwnCommands
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        try await commands.run(options)
    }
}
