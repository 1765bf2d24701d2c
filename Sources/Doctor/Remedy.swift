// The cause of a problem, and the exact commands against it

/// One cause and what helps.
public struct Remedy: Hashable, Sendable {
    /// Why it is so, a sentence or two.
    public let cause: String
    /// What to type, in this order; empty where no command helps.
    public internal(set) var steps: [SystemStep] = []
    /// What else to do or to know.
    public internal(set) var note: Note?
    /// Whether `--fix` may do the steps: not where they would harm someone else's work.
    public internal(set) var isAutomatic = true

    /// How to have the system as it was, the last step first.
    public var undo: [SystemStep] { steps.reversed().compactMap(\.undo) }

    /// What to do about a program that has the reader.
    static func waiting(for holder: String) -> Remedy {
        Remedy(
            cause: "Only one program at a time can use a reader.",
            note: Note("Wait until \(holder) has ended, or end it, and run the command again."))
    }

    /// A sentence, or words that end with a command.
    public struct Note: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// The words.
        public let words: String
        /// A command to type after them.
        public let step: SystemStep?

        /// Creates a note.
        public init(_ words: String, _ step: SystemStep? = nil) {
            self.words = words
            self.step = step
        }

        /// Creates a note without a command.
        public init(stringLiteral words: String) { self.init(words) }

        /// The words and the command in one line.
        public func text(_ shell: ShellLine) -> String { step.map { "\(words)  \(shell.text($0))" } ?? words }
    }
}
