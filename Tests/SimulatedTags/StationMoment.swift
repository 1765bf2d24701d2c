// What a station was doing when it was killed

/// The work of a station on a tag.
public enum StationMoment: UInt8, CaseIterable, Sendable {
    /// The station has no tag.
    case idle
    /// The station queries the journal for a tag or a row.
    case asking
    /// The tag gets a row in the journal.
    case binding
    /// The tag is written.
    case writing
    /// The tag is read again, and the journal is updated.
    case proving
    /// The tag is locked, and the journal is updated.
    case sealing
}
