// Writes under way, on disk before the tag changes: one file per tag — XDG Base Directory Specification, $XDG_STATE_HOME

import DurableFiles
public import Foundation
import Hexadecimal
import SystemPackage

/// The folder that remembers each write until it is proven.
///
/// An entry is durable when ``begin(_:)`` returns: the file and its folder are synchronised to the disk, so neither a
/// killed process nor a power failure loses the old content of a tag. Any thread; one writer per tag.
public struct WriteJournal: Sendable {
    /// Where the entries are.
    public let folder: URL

    private static let suffix = ".json"

    /// A journal in a folder, which is made, with mode 0700, when the first entry is.
    public init(folder: URL) { self.folder = folder }

    /// The journal of this user: `$XDG_STATE_HOME/nfctool/writes`, or `$HOME/.local/state/nfctool/writes`.
    ///
    /// - Parameter environment: the process's environment.
    public init(environment: [String: String]) {
        // The specification has relative paths ignored.
        let folder = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil } }
        let state =
            folder("XDG_STATE_HOME")
            ?? (folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser).appending(path: ".local/state")
        self.init(folder: state.appending(path: "nfctool/writes"))
    }

    /// The journal in this user's state folder.
    public static let ofThisUser = WriteJournal(environment: ProcessInfo.processInfo.environment)

    /// Makes an entry durable; an earlier one of the same tag is kept beside it.
    ///
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func begin(_ entry: JournalEntry) throws(WriteJournalError) {
        let file = file(of: entry.uid)
        do {
            let data = try entry.encoded()
            guard data.count <= JournalEntry.longestFile else { throw EntryTooLong(count: data.count) }
            try DurableFile.makeFolder(folder)
            if FileManager.default.fileExists(atPath: file.path) { try DurableFile.setAside(file, as: "superseded") }
            try DurableFile.write(data, to: file)
        } catch let error as Errno {
            throw .notWritable(path: file.path, reason: error.description)
        } catch let error as EntryTooLong {
            throw .notWritable(path: file.path, reason: error.description)
        } catch {
            throw .notWritable(path: file.path, reason: error.localizedDescription)
        }
    }

    /// Forgets a write that is proven, or undone.
    ///
    /// An entry that is back after a power failure does no harm: its tag is found to hold one of its two messages, or
    /// that of somebody else.
    /// - Parameters:
    ///   - uid: the tag.
    ///   - done: where a proven write is kept, so that it can be taken back; nil keeps nothing.
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

    /// Keeps the entry of a tag aside, since its content was replaced in another way; does nothing when there is none.
    ///
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func supersede(uid: [UInt8]) throws(WriteJournalError) {
        let file = file(of: uid)
        do {
            if FileManager.default.fileExists(atPath: file.path) { try DurableFile.setAside(file, as: "superseded") }
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }

    /// The write under way of a tag; `nil` when there is none.
    ///
    /// - Throws: ``WriteJournalError/damaged(path:reason:movedTo:)`` for a file that is no whole entry; it is moved aside,
    ///   not deleted. ``WriteJournalError/newer(path:version:)`` for one that is not ours to judge.
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

    /// All writes under way, oldest first, and what is wrong with the files that cannot be read; nothing is moved.
    public func entries() throws(WriteJournalError) -> (entries: [JournalEntry], unreadable: [WriteJournalError]) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return ([], [])
        } catch {
            throw .notReadable(path: folder.path, reason: error.localizedDescription)
        }
        var entries: [JournalEntry] = []
        var unreadable: [WriteJournalError] = []
        for name in names.sorted() where name.hasSuffix(Self.suffix) {
            do throws(WriteJournalError) {
                if let entry = try entry(in: folder.appending(path: name)) { entries.append(entry) }
            } catch {
                unreadable.append(error)
            }
        }
        return (entries.sorted { $0.started < $1.started }, unreadable)
    }

    /// An entry that would not be read back.
    private struct EntryTooLong: Error, CustomStringConvertible {
        let count: Int
        var description: String {
            "the entry needs \(count) bytes, but at most \(JournalEntry.longestFile) can be read back"
        }
    }

    private func file(of uid: [UInt8]) -> URL { folder.appending(path: uid.hex + Self.suffix) }

    private func entry(in file: URL) throws(WriteJournalError) -> JournalEntry? {
        let data: Data?
        do {
            data = try DurableFile.read(file, atMost: JournalEntry.longestFile)
        } catch {
            throw .notReadable(path: file.path, reason: error.description)
        }
        guard let data else { return nil }
        do {
            return try JournalEntry(decoding: data)
        } catch {
            switch error {
            case .otherVersion(let version) where version > JournalEntry.schema:
                throw .newer(path: file.path, version: version)
            default: throw .damaged(path: file.path, reason: error.description, movedTo: nil)
            }
        }
    }
}
