// What one poll found — NFC Forum Activity, Collision Resolution

/// The targets of one poll, and whether the field may hold more of them.
///
/// A collection of its ``targets``.
public struct FoundTargets: Hashable, Sendable {
    /// The targets that the reader told apart, at most one tag twice.
    public var targets: [Target]
    /// Another target answered after as many as the reader tells apart.
    public var mayBeMore: Bool

    /// Makes what a poll found.
    public init(_ targets: [Target], mayBeMore: Bool = false) {
        self.targets = targets
        self.mayBeMore = mayBeMore
    }
}

extension FoundTargets: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { targets.startIndex }
    /// How many targets were told apart.
    public var endIndex: Int { targets.endIndex }
    /// The target at an index.
    public subscript(index: Int) -> Target { targets[index] }
}

extension FoundTargets: ExpressibleByArrayLiteral {
    /// All the targets of a field.
    public init(arrayLiteral targets: Target...) { self.init(targets) }
}
