// The descriptors 0, 1 and 2 in a program that was started without them — sh(1), `2>&-`

import Foundation

package enum StandardDescriptors {
    /// Occupies the closed descriptors before anything else gets their numbers.
    ///
    /// Otherwise, output for people would go to a file or device that was opened later. Like closed descriptors, the
    /// occupied ones can neither be read nor written.
    package static func occupyClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
