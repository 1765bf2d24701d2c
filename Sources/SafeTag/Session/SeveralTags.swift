// More tags than one in the field of a change

import Hexadecimal
public import ReaderInterface
package import ReaderSession

/// More tags are on the reader than one, and only one may be changed.
public struct SeveralTags: ClassifiedError {
    /// The UIDs of those that were found.
    public let uids: [[UInt8]]
    /// Whether there are more than these.
    public let hasMore: Bool

    package init(_ tags: [DetectedTag], in session: TagSession) {
        (uids, hasMore) = (tags.map(\.target.identifier), session.hasMoreTags)
    }

    /// What kind of thing went wrong.
    public var kind: FailureKind { .severalTags }

    /// What happened, in sentences.
    public var description: String {
        let list = uids.map(\.hex).joined(separator: ", ")
        return hasMore
            ? "More tags are on the reader than it can tell apart, among them \(list). Nothing was changed."
            : "\(uids.count) tags are on the reader: \(list). Nothing was changed."
    }
}
