// A symbolic link that stands for a terminal device while a simulator runs

import Foundation

/// A symbolic link this process made.
struct Link {
    private let path: String

    /// Makes the link; an older link at the same path is replaced, a file is not.
    init(at path: String, to destination: String) throws {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { unlink(path) }
        guard Foundation.symlink(destination, path) == 0 else {
            throw UnwritableFile(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
    }

    /// Takes the link away.
    func remove() { unlink(path) }
}
