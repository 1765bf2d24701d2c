// nfctool info: shows what a tag is, and its memory block by block

import ArgumentParser
import SafeTag
import Terminal

struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show a tag's chip, type, capacity, memory map and locks.",
        discussion: """
            With FILE, shows the tag in a dump file. No reader is needed.

              nfctool info
              nfctool info tag.nfc
            """)

    @OptionGroup var dump: DumpArgument
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        if let tag = try dump.tag(options) {
            let inspection = try tag.inspection()
            try print(inspection)
            if let broken = inspection.broken { throw broken }
            return
        }
        let (tags, writes, restores, failure) = try await TagSession.runForReading(options) { session in
            await session.inspect(try await session.tags(for: options))
        }
        for tag in tags { try print(tag) }
        if tags.contains(where: { $0.hasMoreTags == true }) { MoreTags.tell(options.output) }
        for write in writes { write.tell(options.output) }
        restores.tell(options.output)
        if let failure { throw failure }
    }

    private func print(_ tag: TagInspection) throws {
        if options.output.json { return try JSONLine.print(tag) }
        TagPresentation(tag, style: .standardOutput.showingSecrets(options.secrets.showSecrets)).print()
    }
}
