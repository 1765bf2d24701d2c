// The lock and password that a row requires — Docs/CommandLine.md, provision

/// The lock and password that a row's tag gets after it is verified.
public struct RowSeal: Hashable, Sendable {
    /// Whether the tag is locked permanently.
    public var lock: Bool
    /// Whether the tag gets a password.
    public var protect: Bool

    static let columns = [RowSettings.Column.lock.rawValue, RowSettings.Column.protect.rawValue]

    /// Returns the values of the row's columns `lock` and `protect`, with nil for a column without a valid value.
    package static func own(of row: PlanRow) -> (lock: Bool?, protect: Bool?) {
        func answer(_ column: RowSettings.Column) -> Bool? { row[column.rawValue].flatMap(Answer.init)?.isYes }
        return (answer(.lock), answer(.protect))
    }

    /// Creates a seal.
    ///
    /// Without arguments, the tag gets neither lock nor password.
    public init(lock: Bool = false, protect: Bool = false) {
        self.lock = lock
        self.protect = protect
    }

    /// Whether the tag gets neither lock nor password.
    public var isNone: Bool { !lock && !protect }
}

/// The rule that decides which rows of a plan need a lock or a password.
///
/// Reading the rule needs no password.
public struct SealRule: Hashable, Sendable {
    /// The seal of rows that have no columns `lock` and `protect`.
    public let general: RowSeal

    /// Reads the rule from the lines that ``RowSettings`` adds to the recipe of a plan.
    public init(of plan: PlanIdentity) {
        general = RowSeal(
            lock: plan.recipe.contains(RowSettings.lockLine), protect: plan.recipe.contains(RowSettings.protectLine))
    }

    /// Returns the seal that a row requires.
    public func seal(of row: PlanRow) -> RowSeal {
        let own = RowSeal.own(of: row)
        return RowSeal(lock: own.lock ?? general.lock, protect: own.protect ?? general.protect)
    }

    /// Returns the seal that a row requires, even if its fields and the recipe cannot be read.
    package func seal(of row: JournalRow) -> RowSeal { row.seal ?? seal(of: row.row) }

    /// Returns the lock and password that a row's tag got after it was verified, or nil if the journal does not record
    /// this.
    ///
    /// A tag that was removed while it was being locked or protected may or may not have got them.
    func carriedOut(on row: JournalRow) -> RowSeal? {
        let seal = seal(of: row)
        switch row.state {
        case .pending, .bound, .written, .failed: return nil
        case .proven: return seal.isNone ? seal : nil
        case .sealed: return seal.isNone ? nil : seal
        }
    }

    /// Whether a run can write a row to its changed tag again.
    ///
    /// A locked tag cannot be written.
    func isRepairable(_ row: JournalRow) -> Bool { carriedOut(on: row)?.lock != true }

    /// Whether a row is done but its tag was later found to hold something else.
    ///
    /// The stored reason says what is wrong.
    func isChanged(_ row: JournalRow) -> Bool {
        guard row.reason != nil else { return false }
        return row.state == .sealed || row.state == .proven && seal(of: row).isNone
    }
}
