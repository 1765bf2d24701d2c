// nfctool copy: copies the message of one tag to other tags

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Read one tag and write its message to the next.",
        discussion: """
            Place the tag to copy on the reader, then each tag that gets its message. A tag is written only once, \
            however long it stays there. If the chip shows its UID or counter in the message, each copy shows its \
            own. If a tag cannot do that, copy asks before it writes the values of the first tag as fixed characters.

              nfctool copy --count 10
            """)

    @OptionGroup var batch: CountOption
    @OptionGroup var force: ForceOption
    @OptionGroup var write: WriteOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        try await TagSession.runForReading(options, asksForPassword: false) { session in
            let write = SafeWrite(session, options, write)
            let source = try await session.onlyTag(for: options)
            let original = try await SafeWrite(session, options, nil).original(on: source)
            try MessageReview(original.message).check(force, options.output)
            try await TagBatch(write: write, options: options, count: batch.count).run(inPlaceOf: source) {
                try await write.copy(original, to: $0)
            } then: {
                try $0.report([.wrote], options.output)
            }
        }
    }
}
