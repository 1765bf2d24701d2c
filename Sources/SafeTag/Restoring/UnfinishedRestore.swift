// An earlier interrupted restore that must be completed first

import Foundation
import Hexadecimal
public import ReaderInterface
import WriteJournal

/// An earlier restore was interrupted on this tag, so its content is incomplete.
public struct UnfinishedRestore: ClassifiedError {
    /// The interrupted restore.
    public let half: HalfRestore
    /// Whether the tag is read-only and cannot be erased.
    public let isReadOnly: Bool

    /// The kind of failure.
    public var kind: FailureKind { .unfinished }

    /// A description in sentences.
    public var description: String {
        "\(half.pending.sentence) The tag may hold part of the dump and part of its old content. Nothing was changed."
    }
}

extension PendingRestore {
    /// The start time of the restore, for people.
    package var time: String { started.formatted(.iso8601.dateTimeSeparator(.space)) }

    /// A description in one sentence.
    package var sentence: String { "Restoring tag \(uid.hex) was interrupted. It began at \(time)." }
}
