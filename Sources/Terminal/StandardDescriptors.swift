// The descriptors 0, 1 and 2 of a program that was started without them — sh(1), `2>&-`

import Foundation

/// The descriptors of the standard input, output and error.
package enum StandardDescriptors {
    /// Takes the numbers of those that are closed, before something else gets them: what is meant for a person would go to
    /// a file or device that was opened since.
    ///
    /// They read and write as little as closed ones do.
    package static func occupyClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
