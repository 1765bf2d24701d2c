// The error for several tags in the field during a change

import Hexadecimal
public import ReaderInterface
package import ReaderSession

/// The error for several tags on the reader when only one may be changed.
public struct SeveralTags: ClassifiedError {
    /// The UIDs of the tags that were found.
    public let uids: [[UInt8]]
    /// Whether there may be further tags, which the reader cannot distinguish.
    public let hasMore: Bool

    package init(_ tags: [DetectedTag], in session: TagSession) {
        (uids, hasMore) = (tags.map(\.target.identifier), session.hasMoreTags)
    }

    /// The kind of failure.
    public var kind: FailureKind { .severalTags }

    /// A description in sentences.
    public var description: String {
        let list = uids.map(\.hex).joined(separator: ", ")
        return hasMore
            ? "More tags are on the reader than it can distinguish, among them \(list). Nothing was changed."
            : "\(uids.count) tags are on the reader: \(list). Nothing was changed."
    }
}
