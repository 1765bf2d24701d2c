// Several tags, one after the other, each taken once — Docs/CommandLine.md, --count

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag

/// `--count` of commands that write a message to several tags.
struct CountOption: ParsableArguments {
    @Option(help: ArgumentHelp("How many tags to write, one after the other.", valueName: "n"))
    var count = 1

    func validate() throws {
        guard (1...1_000_000).contains(count) else { throw ValidationError("--count takes a number from 1 up.") }
    }
}

/// The tags that a command changes in the same way.
struct TagBatch {
    let session: TagSession
    let options: TagOptions
    /// How many tags there are.
    let count: Int
    /// What is done with each.
    var verb = "finished"

    /// Does the work on each tag; the person is told when to place the next one.
    ///
    /// - Parameter first: a tag that lies on the reader and is none of them; nil for a reader that may be empty.
    /// - Throws: what the work throws, with how many tags are done.
    func run(inPlaceOf first: DetectedTag? = nil, _ work: (DetectedTag) async throws -> Void) async throws {
        if first == nil, count > 1, options.uid != nil {
            throw UsageFailure(message: "--uid names one tag, and --count asks for \(count). Leave one of them out.")
        }
        let hint = Hint(options.output)
        var (seen, last) = (Set<[UInt8]>(), first)
        var done = 0
        do {
            while done < count {
                if let last {
                    seen.insert(last.target.identifier)
                    hint.show("Place tag \(done + 1) of \(count) on the reader in place of \(last.uid).")
                }
                let tag =
                    last == nil
                    ? try await session.onlyTag(for: options)
                    : try await session.newTag(within: options.waitingTime, except: seen)
                try await work(tag)
                (last, done) = (tag, done + 1)
            }
        } catch {
            guard count > 1 || first != nil else { throw error }
            let remark = "\(done) of \(count) tags were \(verb)."
            guard session.isInterrupted else {
                let told = Confirmation.error(error, after: remark)
                if !(told is Declined || told is ConfirmationNeeded) { hint.tell(remark) }
                throw told
            }
            throw Interrupted(cause: (error as? Interrupted)?.cause ?? error, remark: remark)
        }
    }
}
