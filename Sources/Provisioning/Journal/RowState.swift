// The progress of a row of the plan

/// The state of a row.
///
/// Each state is stored on disk before the next operation on the tag.
public enum RowState: String, CaseIterable, Hashable, Sendable, Codable {
    /// No tag has the row.
    case pending
    /// The row belongs to a tag whose content is unknown. This state is stored on disk before the tag is touched.
    case bound
    /// The tag accepted the whole message.
    case written
    /// The tag was read again in a separate activation, and holds the message.
    case proven
    /// The tag is verified, and locked or protected as the plan requires.
    case sealed
    /// The tag could not be finished. It keeps the row until the row is released.
    case failed

    /// The states of rows whose tags may still be changed.
    public static let open = Set(allCases).subtracting([.sealed])
}
