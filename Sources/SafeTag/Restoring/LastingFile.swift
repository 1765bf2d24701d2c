// Whether the path of a dump is still valid for a later command — stat(2)

import Foundation

/// A file that a later command can read again.
enum LastingFile {
    /// The beginnings of paths that each process has for itself, such as `/dev/fd/63`.
    private static let passing = ["/dev/fd/", "/dev/std", "/proc/"]

    /// Whether a path names a regular file, and not a pipe that a shell has made for one command.
    static func isAt(_ path: String) -> Bool {
        var status = stat()
        guard !passing.contains(where: { path.hasPrefix($0) }), stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG
    }
}
