// What a report is made of: the journal, seen by its readers

public import Foundation

/// A record of a provisioning; rows come one by one, since a plan may have a million.
public protocol ProvisioningRecord {
    /// The plan it belongs to.
    var plan: PlanIdentity { get }
    /// When the plan was begun.
    var begun: Date { get }
    /// How many rows there are in each state; every state has an entry.
    func counts() throws -> [RowState: Int]
    /// Whether any row may have a column of this name; true also where that is not known.
    func hasColumn(_ name: String) throws -> Bool
    /// The rows in these states, in the order of the plan.
    func forEachRow(in states: Set<RowState>, _ body: (JournalRow) throws -> Void) throws
    /// The tags that got no row, the oldest first.
    func forEachRefusedTag(_ body: (RefusedTag) throws -> Void) throws
}

extension ProvisioningRecord {
    /// True: nothing is known of the columns.
    public func hasColumn(_ name: String) throws -> Bool { true }
}
