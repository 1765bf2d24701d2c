// Where texts for the user go if the program does not say otherwise: standard error, if it is a terminal

import Foundation

/// Shows texts for the user in a program that has not set a handler for them.
package enum StandardAlert {
    /// Prints a text as one line on standard error if that is a terminal; otherwise does nothing.
    static func show(_ text: String) {
        guard !text.isEmpty, isatty(STDERR_FILENO) == 1 else { return }
        var rest = Array((line(text) + "\n").utf8)[...]
        // FileHandle ends the program if it cannot write.
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Returns the text with escapes for characters that move the cursor, or change colours or the writing direction,
    /// because it may come from a tag.
    ///
    /// This is simpler than `TerminalText` of the module Terminal, which would bring swift-subprocess into each client.
    package static func line(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: String(scalar)
            }
        }.joined()
    }
}
