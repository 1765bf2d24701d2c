// nfctool ndef decode: shows the records in the bytes of a message

import ArgumentParser
import Composing
import NDEF
import RecordPresentation
import SafeTag
import TagTypes
import Terminal

struct NDEFDecode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show the records of a message.",
        discussion: """
            Reads exactly one message: raw bytes, hexadecimal text with --hex, or the message in a dump.

              nfctool read --output - | nfctool ndef decode
              nfctool ndef decode tag.nfc
              echo D1 01 08 54 02 65 6E 48 65 6C 6C 6F | nfctool ndef decode --hex --json
            """)

    @Argument(help: "A file with a message or a dump, or - for stdin.", completion: .file())
    var file: String?

    @Flag(help: "Read hexadecimal text; white space and colons may separate bytes.")
    var hex = false

    @Flag(help: "Print JSON; failures are JSON on stderr.")
    var json = false

    @OptionGroup var secrets: SecretOptions

    func run() throws {
        let (message, bytes, state) = try MessageFile(argument: file, isHex: hex).storedMessage()
        if json {
            try JSONLine.print(
                MessageReport(messageLength: bytes.count, records: message.recordReports))
        } else {
            let style = Style.standardOutput.showingSecrets(secrets.showSecrets)
            StandardOutput.print(RecordTable(message.records, style: style).text)
            if let state, message.records.isEmpty { Hint(json: json, quiet: false).tell(emptiness(of: state)) }
        }
    }

    /// Returns a sentence that says why a dump has no records.
    private func emptiness(of state: NDEFState) -> String {
        let holds = state.messageLength == 0 ? "an empty message" : "no message"
        let source = InputFile(path: file ?? "-").source
        return "\(source) is the dump of a tag with \(holds)\(state.reason.map { ": \($0)" } ?? "")."
    }
}

extension MessageFile {
    /// Returns the message in the file, its bytes, and the state of the dumped tag.
    ///
    /// The state is nil if the file is not a dump. If the dumped tag has no message, the returned message contains no
    /// records.
    fileprivate func storedMessage() throws -> (NDEFMessage, bytes: [UInt8], NDEFState?) {
        switch try StoredMessage(of: self) {
        case .message(let message, let bytes): return (message, bytes, nil)
        case .dump(let tag):
            let reading = try tag.reading()
            return (reading.message, reading.bytes, reading.state)
        }
    }
}

private struct MessageReport: Encodable {
    let schema = 1
    let messageLength: Int
    let records: [RecordReport]
}
