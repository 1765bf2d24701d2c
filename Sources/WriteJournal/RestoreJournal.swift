// The content of tags before a restore, kept on disk until the restore is verified — XDG Base Directory Specification

import DurableFiles
public import Foundation
import Glibc
import Hexadecimal
import SystemPackage

/// A restore that is not verified yet.
public struct PendingRestore: Hashable, Sendable {
    /// The tag's UID.
    public let uid: [UInt8]
    /// The dump file with the content that the tag had before the restore.
    public let old: URL
    /// The time when the restore began.
    public let started: Date
    /// The record of the planned writes, or nil if it cannot be read.
    public let record: RestoreRecord?
}

/// The folder with the old content of each tag whose restore is in progress.
///
/// There is one dump file and one record per tag. Both are durable when ``keep(_:_:uid:)`` returns. The journal can be
/// used from any thread, but only one writer per tag is allowed.
public struct RestoreJournal: Sendable {
    /// The folder with the dump files and the records.
    public let folder: URL

    private static let suffix = ".json"
    private static let recordSuffix = ".record"

    /// Creates the journal in the folder next to that of a write journal: `…/nfctool/restores`.
    public init(beside writes: WriteJournal) {
        folder = writes.folder.deletingLastPathComponent().appending(path: "restores")
    }

    /// Stores the record of a restore, and the tag's old content.
    ///
    /// If an earlier restore of this tag is not verified, its dump is kept instead: it contains the original content,
    /// while the tag may now hold a mixture. If the tag was written after that restore, call ``supersede(uid:)`` first.
    /// - Returns: the dump file with the content that the tag gets back after an interruption.
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func keep(
        _ dump: [UInt8], _ record: RestoreRecord, uid: [UInt8]
    ) throws(WriteJournalError) -> URL {
        let file = file(of: uid)
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        do {
            let encoded = try JSONEncoder().encode(record)
            try DurableFile.makeFolder(folder)
            // The record is written first, because a record without a dump is never read.
            try DurableFile.write(encoded, to: recordFile(of: uid))
            if isNew { try DurableFile.write(Data(dump), to: file) }
        } catch let error as Errno {
            throw .notWritable(path: file.path, reason: error.description)
        } catch {
            throw .notWritable(path: file.path, reason: error.localizedDescription)
        }
        return file
    }

    /// Removes the dump and the record of a restore that is verified.
    ///
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func end(uid: [UInt8]) throws(WriteJournalError) {
        let file = file(of: uid)
        do {
            try DurableFile.remove(file)
            try DurableFile.drop(recordFile(of: uid))
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }

    /// Sets the dump of an unverified restore aside, because something else was written to the tag.
    ///
    /// - Returns: the new path of the dump, or nil if there was none.
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func supersede(uid: [UInt8]) throws(WriteJournalError) -> URL? {
        let file = file(of: uid)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            let place = try DurableFile.setAside(file, as: "superseded")
            try DurableFile.drop(recordFile(of: uid))
            return place
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }

    /// Returns the unverified restore of a tag, or nil if there is none.
    ///
    /// - Throws: ``WriteJournalError/notReadable(path:reason:)``.
    public func pending(uid: [UInt8]) throws(WriteJournalError) -> PendingRestore? {
        let file = file(of: uid)
        var status = stat()
        // If the tag has no unverified restore, this is the only file access.
        if stat(file.path, &status) != 0 {
            let error = Errno(rawValue: errno)
            guard error == .noSuchFileOrDirectory else {
                throw .notReadable(path: file.path, reason: error.description)
            }
            return nil
        }
        let started = TimeInterval(status.st_mtim.tv_sec) + TimeInterval(status.st_mtim.tv_nsec) / 1e9
        let data = try? DurableFile.read(recordFile(of: uid), atMost: RestoreRecord.longestFile)
        return PendingRestore(
            uid: uid, old: file, started: Date(timeIntervalSince1970: started),
            record: data.flatMap { try? JSONDecoder().decode(RestoreRecord.self, from: $0) })
    }

    /// Returns all unverified restores, oldest first.
    ///
    /// - Throws: ``WriteJournalError/notReadable(path:reason:)``.
    public func pending() throws(WriteJournalError) -> [PendingRestore] {
        let uids = try folder.fileNames().filter { $0.hasSuffix(Self.suffix) }
            .compactMap { [UInt8](hex: $0.dropLast(Self.suffix.count)) }
        var restores: [PendingRestore] = []
        for uid in uids {
            if let restore = try pending(uid: uid) { restores.append(restore) }
        }
        return restores.sorted { $0.started < $1.started }
    }

    private func file(of uid: [UInt8]) -> URL { folder.appending(path: uid.hex + Self.suffix) }
    private func recordFile(of uid: [UInt8]) -> URL { folder.appending(path: uid.hex + Self.recordSuffix) }
}

extension [UInt8] {
    /// Parses hexadecimal text in the form of the property `hex`.
    fileprivate init?(hex text: Substring) {
        guard let bytes = try? HexText.bytes(text.utf8, separators: ""), bytes.hex == text else { return nil }
        self = bytes
    }
}
