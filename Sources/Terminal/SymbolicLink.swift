// A symbolic link to a terminal device that exists as long as the process

import Foundation

/// A symbolic link that this process created.
package struct SymbolicLink {
    private let path: String

    /// Creates the link.
    ///
    /// It replaces an old link whose destination no longer exists, but never a file.
    ///
    /// - Throws: ``InUse`` for a link whose destination exists; ``NotMade`` if the link cannot be created.
    package init(at path: String, to destination: String) throws {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            // If the destination exists, the process that made the link is still running, because a terminal device
            // disappears with its process.
            if stat(path, &status) == 0 { throw InUse(path: path) }
            unlink(path)
        }
        guard Foundation.symlink(destination, path) == 0 else {
            throw NotMade(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
    }

    /// Removes the link.
    package func remove() { unlink(path) }

    /// The link could not be created.
    package struct NotMade: Error {
        /// The path of the link.
        package let path: String
        /// The reason given by the system.
        package let reason: String
    }

    /// The link is in use by another process, so it is not replaced.
    package struct InUse: Error {
        /// The path of the link.
        package let path: String
    }
}
