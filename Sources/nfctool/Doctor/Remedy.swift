// What is the matter, and the exact commands against it

/// One cause and what helps.
struct Remedy: Hashable, Sendable {
    /// Why it is so, a sentence or two.
    let cause: String
    /// What to type, in this order; empty where hands or money are needed.
    var steps: [SystemStep] = []
    /// What to do besides, before it works: a sentence.
    var note: String?
    /// Whether `--fix` may do the steps: not where they would harm someone else's work.
    var isAutomatic = true

    /// How to have the system as it was, the last step first.
    var undo: [SystemStep] { steps.reversed().compactMap(\.undo) }
}
