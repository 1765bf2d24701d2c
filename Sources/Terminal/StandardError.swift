// Prompts, hints and failures on stderr. If stderr is closed or full, this cannot be reported

import Foundation

package enum StandardError {
    /// Prints text for people.
    ///
    /// On a terminal, lines are broken at spaces to fit.
    package static func print(_ text: String) {
        let style = Style.standardError
        write(style.isTerminal ? text.fitted(to: style.width) : text)
    }

    /// Prints a line unchanged, for programs and for copying.
    package static func printLine(_ line: String) { write(line + "\n") }

    private static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
