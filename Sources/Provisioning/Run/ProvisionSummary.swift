// How far a plan has come, and the tags of its events

/// A tag on a reader.
public struct ProvisionedTag: Hashable, Sendable {
    /// The reader's connection string.
    public let reader: String
    /// Upper-case hexadecimal.
    public let uid: String
    /// The chip's name, or what is known from activation.
    public let chip: String

    package init(reader: String, uid: String, chip: String) {
        self.reader = reader
        self.uid = uid
        self.chip = chip
    }
}

/// How far the plan has come.
public struct ProvisionSummary: Hashable, Sendable {
    /// How far the rows are.
    public let counts: ProvisionCounts
    /// The rows whose tags have to come back: bound, written, or proven and not sealed yet; at most ``listed``.
    public let open: [JournalRow]
    /// Rows provisioned by this run.
    public let provenNow: Int
    /// Tags this run refused.
    public let refusedNow: Int
    /// How long the run has taken.
    public let elapsed: Duration

    package init(
        counts: ProvisionCounts, open: [JournalRow], provenNow: Int, refusedNow: Int, elapsed: Duration
    ) {
        self.counts = counts
        self.open = open
        self.provenNow = provenNow
        self.refusedNow = refusedNow
        self.elapsed = elapsed
    }

    /// The rows that are provisioned.
    public var done: Int { counts.provisioned }
    /// Whether that is every row.
    public var isComplete: Bool { counts.isComplete }

    /// More rows than these are only counted.
    public static let listed = 20

    /// The rows of the plan.
    public var rows: Int { counts.rows }
    /// The rows that have no tag.
    public var pending: Int { counts.pending }
}
