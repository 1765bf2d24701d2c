// What a row wants of its tag after the message — Docs/CommandLine.md, provision

/// How a row's tag is closed once it is verified.
public struct RowSeal: Hashable, Sendable {
    /// Whether it is locked permanently.
    public var lock: Bool
    /// Whether it gets a password.
    public var protect: Bool

    /// The columns that set it for a row.
    static let columns = [RowSettings.Column.lock.rawValue, RowSettings.Column.protect.rawValue]

    /// What a row says of it itself; nil for nothing.
    package static func own(of row: PlanRow) -> (lock: Bool?, protect: Bool?) {
        func answer(_ column: RowSettings.Column) -> Bool? { row[column.rawValue].flatMap(Answer.init)?.isYes }
        return (answer(.lock), answer(.protect))
    }

    /// Makes a seal; without arguments, none.
    public init(lock: Bool = false, protect: Bool = false) {
        self.lock = lock
        self.protect = protect
    }

    /// Whether the tag stays open.
    public var isNone: Bool { !lock && !protect }
}

/// Which rows of a plan need a lock or a password, according to its journal; no password is needed to read that.
public struct SealRule: Hashable, Sendable {
    /// What rows want that say nothing themselves.
    public let general: RowSeal

    /// Reads the recipe of a plan: the lines of ``RowSettings``.
    public init(of plan: PlanIdentity) {
        general = RowSeal(
            lock: plan.recipe.contains(RowSettings.lockLine), protect: plan.recipe.contains(RowSettings.protectLine))
    }

    /// What a row wants.
    public func seal(of row: PlanRow) -> RowSeal {
        let own = RowSeal.own(of: row)
        return RowSeal(lock: own.lock ?? general.lock, protect: own.protect ?? general.protect)
    }
}
