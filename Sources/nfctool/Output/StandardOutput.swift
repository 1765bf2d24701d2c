// Results go to stdout at once, also into a pipe — CLI.md, Output

import Foundation

/// Where text results are printed.
enum StandardOutput {
    /// Prints lines, each with a newline, in one unbuffered write; nothing for an empty text.
    static func print(_ text: String) {
        guard !text.isEmpty else { return }
        // A reader that went away is no failure of ours; SIGPIPE mostly ends the process before.
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }
}
