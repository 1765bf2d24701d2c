// Completed writes, kept for a while so that they can be undone: one file per write

import DurableFiles
public import Foundation
import Hexadecimal
import Synchronization
import SystemPackage

/// A folder that keeps this user's verified writes, each with the message that it replaced.
///
/// The files have mode 0600. A write succeeds even if its file cannot be stored, because the files only serve to undo
/// writes. This type can be used from any thread.
public struct DoneWrites: Sendable {
    /// A completed write.
    public struct Write: Sendable {
        /// The journal entry of the write, with the old and the new message.
        public let entry: JournalEntry
        /// The time when the write was verified, in microseconds since 1970.
        ///
        /// It identifies the write, because no two writes of a tag have the same number. If an undo finds a change on
        /// the tag that was not recorded, this change gets a number 1 µs after that of the preceding write. For a write
        /// that was undone, this is the time of the undo.
        public let number: Int64
        /// The time when the write was verified.
        public var ended: Date { DoneWrites.time(number) }
    }

    /// The folder with the files.
    public let folder: URL
    /// How long a write is kept, in seconds (30 days).
    public static let keepingTime: TimeInterval = 30 * 86_400
    /// The number of latest writes that are kept even if they are older, because the computer's clock may be wrong.
    public static let keptCount = 20

    /// The folders of all journals, in which killed processes may leave incomplete files.
    private let folders: [URL]

    private static let suffix = ".json"
    /// Whether this process has already deleted the files that are too old or incomplete.
    private static let isPruned = Atomic(false)

    /// The name of the folder.
    enum Name: String, CaseIterable {
        /// Writes that can be undone.
        case done
        /// Writes that were undone and can be redone.
        case undone
    }

    /// Creates the value for the folder next to that of a write journal, such as `…/nfctool/done`.
    init(_ name: Name, beside writes: WriteJournal) {
        let place = { (name: Name) in
            writes.folder.deletingLastPathComponent().appending(path: name.rawValue)
        }
        folder = place(name)
        let (restores, passwords) = (RestoreJournal(beside: writes), PasswordJournal(beside: writes))
        folders = [writes.folder, restores.folder, passwords.folder] + Name.allCases.map(place)
    }

    /// Returns the stored writes, latest first.
    ///
    /// - Parameters:
    ///   - uid: the UID of the tag whose writes are returned, or nil for all tags.
    ///   - now: the current time. Writes older than 30 days are deleted, except the latest 20.
    /// - Returns: the stored writes, except those whose files do not contain a complete entry.
    /// - Throws: `WriteJournalError.notReadable` if the folder cannot be read.
    public func writes(of uid: [UInt8]? = nil, at now: Date = .now) throws(WriteJournalError) -> [Write] {
        try files(of: uid, at: now).compactMap { file in
            guard let data = try? DurableFile.read(file.url, atMost: JournalEntry.longestFile),
                let entry = try? JournalEntry(decoding: data), entry.uid == file.uid
            else { return nil }
            return Write(entry: entry, number: file.number)
        }
    }

    /// Returns the number of stored writes, including those that ``writes(of:at:)`` cannot read.
    ///
    /// - Throws: `WriteJournalError`.
    public func count(of uid: [UInt8]? = nil, at now: Date = .now) throws(WriteJournalError) -> Int {
        try files(of: uid, at: now).count
    }

    /// Deletes the file of a write, if the file still exists.
    ///
    /// - Throws: `WriteJournalError.notWritable`.
    public func forget(_ number: Int64, of uid: [UInt8]) throws(WriteJournalError) {
        try delete(place(number, of: uid))
    }

    /// Deletes the writes of a tag, or all writes, so that the earlier content of the tags is no longer on this
    /// computer.
    ///
    /// This includes incomplete files that killed processes left in the folders of the journals.
    ///
    /// - Returns: the number of deleted writes.
    /// - Throws: `WriteJournalError`.
    public func forgetAll(of uid: [UInt8]? = nil) throws(WriteJournalError) -> Int {
        let files = try stored().filter { $0.isOf(uid) }
        for file in files { try delete(file.url) }
        for folder in folders { try folder.removeLeftovers(of: uid) }
        return files.count
    }

    /// Keeps the file of a verified write as a hard link in this folder, if possible.
    ///
    /// On a file system without hard links, the file is moved instead, because the caller removes it anyway.
    func keep(_ file: URL, of uid: [UInt8]) {
        let now = Date.now
        if !Self.isPruned.exchange(true, ordering: .relaxed) { _ = try? files(of: nil, at: now) }
        let place = place(Self.number(now), of: uid)
        guard (try? DurableFile.makeFolder(folder)) != nil else { return }
        if link(file.path, place.path) == 0 || errno == EEXIST || errno == ENOENT { return }
        // Anything but a file stays in its place, where the caller fails to remove it and reports it.
        var status = stat()
        guard lstat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        rename(file.path, place.path)
    }

    /// Stores a write that was undone, or a change to a message that no journaled write made, for example by a restore.
    ///
    /// Files that are too old are deleted first.
    ///
    /// - Parameters:
    ///   - entry: an entry with the old and the new message.
    ///   - number: the number of the change. A stored change with the same number is replaced. With nil, the change
    ///     gets the time `now` as its number.
    ///   - now: the current time.
    /// - Throws: `WriteJournalError.notWritable`.
    public func keep(
        _ entry: JournalEntry, as number: Int64? = nil, at now: Date = .now
    ) throws(WriteJournalError) {
        _ = try? files(of: nil, at: now)
        let place = place(number ?? Self.number(now), of: entry.uid)
        do {
            let data = try entry.encoded()
            try DurableFile.makeFolder(folder)
            try DurableFile.write(data, to: place)
        } catch let error as Errno {
            throw .notWritable(path: place.path, reason: error.description)
        } catch {
            throw .notWritable(path: place.path, reason: error.localizedDescription)
        }
    }

    private func place(_ number: Int64, of uid: [UInt8]) -> URL {
        folder.appending(path: "\(uid.hex)-\(number)\(Self.suffix)")
    }

    private static func number(_ time: Date) -> Int64 { Int64(time.timeIntervalSince1970 * 1e6) }

    private static func time(_ number: Int64) -> Date { Date(timeIntervalSince1970: Double(number) / 1e6) }

    private func delete(_ file: URL) throws(WriteJournalError) {
        do {
            try DurableFile.drop(file)
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }

    /// A file of this folder, whose name contains the UID and the number.
    private struct File {
        let url: URL
        let uid: [UInt8]
        let number: Int64

        init?(named name: String, in folder: URL) {
            let parts = name.dropLast(DoneWrites.suffix.count).split(separator: "-")
            guard name.hasSuffix(DoneWrites.suffix), parts.count == 2, let number = Int64(parts[1]),
                let uid = try? HexText.bytes(parts[0].utf8, separators: "")
            else { return nil }
            url = folder.appending(path: name)
            self.uid = uid
            self.number = number
        }

        /// Whether this is a file of the tag, or the tag is nil.
        func isOf(_ tag: [UInt8]?) -> Bool { tag.map(uid.elementsEqual) ?? true }
    }

    /// Returns the files of a tag, or of all tags if `wanted` is nil, latest first.
    ///
    /// Deletes all files that are too old, and incomplete files of killed processes. An old file that cannot be deleted
    /// is left out.
    private func files(of wanted: [UInt8]?, at now: Date) throws(WriteJournalError) -> [File] {
        let stored = try stored()
        let isOld = { (file: File) in now.timeIntervalSince(Self.time(file.number)) > Self.keepingTime }
        let old = stored.dropFirst(Self.keptCount).drop { !isOld($0) }
        for file in old { try? delete(file.url) }
        for folder in folders { try? folder.removeLeftovers() }
        return stored.dropLast(old.count).filter { $0.isOf(wanted) }
    }

    /// Returns all files, latest first.
    private func stored() throws(WriteJournalError) -> [File] {
        try folder.fileNames().compactMap { File(named: $0, in: folder) }.sorted { $0.number > $1.number }
    }
}
