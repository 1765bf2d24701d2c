// How far a row of the plan has come

/// The state of a row; each is on the disk before what comes after it happens to a tag.
public enum RowState: String, CaseIterable, Hashable, Sendable, Codable {
    /// No tag has it.
    case pending
    /// It belongs to a tag, which may hold anything: this is on the disk before the tag is touched.
    case bound
    /// The tag took all of it.
    case written
    /// The tag was read again in an activation of its own and holds it.
    case proven
    /// Proven, and locked or protected as the plan wants.
    case sealed
    /// Its tag refuses to be finished; the row stays with it until it is released.
    case failed
}
