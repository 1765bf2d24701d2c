// Tags that a batch skipped, and the progress of the batch — Docs/CommandLine.md, --count

import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Terminal

/// A tag that could not be used and was not changed.
struct PassedOverTag {
    private static let kinds: Set<FailureKind> = [
        .brokenRules, .readOnly, .passwordNeeded, .wrongPassword, .doesNotFit, .wrongChip, .notNDEF, .unfinished,
    ]

    let tag: DetectedTag
    let failure: TagFailure

    /// Returns nil if the same error would occur with the next tag.
    init?(_ tag: DetectedTag, _ error: any Error) {
        guard let kind = (error as? any ClassifiedError)?.kind, Self.kinds.contains(kind),
            let failure = TagFailure(error)
        else { return nil }
        (self.tag, self.failure) = (tag, failure)
    }

    /// Reports the tag on stderr or, in JSON, as an event.
    func tell(on reader: String, _ output: OutputOptions) throws {
        if output.json {
            try JSONLine.print(TagReading(unreadable: tag.target, on: reader, because: failure.cause), at: .now)
        } else {
            StandardError.print("nfctool: Skipped \(tag.uid): \(TerminalText.escaped(failure.message))\n")
        }
    }
}

struct TagTally {
    let count: Int
    let verb: String
    var done = 0
    var passedOver: [PassedOverTag] = []

    var text: String {
        let uids = passedOver.map(\.tag.uid).joined(separator: ", ")
        return "\(done) of \(count) tags were \(verb)." + (uids.isEmpty ? "" : " Skipped: \(uids).")
    }
}

/// A batch is complete, but some tags were skipped.
struct TagsPassedOver: Failure {
    let first: PassedOverTag
    let tally: TagTally
    var name: ErrorName { first.failure.name }
    var message: String { tally.text }
    var details: [String: FailureDetail] {
        first.failure.details.merging(["uids": .list(Set(tally.passedOver.map(\.tag.uid)).sorted())]) { $1 }
    }
}
