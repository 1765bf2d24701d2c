// nfctool read: waits for a tag and prints its records

import ArgumentParser
import ReaderSession
import SafeTag
import Terminal

struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Wait for a tag and print its records.",
        discussion: """
            Exits 0 even if the tag has no message. With FILE, reads the tag in a dump file. No reader is needed.

              nfctool read
              nfctool read --json | jq -r '.records[].content.uri // empty'
              nfctool read --output message.ndef
              nfctool read tag.nfc
            """)

    @OptionGroup var dump: DumpArgument
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the raw NDEF message to a file, or - for stdout, and print nothing else.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var overwrite: OverwriteOption
    @OptionGroup var sound: BeepOption

    func run() async throws {
        let dumped = try dump.tag(options)?.reading()
        // A message may contain a Wi-Fi password, so only the user may read the file.
        let file = try output.map {
            try ResultFile($0, .secret).apart(from: ReaderSpecification(options.reader))
                .claimed(overwrite: overwrite.isAllowed, isJSON: options.output.json)
        }
        if let dumped { return try print(dumped, to: file) }
        let outcome = try await TagSession.runForReading(
            options, showing: sound.signals, isGood: { $0.result.failure == nil },
            refusal: { $0.tagCount == 1 ? $0.result.failure : nil }
        ) { session in
            let tags = try await session.tags(for: options)
            if output != nil, tags.count > 1 { throw SeveralTags(tags, in: session) }
            return (result: await session.read(tags), tagCount: tags.count)
        }
        let (readings, writes, restores, failure) = outcome.result
        for reading in readings { try print(reading, to: file) }
        if readings.contains(where: { $0.hasMoreTags == true }) { MoreTags.tell(options.output) }
        for write in writes { write.tell(options.output) }
        restores.tell(options.output)
        if let failure { throw failure }
    }

    private func print(_ reading: TagReading, to file: ResultFile?) throws {
        if let file { return try file.write(reading.bytes) }
        if options.output.json { return try JSONLine.print(reading) }
        TagPresentation(reading, style: .standardOutput.showingSecrets(options.secrets.showSecrets)).print()
    }
}
