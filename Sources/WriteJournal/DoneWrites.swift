// Writes that are done, kept for a while so that they can be taken back: one file per write

import DurableFiles
public import Foundation
import Hexadecimal
import Synchronization
import SystemPackage

/// The folder of this user's proven writes, each with the message from before: files with mode 0600.
///
/// They are there for convenience: one that is lost, or cannot be kept, takes nothing from the write. Any thread.
public struct DoneWrites: Sendable {
    /// A write that is done.
    public struct Write: Sendable {
        /// Both messages.
        public let entry: JournalEntry
        /// When it was proven, in microseconds since 1970: no two writes of a tag have the same one.
        public let number: Int64
        /// When it was proven.
        public var ended: Date { DoneWrites.time(number) }
    }

    /// Where the files are.
    public let folder: URL
    /// How long a write is kept, in seconds: 30 days.
    public static let keepingTime: TimeInterval = 30 * 86_400

    private static let suffix = ".json"
    /// Whether this process has deleted what is too old.
    private static let isPruned = Atomic(false)

    /// The folder beside those of a journal of writes: `…/nfctool/done`.
    public init(beside writes: WriteJournal) {
        folder = writes.folder.deletingLastPathComponent().appending(path: "done")
    }

    /// The writes that are kept, the latest first.
    ///
    /// - Parameters:
    ///   - uid: of the only tag whose writes are wanted; nil for all.
    ///   - now: writes older than 30 days at this time are deleted.
    /// - Returns: the writes that can be read; a file that is no whole entry is left out.
    /// - Throws: `WriteJournalError.notReadable` when the folder cannot be read.
    public func writes(of uid: [UInt8]? = nil, at now: Date = .now) throws(WriteJournalError) -> [Write] {
        try files(of: uid, at: now).sorted { $0.number > $1.number }.compactMap { file in
            guard let data = try? DurableFile.read(file.url, atMost: JournalEntry.longestFile),
                let entry = try? JournalEntry(decoding: data), entry.uid == file.uid
            else { return nil }
            return Write(entry: entry, number: file.number)
        }
    }

    /// How many files there are, also those that ``writes(of:at:)`` passes over.
    ///
    /// - Throws: `WriteJournalError`.
    public func count(of uid: [UInt8]? = nil, at now: Date = .now) throws(WriteJournalError) -> Int {
        try files(of: uid, at: now).count
    }

    /// Deletes a write that was taken back, if it is still there.
    ///
    /// - Throws: `WriteJournalError.notWritable`.
    public func forget(_ number: Int64, of uid: [UInt8]) throws(WriteJournalError) {
        try delete(place(number, of: uid))
    }

    /// Deletes the writes of a tag, or all of them: what the tags held before is on this computer no more.
    ///
    /// - Returns: how many there were.
    /// - Throws: `WriteJournalError`.
    public func forgetAll(of uid: [UInt8]? = nil, at now: Date = .now) throws(WriteJournalError) -> Int {
        let files = try files(of: uid, at: now)
        for file in files { try delete(file.url) }
        return files.count
    }

    /// Keeps the file of a write that is proven, by a second name, as far as that is possible.
    func keep(_ file: URL, of uid: [UInt8], at now: Date = .now) {
        if !Self.isPruned.exchange(true, ordering: .relaxed) { _ = try? files(of: nil, at: now) }
        let place = place(Int64(now.timeIntervalSince1970 * 1e6), of: uid)
        if link(file.path, place.path) == 0 || errno != ENOENT { return }
        guard (try? DurableFile.makeFolder(folder)) != nil else { return }
        link(file.path, place.path)
    }

    private func place(_ number: Int64, of uid: [UInt8]) -> URL {
        folder.appending(path: "\(uid.hex)-\(number)\(Self.suffix)")
    }

    private static func time(_ number: Int64) -> Date { Date(timeIntervalSince1970: Double(number) / 1e6) }

    private func delete(_ file: URL) throws(WriteJournalError) {
        do {
            try DurableFile.drop(file)
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }

    private typealias File = (url: URL, uid: [UInt8], number: Int64)

    /// The files of a tag, or all, by what their names say; those that are too old are deleted.
    private func files(of wanted: [UInt8]?, at now: Date) throws(WriteJournalError) -> [File] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return []
        } catch {
            throw .notReadable(path: folder.path, reason: error.localizedDescription)
        }
        var files: [File] = []
        for name in names {
            let parts = name.dropLast(Self.suffix.count).split(separator: "-")
            guard name.hasSuffix(Self.suffix), parts.count == 2, let number = Int64(parts[1]),
                let uid = try? HexText.bytes(parts[0].utf8, separators: "")
            else { continue }
            let file = folder.appending(path: name)
            if now.timeIntervalSince(Self.time(number)) > Self.keepingTime {
                try delete(file)
            } else if wanted.map(uid.elementsEqual) ?? true {
                files.append((file, uid, number))
            }
        }
        return files
    }
}
