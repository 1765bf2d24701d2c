// The progress of a plan in numbers, which are not defined anywhere else

/// The number of rows of a plan in each stage.
///
/// Lines, summaries, the live screen, reports and JSON take their numbers from here:
/// - A row is *verified* if its tag was read again in a separate activation and held the row's message.
/// - A row is *locked* if its tag was verified and then locked as the row requires. The tag then refuses writes, and
///   this tool cannot undo that.
/// - A row is *protected* if its tag was verified and then got the password that the row requires.
/// - A row is *provisioned* if nothing is left to do: its tag is verified and, if the row requires it, locked and
///   protected.
public struct ProvisionCounts: Hashable, Sendable {
    /// The number of rows in each state of the journal.
    ///
    /// Every state has an entry, and each row is in exactly one state.
    public let states: [RowState: Int]
    /// The number of verified rows whose tags still have to be locked or protected.
    public let waitingForSeal: Int
    /// The number of rows whose tags were locked.
    public let locked: Int
    /// The number of rows whose tags were protected by a password.
    public let protected: Int

    /// Creates counts from a journal's numbers.
    ///
    /// - Parameters:
    ///   - states: the number of rows in each state. A missing state counts as 0.
    ///   - waitingForSeal: the number of rows in state `proven` that require a lock or a password.
    ///   - locked: the number of rows in state `sealed` that require a lock.
    ///   - protected: the number of rows in state `sealed` that require a password.
    public init(states: [RowState: Int], waitingForSeal: Int, locked: Int, protected: Int = 0) {
        self.states = Dictionary(uniqueKeysWithValues: RowState.allCases.map { ($0, states[$0, default: 0]) })
        self.waitingForSeal = waitingForSeal
        self.locked = locked
        self.protected = protected
    }

    /// Counts the rows of a record.
    ///
    /// The rows are read only if they have their own columns for locks or passwords.
    public init(of record: any ProvisioningRecord) throws {
        let rule = SealRule(of: record.plan)
        let states = try record.counts()
        guard try RowSeal.columns.contains(where: record.hasColumn) else {
            self.init(
                states: states, waitingForSeal: rule.general.isNone ? 0 : states[.proven, default: 0],
                locked: rule.general.lock ? states[.sealed, default: 0] : 0,
                protected: rule.general.protect ? states[.sealed, default: 0] : 0)
            return
        }
        var (waiting, locked, protected) = (0, 0, 0)
        try record.forEachRow(in: [.proven, .sealed]) { row in
            let seal = rule.seal(of: row)
            if row.state == .proven, !seal.isNone { waiting += 1 }
            if row.state == .sealed, seal.lock { locked += 1 }
            if row.state == .sealed, seal.protect { protected += 1 }
        }
        self.init(states: states, waitingForSeal: waiting, locked: locked, protected: protected)
    }
}

extension ProvisionCounts {
    /// The number of rows in the plan.
    public var rows: Int { states.values.reduce(0, +) }
    /// The number of rows whose tags were read again and held their message.
    public var verified: Int { states[.proven, default: 0] + states[.sealed, default: 0] }
    /// The number of rows with nothing left to do.
    public var provisioned: Int { verified - waitingForSeal }
    /// The number of rows that are not provisioned.
    public var left: Int { rows - provisioned }
    /// The number of rows without a tag.
    public var pending: Int { states[.pending, default: 0] }
    /// The number of rows whose tags are being written or were removed before they were verified.
    public var interrupted: Int { states[.bound, default: 0] + states[.written, default: 0] }
    /// The number of rows whose tags could not be finished.
    public var failed: Int { states[.failed, default: 0] }
    /// Whether all rows are provisioned.
    public var isComplete: Bool { left == 0 }
}
