// How far a plan has come, in numbers: defined here, and nowhere else

/// How many rows of a plan have come how far.
///
/// Lines, summaries, the live screen, reports and JSON take their numbers from here:
/// - a row is *verified* when its tag was read again, in an activation of its own, and held the row's message;
/// - it is *locked* when its tag, verified, was then locked as the row asks: the tag itself refuses writes, and this tool
///   cannot undo it;
/// - it is *provisioned* when nothing is left to do: verified, and locked and protected where the row asks for that.
public struct ProvisionCounts: Hashable, Sendable {
    /// The rows in each state of the journal; every state has an entry, and a row is in one of them.
    public let states: [RowState: Int]
    /// The verified rows whose tags are to be locked or protected yet.
    public let waitingForSeal: Int
    /// The rows whose tags were locked.
    public let locked: Int

    /// Makes counts of what a journal keeps.
    ///
    /// - Parameters:
    ///   - states: the rows in each state; states that are missing have none.
    ///   - waitingForSeal: the rows in state `proven` that want a lock or a password.
    ///   - locked: the rows in state `sealed` that want a lock.
    public init(states: [RowState: Int], waitingForSeal: Int, locked: Int) {
        self.states = Dictionary(uniqueKeysWithValues: RowState.allCases.map { ($0, states[$0, default: 0]) })
        self.waitingForSeal = waitingForSeal
        self.locked = locked
    }

    /// Counts the rows of a record; reads rows only where each has a lock or a password of its own.
    public init(of record: any ProvisioningRecord) throws {
        let rule = SealRule(of: record.plan)
        let states = try record.counts()
        guard try RowSeal.columns.contains(where: record.hasColumn) else {
            self.init(
                states: states, waitingForSeal: rule.general.isNone ? 0 : states[.proven, default: 0],
                locked: rule.general.lock ? states[.sealed, default: 0] : 0)
            return
        }
        var (waiting, locked) = (0, 0)
        try record.forEachRow(in: [.proven, .sealed]) { row in
            let seal = rule.seal(of: row.row)
            if row.state == .proven, !seal.isNone { waiting += 1 }
            if row.state == .sealed, seal.lock { locked += 1 }
        }
        self.init(states: states, waitingForSeal: waiting, locked: locked)
    }
}

extension ProvisionCounts {
    /// All rows of the plan.
    public var rows: Int { states.values.reduce(0, +) }
    /// The rows whose tags were read again and held them.
    public var verified: Int { states[.proven, default: 0] + states[.sealed, default: 0] }
    /// The rows with which nothing is left to do.
    public var provisioned: Int { verified - waitingForSeal }
    /// The rows that are not provisioned.
    public var left: Int { rows - provisioned }
    /// The rows that have no tag.
    public var pending: Int { states[.pending, default: 0] }
    /// The rows whose tags left before they were verified.
    public var interrupted: Int { states[.bound, default: 0] + states[.written, default: 0] }
    /// The rows whose tags refuse to be finished.
    public var failed: Int { states[.failed, default: 0] }
    /// Whether all rows are provisioned.
    public var isComplete: Bool { left == 0 }
}
