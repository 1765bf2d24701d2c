// A word to the person at the terminal, on stderr; nothing for scripts — Docs/CommandLine.md, Output

import Foundation
import Terminal

/// Says what a command is doing, once.
struct Hint: Sendable {
    private let isWanted: Bool

    /// For work that tells what it does by other means.
    static let none = Hint(isWanted: false)

    private init(isWanted: Bool) { self.isWanted = isWanted }

    init(_ options: OutputOptions) { self.init(json: options.json, quiet: options.quiet) }

    init(json: Bool, quiet: Bool) { isWanted = !json && !quiet && isatty(STDERR_FILENO) == 1 }

    /// Prints a line.
    func show(_ text: String) {
        guard isWanted else { return }
        StandardError.print(TerminalText.escaped(text) + "\n")
    }
}
