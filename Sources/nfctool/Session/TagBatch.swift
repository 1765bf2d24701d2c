// Several tags that are processed one after the other, each once — Docs/CommandLine.md, --count

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag

/// `--count`, for commands that write a message to several tags.
struct CountOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many tags to write, one after the other. Tags that cannot be written are skipped.", valueName: "n"))
    var count = 1

    func validate() throws {
        guard (1...1_000_000).contains(count) else { throw ValidationError("--count must be at least 1.") }
    }
}

/// A number of tags that a command processes in the same way.
struct TagBatch {
    let write: SafeWrite
    let options: TagOptions
    let count: Int
    /// The participle for completed work in the progress text.
    var verb = "finished"

    /// Processes one tag after the other until the count is reached, and tells the user when to place the next tag.
    ///
    /// In a batch of several tags, a tag that cannot be used and was not changed is reported and skipped.
    /// - Parameters:
    ///   - first: a tag on the reader that is not part of the batch, or nil if the reader may be empty.
    ///   - attempt: processes a tag.
    ///   - finish: processes the tag after `attempt`. An error here concerns a tag that was changed.
    /// - Throws: the error of `attempt` or `finish`, with the number of completed tags; ``TagsPassedOver``.
    func run<Result>(
        inPlaceOf first: DetectedTag? = nil, _ attempt: (DetectedTag) async throws -> Result,
        then finish: (Result) async throws -> Void
    ) async throws {
        if first == nil, count > 1, options.uid != nil {
            throw UsageFailure(message: "--uid names one tag, and --count asks for \(count). Leave one of them out.")
        }
        let (session, hint) = (write.session, Hint(options.output))
        var (seen, last) = (Set<[UInt8]>(), first)
        var tally = TagTally(count: count, verb: verb)
        do {
            while tally.done < count {
                if let last {
                    seen.insert(last.target.identifier)
                    hint.show("Place tag \(tally.done + 1) of \(count) on the reader in place of \(last.uid).")
                }
                let tag =
                    last == nil
                    ? try await session.onlyTag(for: options)
                    : try await session.newTag(within: options.waitingTime, except: seen)
                last = tag
                let result: Result
                do {
                    result = try await attempt(tag)
                } catch {
                    guard count > 1, !write.mayHaveChanged(tag.target.identifier),
                        let refusal = PassedOverTag(tag, error)
                    else { throw error }
                    tally.passedOver.append(refusal)
                    try refusal.tell(on: session.reader, options.output)
                    continue
                }
                try await finish(result)
                tally.done += 1
            }
        } catch {
            guard count > 1 || first != nil else { throw error }
            guard session.isInterrupted else {
                let told = Confirmation.error(error, after: tally.text)
                if !(told is Declined || told is ConfirmationNeeded) { hint.tell(tally.text) }
                throw told
            }
            throw Interrupted(cause: (error as? Interrupted)?.cause ?? error, remark: tally.text)
        }
        if let first = tally.passedOver.first { throw TagsPassedOver(first: first, tally: tally) }
    }
}
