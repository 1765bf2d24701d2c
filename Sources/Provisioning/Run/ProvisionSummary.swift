// The progress of a plan, and the tags that its events name

/// A tag on a reader, as events name it.
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

/// The progress of the plan, and the results of the current run.
public struct ProvisionSummary: Hashable, Sendable {
    /// The number of rows in each state.
    public let counts: ProvisionCounts
    /// The first rows whose tags must be placed again because they are not finished, at most ``listed``.
    public let open: [JournalRow]
    /// The number of rows whose tags must be placed again at this station, including those in ``open``.
    ///
    /// The rows that other stations are writing, or whose tags must be placed there again, are not counted.
    public let openHere: Int
    /// The number of rows provisioned in this run.
    public let provenNow: Int
    /// The number of tags refused in this run.
    public let refusedNow: Int
    /// The number of rows that this run verified but for which the command failed.
    public let commandFailures: Int
    /// The numbers of the first rows for which the command failed, at most ``listed``.
    public let commandFailedRows: [Int]
    /// The duration of the run so far.
    public let elapsed: Duration

    /// Creates a summary.
    ///
    /// `openHere` is the number of rows in `open` if it is nil. `commandFailedRows` contains the numbers of all rows for
    /// which the command failed. The summary lists the first ones.
    package init(
        counts: ProvisionCounts, open: [JournalRow], openHere: Int? = nil, provenNow: Int, refusedNow: Int,
        elapsed: Duration, commandFailedRows: Set<Int> = []
    ) {
        self.counts = counts
        self.open = open
        self.openHere = max(open.count, openHere ?? 0)
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

    /// The maximum number of rows that are listed.
    ///
    /// Further rows are only counted.
    public static let listed = 20

    /// The number of rows in the plan.
    public var rows: Int { counts.rows }
    /// The number of rows without a tag.
    public var pending: Int { counts.pending }
}
