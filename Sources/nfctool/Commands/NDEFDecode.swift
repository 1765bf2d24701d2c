// nfctool ndef decode: from the bytes of a message to records

import ArgumentParser
import Composing
import NDEF
import Terminal

struct NDEFDecode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show the records of a message.",
        discussion: """
            Takes exactly one message: raw bytes, or text with --hex.

              nfctool read --output - | nfctool ndef decode
              echo D1 01 08 54 02 65 6E 48 65 6C 6C 6F | nfctool ndef decode --hex --json
            """)

    @Argument(help: "A file, - for stdin.")
    var file = "-"

    @Flag(help: "Read hexadecimal text; white space and colons may stand between bytes.")
    var hex = false

    @Flag(help: "Print JSON; failures are JSON on stderr.")
    var json = false

    @OptionGroup var secrets: SecretOptions

    func run() throws {
        let input = MessageFile(path: file, isHex: hex)
        let bytes = try input.bytes()
        let message = try input.message(bytes)
        if json {
            try JSONLine.print(
                MessageReport(messageLength: bytes.count, records: message.records.map(RecordReport.init)))
        } else {
            let style = Style.standardOutput.showingSecrets(secrets.showSecrets)
            StandardOutput.print(RecordTable(message.records, style: style).text)
        }
    }
}

/// The JSON form of a message.
private struct MessageReport: Encodable {
    let schema = 1
    let messageLength: Int
    let records: [RecordReport]
}
