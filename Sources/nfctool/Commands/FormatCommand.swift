// nfctool format: give a blank tag an NDEF area

import ArgumentParser
import SafeTag

struct FormatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "format",
        abstract: "Give a blank tag an NDEF area with an empty message.",
        discussion: """
            A tag that has an NDEF area already is left as it is: nfctool erase empties it. Formatting sets one-time bits on \
            most chips, so it asks first, or needs --yes.
            """)

    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let (reading, wasBlank) = try await TagSession.run(options) { session in
            try await session.change(options, to: .keepMessage).format()
        }
        try reading.report(wasBlank ? .formatted : .wasFormatted, options.output)
    }
}
