// nfctool read: wait for one tag, print its records

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Terminal
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
        let (readings, failure, restores) = try await TagSession.run(
            options, for: .reading, showing: sound.signals, isGood: { $0.1 == nil }
        ) { session in
            let tags = try await session.tags(for: options)
            if output != nil, tags.count > 1 { throw SeveralTags(tags, in: session) }
            var readings: [TagReading] = []
            var failure: (any Error)?
            var restores: [HalfRestore] = []
            for tag in tags {
                do {
                    readings.append(try await session.read(tag))
                } catch {
                    failure = failure ?? error
                }
                if let restore = await session.halfRestore(of: tag) { restores.append(restore) }
            }
            for index in readings.indices
            where restores.contains(where: { $0.uid == readings[index].target.identifier }) {
                readings[index].isUnfinished = true
            }
            return (readings, failure, restores)
        }
        for reading in readings { try print(reading, to: file) }
        if readings.contains(where: { $0.hasMoreBeside == true }) { MoreTags.tell(options.output) }
        restores.tell(options.output)
        if let failure { throw failure }
    }

    private func print(_ reading: TagReading, to file: ResultFile?) throws {
        let interruption = InterruptedWrite.find(of: reading.target, holding: HeldMessage(reading))
        if let file {
            try file.write(reading.bytes)
        } else if options.output.json {
            var reading = reading
            if interruption != nil { reading.isUnfinished = true }
            try JSONLine.print(reading)
        } else {
            TagPresentation(reading, style: .standardOutput.showingSecrets(secrets.showSecrets)).print()
            interruption?.tell(options.output)
        }
    }
}
