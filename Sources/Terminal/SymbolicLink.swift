// A symbolic link that stands for a terminal device while the process lives

import Foundation

/// A symbolic link this process made.
package struct SymbolicLink {
    private let path: String

    /// Makes the link; an older link that leads nowhere is replaced, a file is not.
    ///
    /// - Throws: ``InUse`` for a link whose destination is there; ``NotMade``.
    package init(at path: String, to destination: String) throws {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            // Its process is at work: a terminal device goes with the process that made it.
            if stat(path, &status) == 0 { throw InUse(path: path) }
            unlink(path)
        }
        guard Foundation.symlink(destination, path) == 0 else {
            throw NotMade(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
    }

    /// Takes the link away.
    package func remove() { unlink(path) }

    /// The link could not be made.
    package struct NotMade: Error {
        /// Where it was to be.
        package let path: String
        /// What the system says.
        package let reason: String
    }

    /// A link that leads to something: who made it would lose it.
    package struct InUse: Error {
        /// Where the link is.
        package let path: String
    }
}
