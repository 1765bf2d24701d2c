// nfctool ndef encode: turns records into the bytes of a message

import ArgumentParser
import Composing
import Foundation
import Hexadecimal
import NDEF
import RecordPresentation

struct NDEFEncode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Make a message from records.",
        discussion: """
            Keeps the order of the records. Writes the message to stdout as raw bytes, or as text with --hex.

              nfctool ndef encode --text Hello --uri https://example.com --hex
              nfctool ndef decode message.ndef --json | nfctool ndef encode --json - --hex
              nfctool ndef encode --mime image/png=@logo.png --output logo.ndef
            """)

    @OptionGroup(title: "Records") var records: RecordOptions

    @Option(
        help: ArgumentHelp(
            "Read the records from the JSON of `ndef decode --json`, or - for stdin.", valueName: "file"),
        completion: .file())
    var json: String?

    @Flag(help: "Write hexadecimal text.")
    var hex = false

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to a file, or - for stdout.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var overwrite: OverwriteOption

    func run() throws {
        let message = try json.map { try self.message(inJSON: $0) } ?? records.message()
        let bytes = try message.encoded()
        guard output != nil || hex || isatty(STDOUT_FILENO) == 0 else { throw BytesToTerminal() }
        try records.showNotices(.always)
        MessageReview(message).show(in: .always)
        // A message may contain a Wi-Fi password, so only the user may read the file.
        let file = try ResultFile(output ?? "-", .secret).claimed(overwrite: overwrite.isAllowed)
        try file.write(hex ? Array((bytes.hex + "\n").utf8) : bytes)
    }

    private func message(inJSON path: String) throws -> NDEFMessage {
        guard try records.inOrder().isEmpty else {
            throw UsageFailure(message: "Give either --json or record options, not both.")
        }
        let file = InputFile(path: path)
        let json = try file.read()
        do throws(MessageJSONError) {
            let message = try MessageJSON.message(json)
            guard !message.records.isEmpty else {
                throw MessageJSONError(record: nil, reason: "The list of records is empty.")
            }
            return message
        } catch {
            throw BrokenMessageJSON(source: file.source, error: error)
        }
    }
}

struct BrokenMessageJSON: Failure {
    let source: String
    let error: MessageJSONError
    var name: ErrorName { .badFile }
    var message: String { "\(source) does not contain a message in JSON. \(error)" }
}

/// Raw bytes for a terminal, which would interpret some of them as commands.
struct BytesToTerminal: Failure {
    var name: ErrorName { .usage }
    var message: String {
        """
        A message is raw bytes, which a terminal cannot show. Add --hex, --output FILE or a pipe; --output - prints them anyway.
        """
    }
}
