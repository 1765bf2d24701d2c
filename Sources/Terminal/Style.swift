// The appearance of output, depending on its destination: a terminal, or a file or pipe — no-color.org

import Foundation

/// The capabilities of the destination of text.
package struct Style: Hashable, Sendable {
    /// Whether a person reads the output.
    ///
    /// Long values are wrapped or cut only if this is true.
    package let isTerminal: Bool
    /// Whether to use colours and box drawing.
    package let isDecorated: Bool
    package let width: Int
    package private(set) var showsSecrets = false

    private static let defaultWidth = 80
    private static let widths = 20...500

    package static let plain = Style(isTerminal: false, environment: [:], columns: nil)

    package static var standardOutput: Style {
        Style(
            isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment,
            columns: TerminalSize(of: STDOUT_FILENO)?.columns)
    }

    static var standardError: Style {
        Style(
            isTerminal: isatty(STDERR_FILENO) == 1, environment: ProcessInfo.processInfo.environment,
            columns: TerminalSize(of: STDERR_FILENO)?.columns)
    }

    /// Creates a style from what is known about the terminal.
    ///
    /// The width is `columns`, the number that the terminal reports. If it is nil, the width is the value of the
    /// environment variable `COLUMNS`, or 80 without that variable.
    package init(isTerminal: Bool, environment: [String: String], columns: Int?) {
        self.isTerminal = isTerminal
        let isColourless = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isDecorated = isTerminal && !isColourless && environment["TERM"] != "dumb"
        let candidates = [columns, environment["COLUMNS"].flatMap { Int($0) }]
        let width = candidates.lazy.compactMap { $0 }.first { $0 > 0 } ?? Self.defaultWidth
        self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
    }

    /// Returns the same style, with passwords shown or hidden.
    package func showingSecrets(_ isShowing: Bool) -> Style {
        var style = self
        style.showsSecrets = isShowing
        return style
    }

    /// Returns the text in a colour, if colours are used.
    ///
    /// The text must be free of control characters: see ``TerminalText``.
    package func paint(_ text: String, _ inks: Ink?...) -> String {
        let codes = inks.flatMap { $0?.codes ?? [] }
        guard isDecorated, !text.isEmpty, !codes.isEmpty else { return text }
        return "\u{1B}[" + codes.map(String.init).joined(separator: ";") + "m" + text + "\u{1B}[0m"
    }

    /// Returns the decorated form if decorations are used, otherwise the plain form.
    package func glyph(_ decorated: String, plain: String) -> String { isDecorated ? decorated : plain }
}
