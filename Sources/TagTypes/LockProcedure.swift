// Locking step by step, and telling the truth about a lock that was cut — the same for all tag types

/// A step that sets bits for ever, with a name for people.
protocol NamedStep {
    var name: String { get }
}

extension ForumTag {
    /// Performs steps in order; what is known of the memory is void when one fails.
    ///
    /// - Throws: ``TagError/lockInterrupted(done:missing:cause:)`` when one fails.
    func performInOrder<Step: NamedStep>(
        _ steps: [Step], in memory: some ReselectableMemory, _ perform: (Step) throws(TagError) -> Void
    ) throws(TagError) {
        for (index, step) in steps.enumerated() {
            do throws(TagError) {
                try perform(step)
            } catch {
                memory.forgetAll()
                throw .lockInterrupted(
                    done: steps[..<index].map(\.name), missing: steps[index...].map(\.name), cause: error)
            }
        }
    }
}
