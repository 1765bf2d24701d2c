// Results on stdout, written at once, even into a pipe

import Foundation

package enum StandardOutput {
    /// Prints lines, each with a newline, unbuffered.
    ///
    /// Prints nothing for an empty string. `change` is a sentence about what was already done. If the output fails, the
    /// error message includes this sentence.
    package static func print(_ text: String, after change: String? = nil) {
        guard !text.isEmpty else { return }
        write(Array((text + "\n").utf8), after: change)
    }

    /// Prints sentences without colours.
    ///
    /// On a terminal, lines are broken at spaces to fit.
    package static func printSentences(_ text: String) {
        let style = Style.standardOutput
        print(style.isTerminal ? text.fitted(to: style.width) : text)
    }

    /// Prints rows of a list without colours; on a terminal, a long row is broken at spaces and indented.
    package static func printRows(_ text: String) {
        let style = Style.standardOutput
        print(style.isTerminal ? text.fittedRows(to: style.width) : text)
    }

    /// Writes bytes, unbuffered.
    ///
    /// If no program reads the output any more, the command is asked to end, as if by a signal. Any other error, such
    /// as a full disk, would lose results, so the process ends with an error, unless the terminal is gone and the
    /// process is already ending.
    package static func write(_ bytes: [UInt8], after change: String? = nil) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            let error = errno
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if error == EPIPE {
                return Interruption.request(SIGPIPE)
            } else if error == EIO, Interruption.isRequested {
                // The terminal is gone, and SIGHUP has already reported this.
                return
            } else if error != EINTR {
                Interruption.finish(.outputFailed(reason: String(cString: strerror(error)), change: change))
            }
        }
    }
}
