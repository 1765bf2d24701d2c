// nfctool format: gives a blank tag an NDEF area

import ArgumentParser
import SafeTag

struct FormatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "format",
        abstract: "Give a blank tag an NDEF area with an empty message.",
        discussion: """
            A tag that already has an NDEF area is left as it is. To empty it, use nfctool erase. On a blank Type 2 Tag, \
            formatting sets one-time bits and cannot be undone. The command asks first, unless --yes is given.

            With --factory, a MIFARE Classic returns to its factory state: data zero, keys FFFFFFFFFFFF, access bits \
            FF0780. This needs the keys of all its sectors. The command asks first, unless --yes is given.

              nfctool format
              nfctool format --factory --key-file keys.dic
            """)

    @Flag(help: "Erase a MIFARE Classic, and restore its factory keys.")
    var factory = false

    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        if factory { return try await reset() }
        let (reading, wasBlank) = try await TagSession.run(options) { session in
            try await session.change(options, to: .keepMessage).format()
        }
        try reading.report(wasBlank ? .formatted : .wasFormatted, options.output)
    }

    private func reset() async throws {
        let (reading, didWrite, blocked) = try await TagSession.run(options) { session in
            let (tag, didWrite, blocked) = try await ClassicReset(in: session).run(on: session.onlyTag(for: options))
            return (try await session.currentReading(of: tag), didWrite, blocked)
        }
        if !blocked.isEmpty {
            Warning(options.output).show(BlockedSectors(blocked).words + " The other sectors are in the factory state.")
        }
        try reading.report(didWrite ? .reset : .wasReset, options.output)
    }
}
