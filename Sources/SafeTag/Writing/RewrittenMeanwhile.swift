// A tag that left during a write and came back with another message

import Hexadecimal
public import ReaderInterface

/// The error for a tag that another device wrote while the tag was away from the reader.
///
/// The content that the other device wrote is left unchanged.
public struct RewrittenMeanwhile: ClassifiedError {
    /// The tag's UID.
    public let uid: [UInt8]
    /// Whether the journal keeps the old content of the tag.
    public let isJournaled: Bool

    /// The kind of failure.
    public var kind: FailureKind { .unfinished }

    /// A description in sentences.
    public var description: String {
        "Tag \(uid.hex) left during the write and came back with a different message, which was not changed."
    }
}
