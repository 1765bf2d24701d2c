// What tags held before a restore, on disk until the restore is proven — XDG Base Directory Specification

import DurableFiles
public import Foundation
import Hexadecimal
import SystemPackage

/// A restore that is not proven.
public struct PendingRestore: Hashable, Sendable {
    /// The tag's identifier.
    public let uid: [UInt8]
    /// The file with a dump of what the tag held before.
    public let old: URL
    /// When the restore began.
    public let started: Date
    /// What it was about to write; nil where that is not known.
    public let record: RestoreRecord?
}

/// The folder that keeps the memory of each tag whose restore is under way: one dump file per tag, and the restore's record.
///
/// Both are durable when ``keep(_:_:uid:)`` returns. Any thread; one writer per tag.
public struct RestoreJournal: Sendable {
    /// Where the dumps are.
    public let folder: URL

    private static let suffix = ".json"
    private static let recordSuffix = ".record"

    /// The folder beside those of a journal of writes: `…/nfctool/restores`.
    public init(beside writes: WriteJournal) {
        folder = writes.folder.deletingLastPathComponent().appending(path: "restores")
    }

    /// Makes a tag's memory durable, unless an earlier restore of this tag is not proven; and the record in either case.
    ///
    /// What an earlier restore kept is the older content; the tag may hold a mixture by now. Where the tag was written
    /// since, call ``supersede(uid:)`` first.
    /// - Returns: the file that holds the content to go back to.
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func keep(
        _ dump: [UInt8], _ record: RestoreRecord, uid: [UInt8]
    ) throws(WriteJournalError) -> URL {
        let file = file(of: uid)
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        do {
            let encoded = try JSONEncoder().encode(record)
            try DurableFile.makeFolder(folder)
            // A record without a dump is never read.
            try DurableFile.write(encoded, to: recordFile(of: uid))
            if isNew { try DurableFile.write(Data(dump), to: file) }
        } catch let error as Errno {
            throw .notWritable(path: file.path, reason: error.description)
        } catch {
            throw .notWritable(path: file.path, reason: error.localizedDescription)
        }
        return file
    }

    /// Forgets a restore that is proven.
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

    /// Keeps the dump of a restore that is not proven aside, since the tag was written in another way.
    ///
    /// - Returns: where it is now; nil when there was none.
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

    /// The restore of a tag that is not proven; nil when there is none.
    public func pending(uid: [UInt8]) -> PendingRestore? {
        let file = file(of: uid)
        // Tags without one cost a single look.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else { return nil }
        let data = try? DurableFile.read(recordFile(of: uid), atMost: RestoreRecord.longestFile)
        return PendingRestore(
            uid: uid, old: file, started: attributes[.modificationDate] as? Date ?? .distantPast,
            record: data.flatMap { try? JSONDecoder().decode(RestoreRecord.self, from: $0) })
    }

    /// All restores that are not proven, oldest first.
    ///
    /// - Throws: ``WriteJournalError/notReadable(path:reason:)``.
    public func pending() throws(WriteJournalError) -> [PendingRestore] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return []
        } catch {
            throw .notReadable(path: folder.path, reason: error.localizedDescription)
        }
        let uids = names.filter { $0.hasSuffix(Self.suffix) }
            .compactMap { [UInt8](hex: $0.dropLast(Self.suffix.count)) }
        return uids.compactMap { pending(uid: $0) }.sorted { $0.started < $1.started }
    }

    private func file(of uid: [UInt8]) -> URL { folder.appending(path: uid.hex + Self.suffix) }
    private func recordFile(of uid: [UInt8]) -> URL { folder.appending(path: uid.hex + Self.recordSuffix) }
}

extension [UInt8] {
    /// The bytes of a text that `hex` gave.
    fileprivate init?(hex text: Substring) {
        guard let bytes = try? HexText.bytes(text.utf8, separators: ""), bytes.hex == text else { return nil }
        self = bytes
    }
}
