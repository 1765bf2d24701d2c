// The journals of the plans that a user has started on this computer, in any folder — Docs/Provisioning.md

public import Foundation
import DurableFiles
import Glibc

/// A folder with a symbolic link to each of the latest journals in files.
///
/// With these links, a plan that was moved to another folder is recognised. They are only used to warn, so that errors
/// are ignored.
public struct StartedJournals: Sendable {
    private let folder: URL
    private let suffix: String

    /// The number of links to keep.
    private static let limit = 100

    /// - Parameters:
    ///   - folder: the folder, which is created with mode 0700 if it does not exist.
    ///   - suffix: the end of the names of journals.
    public init(folder: URL, suffix: String) { (self.folder, self.suffix) = (folder, suffix) }

    /// The journals that still exist, without symbolic links.
    public var files: [URL] {
        links.compactMap { link in
            let file = link.resolvingSymlinksInPath()
            return file != link && FileManager.default.fileExists(atPath: file.path) ? file : nil
        }
    }

    /// Adds a journal as the latest one, and removes the oldest links.
    public func add(_ journal: URL) {
        let path = Self.path(of: journal)
        let link = link(to: path)
        try? FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // The link is created again, so that its modification time is the time of the last use.
        unlink(link)
        symlink(path, link)
        let links = links.map { ($0.path, Self.time(of: $0.path)) }.sorted { $0.1 < $1.1 }
        for (path, _) in links.dropLast(Self.limit) { unlink(path) }
    }

    /// Whether a journal was added, but no longer exists.
    public func hasLost(_ journal: URL) -> Bool {
        let path = Self.path(of: journal)
        var status = stat()
        return lstat(link(to: path), &status) == 0 && lstat(path, &status) != 0
    }

    /// Removes the link to a journal that no longer exists, for example because its run did not begin.
    public func forgetIfGone(_ journal: URL) {
        guard hasLost(journal) else { return }
        unlink(link(to: Self.path(of: journal)))
    }

    /// Returns the path of a journal without symbolic links, also if it no longer exists.
    private static func path(of journal: URL) -> String {
        let folder = journal.deletingLastPathComponent().resolvingSymlinksInPath()
        return folder.appending(path: journal.lastPathComponent).resolvingSymlinksInPath().path
    }

    private func link(to path: String) -> String {
        folder.appending(path: Array(path.utf8).sha256.prefix(32) + suffix).path
    }

    private var links: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { folder.appending(path: $0) }
    }

    private static func time(of link: String) -> Double {
        var status = stat()
        guard lstat(link, &status) == 0 else { return 0 }
        return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    }
}
