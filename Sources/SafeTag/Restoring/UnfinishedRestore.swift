// The error for an earlier interrupted restore that must be completed first

import Foundation
import Hexadecimal
public import ReaderInterface
import WriteJournal

/// The error for a tag whose content is incomplete, because an earlier restore was interrupted.
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
    package var time: String { started.formatted(.iso8601.dateTimeSeparator(.space)) }

    package var sentence: String { "Restoring tag \(uid.hex) was interrupted. It began at \(time)." }
}
