// Results go to stdout at once, also into a pipe — CLI.md, Output

import Foundation

/// Where text results are printed.
enum StandardOutput {
    /// Prints lines, each with a newline, unbuffered; nothing for an empty text.
    ///
    /// A reader that went away is no failure of ours, and SIGPIPE mostly ends the process before. Anything else, such as a full
    /// disk, would lose results: it ends the process with an error.
    static func print(_ text: String) {
        guard !text.isEmpty else { return }
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                return
            } else if errno != EINTR {
                let failure = UnwritableFile(path: "The standard output", reason: String(cString: strerror(errno)))
                FailureReport(failure, asJSON: CommandLine.arguments.contains("--json")).exit()
            }
        }
    }
}
