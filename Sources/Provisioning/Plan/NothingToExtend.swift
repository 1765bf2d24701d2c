// A plan is to be extended that has no journal, or not under this name — Docs/CommandLine.md, provision

public import ReaderInterface

/// There is no journal to which the new rows of a plan could be added.
public struct NothingToExtend: ClassifiedError {
    /// Where the rows come from.
    public let plan: PlanSource
    /// Where the journal was looked for.
    public let journal: String

    /// What kind of thing went wrong.
    public var kind: FailureKind { .badFile }

    /// What happened, in a sentence.
    public var description: String { "There is no journal of \(plan.name) to extend: \(journal) does not exist." }

    /// The journals whose ranges this one continues, the longest first; none for a plan in a file.
    ///
    /// `names` are those of files. Only names with the suffix of a journal count.
    public func shorter(among names: [String], suffix: String) -> [(journal: String, range: PlanRange)] {
        guard case .range(let range) = plan else { return [] }
        return names.filter { $0.hasSuffix(suffix) }.compactMap { name in
            PlanRange(fileName: name.dropLast(suffix.count)).map { (name, $0) }
        }.filter { range.continues($0.range) }.sorted { $0.range.last > $1.range.last }
    }
}
