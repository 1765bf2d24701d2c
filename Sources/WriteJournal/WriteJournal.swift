// Writes in progress, one file per tag, stored before the tag changes — XDG Base Directory Specification,
// $XDG_STATE_HOME

import DurableFiles
public import Foundation
import Hexadecimal
import SystemPackage

/// The folder that records each write until it is verified.
///
/// An entry is durable when ``begin(_:)`` returns: the file and its folder are synchronised to disk, so the old content
/// of a tag survives a killed process and a power failure. The journal can be used from any thread, but only one writer
/// per tag is allowed.
public struct WriteJournal: Sendable {
    /// The folder with the entries.
    public let folder: URL

    private static let suffix = ".json"

    /// Creates a journal in a folder.
    ///
    /// The folder is created with mode 0700 when the first entry is stored.
    public init(folder: URL) { self.folder = folder }

    /// Creates the journal of a user: `$XDG_STATE_HOME/nfctool/writes`, or `$HOME/.local/state/nfctool/writes`.
    ///
    /// - Parameter environment: the environment of the process.
    public init(environment: [String: String]) {
        // The specification says that relative paths must be ignored.
        let folder = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil } }
        let state =
            folder("XDG_STATE_HOME")
            ?? (folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser).appending(path: ".local/state")
        self.init(folder: state.appending(path: "nfctool/writes"))
    }

    /// The journal in this user's state folder.
    public static let ofThisUser = WriteJournal(environment: ProcessInfo.processInfo.environment)

    /// Stores an entry durably.
    ///
    /// An earlier entry of the same tag is set aside. If the new entry cannot be stored, the earlier one stays.
    ///
    /// - Returns: the file of the earlier entry, or nil if there was none.
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    @discardableResult
    public func begin(_ entry: JournalEntry) throws(WriteJournalError) -> URL? {
        let file = file(of: entry.uid)
        do {
            let data = try entry.encoded()
            guard data.count <= JournalEntry.longestFile else { throw EntryTooLong(count: data.count) }
            try DurableFile.makeFolder(folder)
            return try DurableFile.write(data, to: file, settingAside: "superseded")
        } catch let error as Errno {
            throw .notWritable(path: file.path, reason: error.description)
        } catch let error as EntryTooLong {
            throw .notWritable(path: file.path, reason: error.description)
        } catch {
            throw .notWritable(path: file.path, reason: error.localizedDescription)
        }
    }

    /// Removes the entry of a write that sent nothing to its tag, and restores the one that it replaced.
    ///
    /// - Parameters:
    ///   - uid: the tag's UID.
    ///   - earlier: the result of ``begin(_:)``.
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func withdraw(uid: [UInt8], to earlier: URL?) throws(WriteJournalError) {
        guard let earlier else { return try end(uid: uid) }
        let file = file(of: uid)
        do {
            try DurableFile.move(earlier, to: file)
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }

    /// Removes the entry of a write that is verified or undone.
    ///
    /// After a power failure, a removed entry may reappear. It does no harm, because its tag then holds one of the two
    /// messages of the entry, or a message that another program wrote.
    /// - Parameters:
    ///   - uid: the tag's UID.
    ///   - done: the folder that keeps a verified write so that it can be undone, or nil to keep nothing.
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func end(uid: [UInt8], keptAmong done: DoneWrites? = nil) throws(WriteJournalError) {
        let file = file(of: uid)
        done?.keep(file, of: uid)
        do {
            try DurableFile.drop(file)
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }

    /// Sets a tag's entry aside, because the tag's content was replaced in another way.
    ///
    /// Does nothing if there is no entry.
    ///
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func supersede(uid: [UInt8]) throws(WriteJournalError) {
        let file = file(of: uid)
        do throws(Errno) {
            try setAside(file)
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }

    /// Returns the entry of a tag's write in progress, or nil if there is none.
    ///
    /// - Throws: ``WriteJournalError/damaged(path:reason:movedTo:)`` for a file without a complete entry, which is
    ///   moved aside but not deleted; ``WriteJournalError/newer(path:version:)`` for a file of a newer version, which
    ///   stays where it is.
    public func entry(uid: [UInt8]) throws(WriteJournalError) -> JournalEntry? {
        let file = file(of: uid)
        do throws(WriteJournalError) {
            return try entry(in: file)
        } catch {
            guard case .damaged(let path, let reason, _) = error else { throw error }
            let place: URL
            do {
                place = try DurableFile.setAside(file, as: "damaged")
            } catch {
                throw .notWritable(path: path, reason: error.description)
            }
            throw .damaged(path: path, reason: reason, movedTo: place.path)
        }
    }

    /// Returns all writes in progress, oldest first, and an error for each file that cannot be read.
    ///
    /// No file is moved aside.
    public func entries() throws(WriteJournalError) -> (entries: [JournalEntry], unreadable: [WriteJournalError]) {
        var entries: [JournalEntry] = []
        var unreadable: [WriteJournalError] = []
        for name in try folder.fileNames().sorted() where name.hasSuffix(Self.suffix) {
            do throws(WriteJournalError) {
                if let entry = try entry(in: folder.appending(path: name)) { entries.append(entry) }
            } catch {
                unreadable.append(error)
            }
        }
        return (entries.sorted { $0.started < $1.started }, unreadable)
    }

    /// The error for an entry that would be too long to be read back.
    private struct EntryTooLong: Error, CustomStringConvertible {
        let count: Int
        var description: String {
            "the entry needs \(count) bytes, but at most \(JournalEntry.longestFile) can be read back"
        }
    }

    /// Sets an entry aside, if there is one.
    ///
    /// The entry may disappear in the meantime, because another process that writes to a tag with the same UID may
    /// remove it.
    private func setAside(_ file: URL) throws(Errno) {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        do throws(Errno) {
            try DurableFile.setAside(file, as: "superseded")
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
        }
    }

    private static func name(of uid: [UInt8]) -> String { uid.hex + suffix }

    private func file(of uid: [UInt8]) -> URL { folder.appending(path: Self.name(of: uid)) }

    private func entry(in file: URL) throws(WriteJournalError) -> JournalEntry? {
        let data: Data?
        do {
            data = try DurableFile.read(file, atMost: JournalEntry.longestFile)
        } catch {
            throw .notReadable(path: file.path, reason: error.description)
        }
        guard let data else { return nil }
        let entry: JournalEntry
        do {
            entry = try JournalEntry(decoding: data)
        } catch {
            switch error {
            case .otherVersion(let version) where version > JournalEntry.schema:
                throw .newer(path: file.path, version: version)
            default: throw .damaged(path: file.path, reason: error.description, movedTo: nil)
            }
        }
        // If a file was renamed, its plan must not be carried out on another tag.
        guard file.lastPathComponent == Self.name(of: entry.uid) else {
            throw .damaged(path: file.path, reason: "it is the entry of tag \(entry.uid.hex)", movedTo: nil)
        }
        return entry
    }
}
