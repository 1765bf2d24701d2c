// Prompts, hints and failures go to stderr; where that is closed or full, there is nobody left to tell

import Foundation

/// Where prompts and errors are printed.
package enum StandardError {
    /// Prints text for people: on a terminal its lines are broken at blanks to fit.
    package static func print(_ text: String) {
        let style = Style.standardError
        write(style.isTerminal ? text.fitted(to: style.width) : text)
    }

    /// Prints a line as it is, for programs and for whoever copies it.
    package static func printLine(_ line: String) { write(line + "\n") }

    private static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
