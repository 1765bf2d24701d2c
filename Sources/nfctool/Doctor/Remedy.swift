// What is the matter, and the exact commands against it

/// One cause and what helps.
struct Remedy: Hashable, Sendable {
    /// Why it is so, a sentence or two.
    let cause: String
    /// What to type, in this order; empty where hands or money are needed.
    var steps: [SystemStep] = []
    /// What to do besides, or to know: a sentence, or words and a command after them.
    var note: Note?
    /// Whether `--fix` may do the steps: not where they would harm someone else's work.
    var isAutomatic = true

    /// How to have the system as it was, the last step first.
    var undo: [SystemStep] { steps.reversed().compactMap(\.undo) }

    /// What to do about a program that has the reader.
    static func waiting(for holder: String) -> Remedy {
        Remedy(
            cause: "Only one program at a time can use a reader.",
            note: Note("Wait until \(holder) has ended, or end it, and run the command again."))
    }

    /// A sentence, or words that end with a command.
    struct Note: Hashable, Sendable, ExpressibleByStringInterpolation {
        let words: String
        let step: SystemStep?

        init(_ words: String, _ step: SystemStep? = nil) {
            self.words = words
            self.step = step
        }

        init(stringLiteral words: String) { self.init(words) }

        func text(_ shell: ShellLine) -> String { step.map { "\(words)  \(shell.text($0))" } ?? words }
    }
}
