// A symbolic link that stands for a terminal device while a simulator runs

import Foundation

/// A symbolic link this process made.
struct Link {
    private let path: String

    /// Makes the link; an older link that leads nowhere is replaced, a file is not.
    ///
    /// - Throws: ``LinkInUse`` for a link whose destination is there; ``UnwritableFile``.
    init(at path: String, to destination: String) throws {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            // Its simulator is at work: a terminal device goes with the process that made it.
            if stat(path, &status) == 0 { throw LinkInUse(path: path) }
            unlink(path)
        }
        guard Foundation.symlink(destination, path) == 0 else {
            throw UnwritableFile(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
    }

    /// Takes the link away.
    func remove() { unlink(path) }
}

/// A link that leads to something: another simulator would lose its reader.
struct LinkInUse: Failure {
    let path: String
    var name: ErrorName { .readerBusy }
    var message: String {
        let destination = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "something"
        return "\(path) is a link to \(destination), which is in use. Nothing was changed."
    }
    /// What to do.
    static let advice = "Choose another name for --symlink, or end the simulator that made the link."
}
