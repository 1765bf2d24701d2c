// A symbolic link to a terminal device, for as long as this process runs

import Foundation

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
            // If the destination exists, the process that made the link is still running: a terminal device disappears
            // with its process.
            if stat(path, &status) == 0 { throw InUse(path: path) }
            unlink(path)
        }
        guard Foundation.symlink(destination, path) == 0 else {
            throw NotMade(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
    }

    package func remove() { unlink(path) }

    package struct NotMade: Error {
        package let path: String
        package let reason: String
    }

    package struct InUse: Error {
        package let path: String
    }
}
