// The result of one poll — NFC Forum Activity, Collision Resolution

/// The targets that one poll found, and whether there may be more in the field.
///
/// It is a collection of its ``targets``.
public struct FoundTargets: Hashable, Sendable {
    /// The targets that the reader distinguished.
    ///
    /// One of the tags may be listed twice.
    public var targets: [Target]
    /// Whether another target answered after the reader had reached its limit.
    public var mayBeMore: Bool

    /// Creates the result of a poll.
    public init(_ targets: [Target], mayBeMore: Bool = false) {
        self.targets = targets
        self.mayBeMore = mayBeMore
    }
}

extension FoundTargets: RandomAccessCollection {
    /// The index of the first target.
    public var startIndex: Int { targets.startIndex }
    /// The index after the last target.
    public var endIndex: Int { targets.endIndex }
    /// The target at an index.
    public subscript(index: Int) -> Target { targets[index] }
}

extension FoundTargets: ExpressibleByArrayLiteral {
    /// Creates the result of a poll that found all targets in the field.
    public init(arrayLiteral targets: Target...) { self.init(targets) }
}
