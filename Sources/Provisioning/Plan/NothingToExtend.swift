// The error for a plan to extend that has no journal under the expected name — Docs/CommandLine.md, provision

public import ReaderInterface

/// The error that there is no journal to which the new rows of a plan could be appended.
public struct NothingToExtend: ClassifiedError {
    /// The source of the rows.
    public let plan: PlanSource
    /// The name under which the journal was expected.
    public let journal: String

    /// The kind of failure.
    public var kind: FailureKind { .badFile }

    /// A description in one sentence.
    public var description: String { "There is no journal for \(plan.name) to extend: \(journal) does not exist." }

    /// Returns the journals of ranges that this range continues, longest first.
    ///
    /// The result is empty for a plan in a file. `names` are file names. Only those with the suffix of a journal are
    /// considered.
    public func shorter(among names: [String], suffix: String) -> [(journal: String, range: PlanRange)] {
        guard case .range(let range) = plan else { return [] }
        return names.filter { $0.hasSuffix(suffix) }.compactMap { name in
            PlanRange(fileName: name.dropLast(suffix.count)).map { (name, $0) }
        }.filter { range.continues($0.range) }.sorted { $0.range.last > $1.range.last }
    }
}
