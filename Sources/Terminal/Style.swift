// How output looks where it goes: a terminal, or a file or pipe — no-color.org

import Foundation

/// What the place where text is printed can show.
package struct Style: Hashable, Sendable {
    /// Whether a person looks on: only then is a long value wrapped and cut.
    package let isTerminal: Bool
    /// Whether to use colours and box drawing.
    package let isDecorated: Bool
    /// The number of columns.
    package let width: Int
    /// Whether passwords are shown.
    package private(set) var showsSecrets = false

    private static let defaultWidth = 80
    private static let widths = 20...500

    /// Text for files, pipes and programs.
    package static let plain = Style(isTerminal: false, environment: [:], columns: nil)

    /// The style of stdout.
    package static var standardOutput: Style {
        Style(
            isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment,
            columns: TerminalSize(of: STDOUT_FILENO)?.columns)
    }

    /// The style of stderr.
    package static var standardError: Style {
        Style(
            isTerminal: isatty(STDERR_FILENO) == 1, environment: ProcessInfo.processInfo.environment,
            columns: TerminalSize(of: STDERR_FILENO)?.columns)
    }

    /// Decides from what is known of the terminal.
    ///
    /// The width is `columns`, as the terminal reports it. When that is nil, `COLUMNS` of the environment counts, then
    /// 80.
    package init(isTerminal: Bool, environment: [String: String], columns: Int?) {
        self.isTerminal = isTerminal
        let isColourless = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isDecorated = isTerminal && !isColourless && environment["TERM"] != "dumb"
        let candidates = [columns, environment["COLUMNS"].flatMap { Int($0) }]
        let width = candidates.lazy.compactMap { $0 }.first { $0 > 0 } ?? Self.defaultWidth
        self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
    }

    /// The same, with passwords shown or not.
    package func showingSecrets(_ isShowing: Bool) -> Style {
        var style = self
        style.showsSecrets = isShowing
        return style
    }

    /// The text in a colour, where there are colours.
    ///
    /// The text must be free of control characters: see ``TerminalText``.
    package func paint(_ text: String, _ inks: Ink?...) -> String {
        let codes = inks.flatMap { $0?.codes ?? [] }
        guard isDecorated, !text.isEmpty, !codes.isEmpty else { return text }
        return "\u{1B}[" + codes.map(String.init).joined(separator: ";") + "m" + text + "\u{1B}[0m"
    }

    /// The decorated form where there are decorations, else the plain one.
    package func glyph(_ decorated: String, plain: String) -> String { isDecorated ? decorated : plain }
}
