// nfctool read: wait for one tag, print its records

import ArgumentParser
import CoreNFC
import NFCReader
import TagTypes
import WriteJournal

struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Wait for a tag and print its records.",
        discussion: """
            A tag without a message is an answer, too, and exits 0.

              nfctool read
              nfctool read --json | jq -r '.records[].content.uri // empty'
              nfctool read --output message.ndef
            """)

    @OptionGroup var options: TagOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the raw NDEF message to a file, - for stdout, and print nothing else.", valueName: "file"))
    var output: String?

    @OptionGroup var overwrite: OverwriteOption
    @OptionGroup var secrets: SecretOptions
    @OptionGroup var sound: BeepOption

    func run() async throws {
        // A message may hold the password of a network.
        let file = try output.map {
            try ResultFile($0, .secret).claimed(overwrite: overwrite.isAllowed, isJSON: options.output.json)
        }
        let (readings, failure) = try await TagSession.run(
            options, for: .reading, showing: sound.signals, isGood: { $0.1 == nil }
        ) { session in
            let tags = try await session.tags(within: options.waitingTime, uid: options.uid)
            if output != nil, tags.count > 1 { throw SeveralTags(tags, in: session) }
            var readings: [TagReading] = []
            var failure: (any Error)?
            for tag in tags {
                do {
                    readings.append(try await session.read(tag))
                } catch {
                    failure = failure ?? error
                }
            }
            return (readings, failure)
        }
        for reading in readings { try print(lookedUp(reading), to: file) }
        if readings.contains(where: { $0.hasMoreBeside == true }) { MoreTags.tell(options.output) }
        if let failure { throw failure }
    }

    /// The reading with what the journal knows of the tag; a journal that cannot be read says nothing here.
    private func lookedUp(_ reading: TagReading) -> TagReading {
        let entries = (try? WriteJournal.ofThisUser.entries().entries) ?? []
        guard let entry = entries.first(where: { $0.uid == reading.target.identifier }),
            UnfinishedWork(entry, on: HeldMessage(reading)).standing == .broken
        else { return reading }
        var reading = reading
        reading.isUnfinished = true
        return reading
    }

    private func print(_ reading: TagReading, to file: ResultFile?) throws {
        if let file {
            try file.write(reading.bytes)
        } else if options.output.json {
            try JSONLine.print(reading)
        } else {
            TagPresentation(reading, style: .standardOutput.showingSecrets(secrets.showSecrets)).print()
            guard reading.isUnfinished == true, !options.output.quiet else { return }
            StandardError.print("A write to tag \(reading.uid) was cut off: nfctool recover finishes it.\n")
        }
    }
}
