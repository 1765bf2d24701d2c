// nfctool apdu: sends ISO/IEC 7816-4 commands and checks the expected status words

import ArgumentParser

struct APDUCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apdu",
        abstract: "Send APDUs to a tag with ISO-DEP, for experts.",
        discussion: """
            Each word is one APDU in hexadecimal; quote it if it contains spaces or colons. After =, give the status \
            word that the answer must have, with x for any digit. Any other status word ends the run with exit code \
            76, and nothing more is sent. APDUs are sent unchanged: 61xx and 6Cxx are not followed. There are no \
            prompts, checks or backups: an APDU can change the tag permanently, or ruin it.

              nfctool apdu 00A4040007D276000085010100=9000 00A4000C02E103=90xx 00B000000F
            """)

    @OptionGroup var commands: APDUs
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        try await commands.run(options)
    }
}
