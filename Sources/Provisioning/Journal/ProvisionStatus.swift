// The progress of a plan, which can be read while other processes work on the plan

public import Foundation

/// The progress of a plan, according to its journal.
public struct ProvisionStatus: Sendable {
    /// The name of the journal's file.
    public let name: String
    /// The plan.
    public let plan: PlanIdentity
    /// The time when the plan was started.
    public let begun: Date
    /// The number of rows in each stage.
    public let counts: ProvisionCounts
    /// The first rows that failed or whose tags must be placed again.
    public let open: [JournalRow]
    /// The number of rows that are being written to their tags now.
    public let beingWritten: Int
    /// The numbers of the rows in ``open`` that are being written now.
    public let openBeingWritten: Set<Int>
    /// The first rows that are done, but whose tags were later found to hold something else.
    public let changed: [JournalRow]
    /// The first tags in quarantine.
    public let quarantined: [RefusedTag]
    /// Whether this user can work on the plan, and not only see its progress.
    public let isWorker: Bool

    private static let listed = 20

    /// Reads the status from a journal.
    /// - Throws: `JournalError` if the journal cannot be read.
    public init(_ journal: any ProvisionJournal, name: String) throws {
        self.name = name
        plan = journal.plan
        begun = journal.begun
        isWorker = journal.readsRows
        counts = try journal.progress()
        var open = try journal.unfinishedRows(limit: Self.listed)
        if counts.failed > 0 {
            try open += (journal.page(after: 0, in: [.failed]) ?? []).prefix(Self.listed)
        }
        open = Array(open.sorted { $0.row.number < $1.row.number }.prefix(Self.listed))
        self.open = open
        let activity = open.isEmpty ? nil : try journal.activity()
        beingWritten = activity?.beingWritten ?? 0
        openBeingWritten = Set(open.filter { activity?.isBeingWritten($0) == true }.map(\.row.number))
        changed = try journal.changedRows(after: 0, limit: Self.listed)
        var quarantined: [RefusedTag] = []
        try journal.forEachRefusedTag { tag in
            if tag.isQuarantined, quarantined.count < Self.listed { quarantined.append(tag) }
        }
        self.quarantined = quarantined
    }
}
