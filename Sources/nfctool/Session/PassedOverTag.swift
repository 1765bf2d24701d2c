// Tags that were not right for a batch, and how many were — Docs/CommandLine.md, --count

import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Terminal

/// A tag that refused before anything on it was changed.
struct PassedOverTag {
    private static let kinds: Set<FailureKind> = [
        .brokenRules, .readOnly, .passwordNeeded, .wrongPassword, .doesNotFit, .wrongChip, .notNDEF, .unfinished,
    ]

    let tag: DetectedTag
    let failure: TagFailure

    /// Nil for an error that the next tag would meet, too.
    init?(_ tag: DetectedTag, _ error: any Error) {
        guard let kind = (error as? any ClassifiedError)?.kind, Self.kinds.contains(kind),
            let failure = TagFailure(error)
        else { return nil }
        (self.tag, self.failure) = (tag, failure)
    }

    /// Tells of it, in JSON as an event.
    func tell(on reader: String, _ output: OutputOptions) throws {
        if output.json {
            try JSONLine.print(TagReading(unreadable: tag.target, on: reader, because: failure.cause), at: .now)
        } else {
            StandardError.print("nfctool: Skipped \(tag.uid): \(TerminalText.escaped(failure.message))\n")
        }
    }
}

/// How far a batch has come.
struct TagTally {
    let count: Int
    let verb: String
    var done = 0
    var passedOver: [PassedOverTag] = []

    /// In a sentence or two.
    var text: String {
        let uids = passedOver.map(\.tag.uid).joined(separator: ", ")
        return "\(done) of \(count) tags were \(verb)." + (uids.isEmpty ? "" : " Skipped: \(uids).")
    }
}

/// A batch is done, and some tags were not right for it.
struct TagsPassedOver: Failure {
    /// The first one.
    let first: PassedOverTag
    let tally: TagTally
    var name: ErrorName { first.failure.name }
    var message: String { tally.text }
    var details: [String: FailureDetail] {
        first.failure.details.merging(["uids": .list(Set(tally.passedOver.map(\.tag.uid)).sorted())]) { $1 }
    }
}
