// Whether the virtual reader takes its time

/// How long the reader takes for its answers.
public enum Latency: String, CaseIterable, Hashable, Sendable {
    /// Answers at once; only the statistics know the time.
    case none
    /// Answers after the modelled time.
    case real
}
