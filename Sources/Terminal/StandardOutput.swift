// Results go to stdout at once, also into a pipe

import Foundation

/// Where text results are printed.
package enum StandardOutput {
    /// Prints lines, each with a newline, unbuffered; nothing for an empty text.
    ///
    /// `change` is a sentence about what was done already. When the output fails, the user must learn at least that.
    package static func print(_ text: String, after change: String? = nil) {
        guard !text.isEmpty else { return }
        write(Array((text + "\n").utf8), after: change)
    }

    /// Writes bytes, unbuffered.
    ///
    /// When nobody reads it any more, the command is asked to end, as by a signal. Anything else, such as a full disk, would
    /// lose results: it ends the process with an error, unless it is about to end without anybody to see that.
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
                // The terminal is gone, which SIGHUP said.
                return
            } else if error != EINTR {
                Interruption.finish(.outputFailed(reason: String(cString: strerror(error)), change: change))
            }
        }
    }
}
