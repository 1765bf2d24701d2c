// nfctool erase: replaces the message on the tag with an empty one

import ArgumentParser
import SafeTag

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Replace the tag's message with an empty one.",
        discussion: """
            Without --wipe only the length becomes zero, so the old bytes can still be read from the memory. Some \
            phones prefer an empty record to no record: nfctool write --empty
            """)

    @Flag(help: "Overwrite the whole data area with zeros, and delete the messages kept for undo.")
    var wipe = false

    @OptionGroup var write: WriteOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let isWiping = wipe
        let reading = try await TagSession.run(options) { session in
            try await session.change(options, write, to: .replaceMessage).erase(wiping: isWiping)
        }
        try reading.report(wipe ? .wiped : .erased, options.output)
        guard !wipe else { return }
        Hint(options.output).tell(
            "The old bytes, such as a Wi-Fi password, can still be read from the memory. To overwrite them:  "
                + "nfctool erase --wipe")
    }
}
