// An earlier restore that was interrupted, and comes first

import Foundation
import Hexadecimal
public import ReaderInterface
import WriteJournal

/// An earlier restore was interrupted on this tag, and the tag is not whole.
public struct UnfinishedRestore: ClassifiedError {
    /// What is known of the restore.
    public let half: HalfRestore
    /// Whether the tag cannot be erased.
    public let isReadOnly: Bool

    /// What kind of thing went wrong.
    public var kind: FailureKind { .unfinished }

    /// What happened, in sentences.
    public var description: String {
        "\(half.pending.sentence) The tag may hold a part of the dump and a part of its old content. Nothing was changed."
    }
}

extension PendingRestore {
    /// When it began, for people.
    package var time: String { started.formatted(.iso8601.dateTimeSeparator(.space)) }

    /// What happened, in a sentence.
    package var sentence: String { "A restore of tag \(uid.hex), which began at \(time), was interrupted." }
}
