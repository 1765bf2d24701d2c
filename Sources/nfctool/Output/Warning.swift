// Warnings that do not stop the command, printed on stderr even if it is not a terminal

import Terminal
struct Warning: Sendable {
    private let isWanted: Bool

    init(_ options: OutputOptions) { isWanted = !options.json && !options.quiet }

    /// Always prints warnings, for commands that have neither `--quiet` nor `--json`.
    static let always = Warning(isWanted: true)

    private init(isWanted: Bool) { self.isWanted = isWanted }

    func show(_ text: String) {
        guard isWanted else { return }
        StandardError.print("nfctool: Warning: " + TerminalText.escaped(text) + "\n")
    }
}
