// nfctool copy: the message of one tag onto the next

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Read one tag and write its message to the next.",
        discussion: """
            Place the tag to copy on the reader; then, one after the other, the tags that get its message. A tag is taken only \
            once, however long it stays there. Where the chip shows its UID or counter in the message, each copy shows its own; \
            a tag that cannot gets those of the first one as characters, which is asked before.

              nfctool copy --count 10
            """)

    @Option(help: ArgumentHelp("How many tags to write.", valueName: "n"))
    var count = 1

    @OptionGroup var force: ForceOption
    @OptionGroup var write: WriteOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func validate() throws {
        guard (1...1_000_000).contains(count) else { throw ValidationError("--count takes a number from 1 up.") }
    }

    func run() async throws {
        let hint = Hint(options.output)
        try await TagSession.runForReading(options) { session in
            let write = SafeWrite(session, options, write)
            let original = try await SafeWrite(session, options, nil).original(on: session.onlyTag(for: options))
            try MessageReview(original.message).check(force, options.output)
            var seen: Set = [original.target.identifier]
            do {
                while seen.count <= count {
                    hint.show("Place tag \(seen.count) of \(count) on the reader in place of \(original.uid).")
                    let tag = try await session.newTag(within: options.waitingTime, except: seen)
                    let copy = try await write.copy(original, to: tag)
                    seen.insert(tag.target.identifier)
                    try copy.report(.wrote, options.output)
                }
            } catch {
                let remark = "\(seen.count - 1) of \(count) tags were written."
                guard session.isInterrupted else { throw Confirmation.error(error, after: remark) }
                throw Interrupted(cause: (error as? Interrupted)?.cause ?? error, remark: remark)
            }
        }
    }
}
