// Short messages to the user at the terminal, on stderr; not for scripts — Docs/CommandLine.md, Output

import Foundation
import Terminal

struct Hint: Sendable {
    private let isWanted: Bool
    /// Whether the output is for people, even if it is not printed on a terminal.
    private let isForPeople: Bool

    init(_ options: OutputOptions) { self.init(json: options.json, quiet: options.quiet) }

    init(json: Bool, quiet: Bool) {
        isForPeople = !json && !quiet
        isWanted = isForPeople && isatty(STDERR_FILENO) == 1
    }

    /// Prints a line, even if stderr is not a terminal.
    func tell(_ text: String) {
        guard isForPeople else { return }
        StandardError.print(TerminalText.escaped(text) + "\n")
    }

    func show(_ text: String) {
        guard isWanted else { return }
        StandardError.print(TerminalText.escaped(text) + "\n")
    }
}
