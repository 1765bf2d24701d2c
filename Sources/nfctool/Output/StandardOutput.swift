// Results go to stdout at once, also into a pipe — Docs/CommandLine.md, Output

import Foundation

/// Where text results are printed.
enum StandardOutput {
    /// Prints lines, each with a newline, unbuffered; nothing for an empty text.
    ///
    /// - Parameter deed: what was done to a tag, a sentence: whoever cannot get the result must hear of that, at least.
    static func print(_ text: String, after deed: String? = nil) {
        guard !text.isEmpty else { return }
        write(Array((text + "\n").utf8), after: deed)
    }

    /// Writes bytes, unbuffered.
    ///
    /// When nobody reads it any more, the command is asked to end, as by a signal. Anything else, such as a full disk, would
    /// lose results: it ends the process with an error, unless it is about to end without anybody to see that.
    static func write(_ bytes: [UInt8], after deed: String? = nil) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            let error = errno
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if error == EPIPE {
                return Interruption.request(SIGPIPE)
            } else if error == EIO, Interruption.isRequested {
                // The terminal is gone, which SIGHUP said.
                return
            } else if error != EINTR {
                let failure = UnwritableFile(
                    path: "The standard output", reason: String(cString: strerror(error)), deed: deed)
                FailureReport(failure, asJSON: CommandLine.arguments.contains("--json")).exit()
            }
        }
    }
}
