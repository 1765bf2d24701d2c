// nfctool copy: the message of one tag onto the next

import ArgumentParser
import Composing
import NDEF
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

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
    @OptionGroup var options: TagOptions

    func validate() throws {
        guard (1...1_000_000).contains(count) else { throw ValidationError("--count takes a number from 1 up.") }
    }

    func run() async throws {
        let hint = Hint(options.output)
        try await TagSession.run(options, for: .reading) { session in
            let source = try await session.onlyTag(for: options)
            // What is copied must be whole.
            let whole = try await SafeWrite(session, options, nil).change(of: source, to: .keepMessage)
            let original = try await session.currentReading(of: whole.tag)
            guard original.state.messageLength != nil else {
                throw TagError.notNDEF(reason: original.state.reason ?? "it holds no message to copy")
            }
            try MessageReview(original.message).check(force, options.output)
            var seen: Set = [original.target.identifier]
            do {
                while seen.count <= count {
                    hint.show("Place tag \(seen.count) of \(count) on the reader in place of \(original.uid).")
                    let tag = try await session.newTag(within: options.waitingTime, except: seen)
                    let change = try await SafeWrite(session, options, write).change(
                        of: tag, to: .replaceMessage, opening: session.unlocking.for(.writing))
                    let message = try await change.message(copying: original)
                    try await change.initialiseIfBlank(for: message.bytes.count)
                    var copy = try await change.replaceMessage(showing: message.mirror) {
                        try $0.planWrite(message.bytes, .throughEmpty)
                    }
                    if message.mirror == nil { copy.fixed = original.mirror?.content }
                    seen.insert(copy.target.identifier)
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
