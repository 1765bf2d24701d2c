// What tags held before a restore, on disk until the restore is proven — XDG Base Directory Specification

public import Foundation

/// The folder that keeps the memory of each tag whose restore is under way: one dump file per tag.
///
/// A file is durable when ``keep(_:uid:)`` returns. Any thread; one writer per tag.
public struct RestoreJournal: Sendable {
    /// Where the dumps are.
    public let folder: URL

    /// The folder beside those of a journal of writes: `…/nfctool/restores`.
    public init(beside writes: WriteJournal) {
        folder = writes.folder.deletingLastPathComponent().appending(path: "restores")
    }

    /// Makes a tag's memory durable, unless an earlier restore of this tag was not proven.
    ///
    /// What that kept is the older content; the tag may hold a mixture by now.
    /// - Returns: the file that holds the content to go back to, and whether it was made now.
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func keep(_ dump: [UInt8], uid: [UInt8]) throws(WriteJournalError) -> (file: URL, isNew: Bool) {
        let file = file(of: uid)
        if FileManager.default.fileExists(atPath: file.path) { return (file, false) }
        do {
            try DurableFile.makeFolder(folder)
            try DurableFile.write(Data(dump), to: file)
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
        return (file, true)
    }

    /// Forgets a restore that is proven, or that never began.
    ///
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func end(uid: [UInt8]) throws(WriteJournalError) {
        let file = file(of: uid)
        do {
            try DurableFile.remove(file)
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }

    private func file(of uid: [UInt8]) -> URL { folder.appending(path: uid.hexText + ".json") }
}
