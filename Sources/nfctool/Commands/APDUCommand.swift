// nfctool apdu: ISO/IEC 7816-4 commands, and the status words they must have

import ArgumentParser

struct APDUCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apdu",
        abstract: "Send APDUs to a tag that speaks ISO-DEP, for experts.",
        discussion: """
            Each word is one APDU, in hexadecimal; with spaces or colons in it, it needs quotes. What follows = is the status \
            word that the answer must have, x for any digit: another one ends the run with 76, and nothing after it is sent. \
            APDUs go out as they are: 61xx and 6Cxx are not followed. Nothing is asked, checked or kept: an APDU can change \
            the tag permanently, or ruin it.

              nfctool apdu 00A4040007D276000085010100=9000 00A4000C02E103=90xx 00B000000F
            """)

    @OptionGroup var commands: APDUs
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        try await commands.run(options)
    }
}
