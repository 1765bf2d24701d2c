// Warnings that do not stop the command; on stderr, even if that is a file

import Terminal
/// Shows warnings, unless `--quiet` or `--json` is given.
struct Warning: Sendable {
    private let isWanted: Bool

    init(_ options: OutputOptions) { isWanted = !options.json && !options.quiet }

    /// Always shows warnings, for commands without `--quiet` and `--json`.
    static let always = Warning(isWanted: true)

    private init(isWanted: Bool) { self.isWanted = isWanted }

    /// Prints a warning.
    func show(_ text: String) {
        guard isWanted else { return }
        StandardError.print("nfctool: Warning: " + TerminalText.escaped(text) + "\n")
    }
}
