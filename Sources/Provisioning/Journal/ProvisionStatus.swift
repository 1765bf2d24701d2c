// The progress of a plan, readable while others work on it

public import Foundation

/// How far a plan has come, as its journal says.
public struct ProvisionStatus: Sendable {
    /// The name of the journal's file.
    public let name: String
    /// The plan.
    public let plan: PlanIdentity
    /// When the journal was begun.
    public let begun: Date
    /// How far the rows are.
    public let counts: ProvisionCounts
    /// Rows whose tags have to come back, and rows that failed; the first of them.
    public let open: [JournalRow]
    /// Tags that get no row; the first of them.
    public let quarantined: [RefusedTag]

    private static let listed = 20

    /// Looks into a journal.
    /// - Throws: `JournalError`.
    public init(_ journal: any ProvisionJournal, name: String) throws {
        self.name = name
        plan = journal.plan
        begun = journal.begun
        counts = try journal.progress()
        var open = try journal.unfinishedRows(limit: Self.listed)
        if counts.failed > 0 {
            try open += (journal.page(after: 0, in: [.failed]) ?? []).prefix(Self.listed)
        }
        self.open = Array(open.sorted { $0.row.number < $1.row.number }.prefix(Self.listed))
        var quarantined: [RefusedTag] = []
        try journal.forEachRefusedTag { tag in
            if tag.isQuarantined, quarantined.count < Self.listed { quarantined.append(tag) }
        }
        self.quarantined = quarantined
    }
}
