// The progress of a plan, and the tags of its events

/// A tag on a reader.
public struct ProvisionedTag: Hashable, Sendable {
    /// The reader's connection string.
    public let reader: String
    /// The UID in upper-case hexadecimal.
    public let uid: String
    /// The chip's name, or the type known from activation.
    public let chip: String

    package init(reader: String, uid: String, chip: String) {
        self.reader = reader
        self.uid = uid
        self.chip = chip
    }
}

/// The progress of the plan.
public struct ProvisionSummary: Hashable, Sendable {
    /// The number of rows in each stage.
    public let counts: ProvisionCounts
    /// The rows whose tags must be placed again: bound, written, or proven and not yet sealed; at most ``listed``.
    public let open: [JournalRow]
    /// The number of rows provisioned in this run.
    public let provenNow: Int
    /// The number of tags refused in this run.
    public let refusedNow: Int
    /// The number of rows that this run verified and whose command then failed.
    public let commandFailures: Int
    /// The first rows whose command failed, at most ``listed``.
    public let commandFailedRows: [Int]
    /// The duration of the run so far.
    public let elapsed: Duration

    /// Creates a summary.
    ///
    /// `commandFailedRows` contains all rows whose command failed.
    package init(
        counts: ProvisionCounts, open: [JournalRow], provenNow: Int, refusedNow: Int, elapsed: Duration,
        commandFailedRows: Set<Int> = []
    ) {
        self.counts = counts
        self.open = open
        self.provenNow = provenNow
        self.refusedNow = refusedNow
        self.elapsed = elapsed
        commandFailures = commandFailedRows.count
        self.commandFailedRows = Array(commandFailedRows.sorted().prefix(Self.listed))
    }

    /// The number of provisioned rows.
    public var done: Int { counts.provisioned }
    /// Whether all rows are provisioned.
    public var isComplete: Bool { counts.isComplete }

    /// The maximum number of rows listed.
    ///
    /// Further rows are only counted.
    public static let listed = 20

    /// The number of rows in the plan.
    public var rows: Int { counts.rows }
    /// The number of rows without a tag.
    public var pending: Int { counts.pending }
}
