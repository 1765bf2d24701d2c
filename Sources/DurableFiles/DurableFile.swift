// Files that are on disk when the call returns — POSIX fsync, rename

package import Foundation
import Glibc
package import SystemPackage

/// Small files, replaced in one step and synchronised together with their folder.
package enum DurableFile {
    private static let folderMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600

    /// Creates a folder and its missing parent folders, with mode 0700.
    package static func makeFolder(_ folder: URL) throws(Errno) {
        if mkdir(folder.path, folderMode) == 0 { return try synchronize(folder.deletingLastPathComponent()) }
        switch errno {
        case EEXIST: return
        case ENOENT where folder.pathComponents.count > 1:
            try makeFolder(folder.deletingLastPathComponent())
            guard mkdir(folder.path, folderMode) == 0 || errno == EEXIST else { throw Errno.last }
            try synchronize(folder.deletingLastPathComponent())
        case let code: throw Errno(rawValue: code)
        }
    }

    /// Writes a file in one step: other processes see the old file or the complete new one.
    ///
    /// If several processes write the same file, the last one wins.
    package static func write(_ data: Data, to file: URL) throws(Errno) {
        let suffix = FileReplacement.newSuffix()
        let replacement = try FileReplacement(of: file, suffix: suffix, permissions: fileMode)
        try replacement.append(Array(data))
        try replacement.commit()
    }

    /// Writes a file as ``write(_:to:)`` does, and keeps the file that it replaces under a free name, such as
    /// `04A1.json.superseded-1`.
    ///
    /// The old file stays in its place until the new one is complete and on disk. On file systems without hard links, a
    /// killed process may leave only the free name.
    /// - Returns: the replaced file under its free name, or nil if there was none.
    @discardableResult
    package static func write(_ data: Data, to file: URL, settingAside why: String) throws(Errno) -> URL? {
        let replacement = try FileReplacement(of: file, suffix: FileReplacement.newSuffix(), permissions: fileMode)
        try replacement.append(Array(data))
        try replacement.synchronize()
        let earlier = try keepAside(file, as: why)
        try replacement.commit()
        return earlier
    }

    /// Returns the bytes of a file, or nil if the file does not exist.
    package static func read(_ file: URL, atMost limit: Int) throws(Errno) -> Data? {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Errno.last
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Errno.last }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        // A longer file was not written by nfctool, so its beginning is enough to reject it.
        return Data(bytes.prefix(limit))
    }

    /// Deletes a file.
    ///
    /// Does nothing if the file does not exist.
    package static func remove(_ file: URL) throws(Errno) {
        if try drop(file) { try synchronize(file.deletingLastPathComponent()) }
    }

    /// Deletes a file without synchronising.
    ///
    /// Returns false if the file does not exist.
    ///
    /// The file may reappear after a power failure.
    @discardableResult
    package static func drop(_ file: URL) throws(Errno) -> Bool {
        if unlink(file.path) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw Errno.last }
        return false
    }

    /// Renames a file within its folder.
    package static func move(_ file: URL, to place: URL) throws(Errno) {
        guard rename(file.path, place.path) == 0 else { throw Errno.last }
        try synchronize(file.deletingLastPathComponent())
    }

    /// Renames a file within its folder to a free name, such as `04A1.json.superseded-1`.
    ///
    /// This never overwrites a file.
    ///
    /// - Returns: the file with its new name.
    @discardableResult
    package static func setAside(_ file: URL, as why: String) throws(Errno) -> URL {
        for number in 1... {
            let place = asidePlace(of: file, why, number)
            if FileManager.default.fileExists(atPath: place.path) { continue }
            try move(file, to: place)
            return place
        }
        return file
    }

    /// Gives a file a second name that is free, and returns it, or nil if there is no such file.
    private static func keepAside(_ file: URL, as why: String) throws(Errno) -> URL? {
        for number in 1... {
            let place = asidePlace(of: file, why, number)
            if link(file.path, place.path) == 0 { return place }
            switch errno {
            case EEXIST: continue
            case ENOENT: return nil
            default:
                // This file system has no hard links.
                do throws(Errno) {
                    return try setAside(file, as: why)
                } catch {
                    guard error == .noSuchFileOrDirectory else { throw error }
                    return nil
                }
            }
        }
        return nil
    }

    private static func asidePlace(of file: URL, _ why: String, _ number: Int) -> URL {
        file.deletingLastPathComponent().appending(path: "\(file.lastPathComponent).\(why)-\(number)")
    }

    /// Synchronises the directory entries of a folder with the disk.
    package static func synchronize(_ folder: URL) throws(Errno) {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Errno.last }
        defer { close(descriptor) }
        // Some file systems cannot synchronise a folder, and report EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw Errno.last }
    }
}
