// A tag that left in the middle of a write, and came back with another message

import Hexadecimal
public import ReaderInterface

/// Another device wrote the tag while it was away; that content stays.
public struct RewrittenMeanwhile: ClassifiedError {
    /// The tag.
    public let uid: [UInt8]
    /// Whether the journal keeps what the tag held before.
    public let isJournaled: Bool

    /// What kind of thing went wrong.
    public var kind: FailureKind { .unfinished }

    /// What happened, in sentences.
    public var description: String {
        "Tag \(uid.hex) left during the write and came back with a different message, which was not changed."
    }
}
