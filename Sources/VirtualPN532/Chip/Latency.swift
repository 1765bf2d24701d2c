// The response times of the virtual reader

/// Whether the reader's answers take time.
public enum Latency: String, CaseIterable, Hashable, Sendable {
    /// Answers immediately.
    ///
    /// Only the statistics contain the modelled time.
    case none
    /// Answers after the modelled time.
    case real
}
