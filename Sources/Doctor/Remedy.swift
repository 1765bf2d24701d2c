// The cause of a problem, and the exact commands that solve it

/// The cause of a problem, and the commands that solve it.
public struct Remedy: Hashable, Sendable {
    /// The cause in a sentence or two.
    public let cause: String
    /// The commands to type, in order.
    ///
    /// Empty if no command helps.
    public internal(set) var steps: [SystemStep] = []
    /// Further instructions or information, or nil if there are none.
    public internal(set) var note: Note?
    /// Whether `--fix` may run the steps.
    ///
    /// False if they could disrupt other users' work.
    public internal(set) var isAutomatic = true

    /// The steps that restore the previous state, last step first.
    public var undo: [SystemStep] { steps.reversed().compactMap(\.undo) }

    /// Returns the remedy if a program holds the reader.
    static func waiting(for holder: String) -> Remedy {
        Remedy(
            cause: "Only one program at a time can use a reader.",
            note: Note("Wait for \(holder) to finish, or stop it, and run the command again."))
    }

    /// A sentence, or words that end with a command.
    public struct Note: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// The words.
        public let words: String
        /// A command to type after the words, or nil if there is none.
        public let step: SystemStep?

        /// Creates a note.
        public init(_ words: String, _ step: SystemStep? = nil) {
            self.words = words
            self.step = step
        }

        /// Creates a note without a command.
        public init(stringLiteral words: String) { self.init(words) }

        /// Returns the words and the command in one line.
        public func text(_ shell: ShellLine) -> String { step.map { "\(words)  \(shell.text($0))" } ?? words }
    }
}
