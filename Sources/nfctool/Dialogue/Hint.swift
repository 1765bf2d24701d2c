// A word to the person at the terminal, on stderr; nothing for scripts — Docs/CommandLine.md, Output

import Foundation
import Terminal

/// Says what a command is doing, once.
struct Hint: Sendable {
    private let isWanted: Bool
    /// Whether the output is for people, wherever it goes.
    private let isForPeople: Bool

    /// For work that tells what it does by other means.
    static let none = Hint(isForPeople: false)

    private init(isForPeople: Bool) {
        self.isForPeople = isForPeople
        isWanted = isForPeople && isatty(STDERR_FILENO) == 1
    }

    init(_ options: OutputOptions) { self.init(json: options.json, quiet: options.quiet) }

    init(json: Bool, quiet: Bool) { self.init(isForPeople: !json && !quiet) }

    /// Prints a line that also a file of stderr should have.
    func tell(_ text: String) {
        guard isForPeople else { return }
        StandardError.print(TerminalText.escaped(text) + "\n")
    }

    /// Prints a line.
    func show(_ text: String) {
        guard isWanted else { return }
        StandardError.print(TerminalText.escaped(text) + "\n")
    }
}
