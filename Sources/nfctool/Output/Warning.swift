// What a user should know though the command goes on; on stderr, also where that is a file

import Terminal
/// Shows warnings; none with `--quiet` or `--json`.
struct Warning: Sendable {
    private let isWanted: Bool

    init(_ options: OutputOptions) { isWanted = !options.json && !options.quiet }

    /// For commands without these options.
    static let always = Warning(isWanted: true)

    private init(isWanted: Bool) { self.isWanted = isWanted }

    /// Prints a warning.
    func show(_ text: String) {
        guard isWanted else { return }
        StandardError.print("nfctool: Warning: " + TerminalText.escaped(text) + "\n")
    }
}
