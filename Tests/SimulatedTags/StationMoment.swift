// What a station was at when it was killed

/// What a station does with a tag.
public enum StationMoment: UInt8, CaseIterable, Sendable {
    /// No tag is in hand.
    case idle
    /// The journal is asked for a tag, or for a row.
    case asking
    /// The tag gets a row in the journal.
    case binding
    /// The tag is written.
    case writing
    /// The tag is read again, and the journal told.
    case proving
    /// The tag is locked, and the journal told.
    case sealing
}
