// nfctool info: what a tag is, and its memory block by block

import ArgumentParser
import SafeTag
import Terminal

struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what a tag is: chip, type, capacity, memory map, locks.")

    @OptionGroup var secrets: SecretOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let (tags, writes, restores, failure) = try await TagSession.runForReading(options) { session in
            await session.inspect(try await session.tags(for: options))
        }
        for tag in tags {
            if options.output.json {
                try JSONLine.print(tag)
            } else {
                TagPresentation(tag, style: .standardOutput.showingSecrets(secrets.showSecrets)).print()
            }
        }
        if tags.contains(where: { $0.hasMoreTags == true }) { MoreTags.tell(options.output) }
        for write in writes { write.tell(options.output) }
        restores.tell(options.output)
        if let failure { throw failure }
    }
}
