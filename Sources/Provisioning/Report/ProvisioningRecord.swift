// The source of a report: the journal as reports read it

public import Foundation

/// A record of provisioning, from which a report is created.
///
/// Rows are passed one at a time, because a plan may have a million of them.
public protocol ProvisioningRecord {
    /// The plan that the record belongs to.
    var plan: PlanIdentity { get }
    /// The time when the plan was started.
    var begun: Date { get }
    /// Whether several stations may have worked on the plan. If so, reports name the station of each row.
    var hasStations: Bool { get }
    /// Returns the number of rows in each state. Every state has an entry.
    func counts() throws -> [RowState: Int]
    /// Whether any row may have a column with this name. The result is also true if the columns are not known.
    func hasColumn(_ name: String) throws -> Bool
    /// Passes the rows in these states to `body`, in the order of the plan.
    func forEachRow(in states: Set<RowState>, _ body: (JournalRow) throws -> Void) throws
    /// Passes the tags that got no row to `body`, oldest first.
    func forEachRefusedTag(_ body: (RefusedTag) throws -> Void) throws
}

extension ProvisioningRecord {
    /// False, because by default only one process works on a plan.
    public var hasStations: Bool { false }
    /// True, because by default the columns are not known.
    public func hasColumn(_ name: String) throws -> Bool { true }
}
