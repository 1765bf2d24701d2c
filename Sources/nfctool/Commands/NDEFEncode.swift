// nfctool ndef encode: from records to the bytes of a message

import ArgumentParser
import Foundation
import Hexadecimal
import NDEF

struct NDEFEncode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Make a message of records.",
        discussion: """
            The records stand in the order given. The message goes to stdout as raw bytes, or as text with --hex.

              nfctool ndef encode --text Hello --uri https://example.com --hex
              nfctool ndef encode --mime image/png=@logo.png --output logo.ndef
            """)

    @OptionGroup(title: "Records") var records: RecordOptions

    @Flag(help: "Write hexadecimal text.")
    var hex = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file, - for stdout.", valueName: "file"))
    var output: String?

    @OptionGroup var overwrite: OverwriteOption

    func run() throws {
        let message = try records.message()
        let bytes = try message.encoded()
        guard output != nil || hex || isatty(STDOUT_FILENO) == 0 else { throw BytesToTerminal() }
        try records.showNotices(.always)
        MessageReview(message).show(in: .always)
        // A message may hold the password of a network.
        let file = try ResultFile(output ?? "-", .secret).claimed(overwrite: overwrite.isAllowed)
        try file.write(hex ? Array((bytes.hex + "\n").utf8) : bytes)
    }
}

/// Raw bytes would go to a terminal, which takes some of them for commands.
struct BytesToTerminal: Failure {
    var name: ErrorName { .usage }
    var message: String {
        """
        A message is raw bytes, which a terminal cannot show. Add --hex, --output FILE or a pipe; --output - prints them anyway.
        """
    }
}
