// A private copy of a journal, for a user who may read it but not work with it — https://www.sqlite.org/walformat.html

import Foundation
import Glibc

/// A copy of a journal and its log in a private temporary folder.
///
/// The folder is deleted with the last reference to the copy.
final class JournalCopy {
    private let folder: String
    /// The path of the copied journal.
    let path: String
    /// The state of the journal when it was copied.
    let state: FileState

    private static let attempts = 20
    private static let pieceLength = 1 << 20

    /// Copies a journal, even while another process works with it.
    ///
    /// The journal itself changes only when the log is moved into it. If this happens during the copy, or if the log
    /// begins again, the copy is made again. A step at the end of the log that is copied only in part does not count.
    ///
    /// - Throws: `missing`, `unusable`; `held` if the journal changes too often.
    init(of file: URL) throws(JournalError) {
        let place = FileManager.default.temporaryDirectory.appending(path: "nfctool-journal-XXXXXX").path
        var template = Array(place.utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.error(file.path, place) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = folder + "/" + file.lastPathComponent
        var found: FileState?
        do throws(JournalError) {
            for _ in 0..<Self.attempts where found == nil {
                let (before, beginning) = try (FileState(of: file.path), Self.beginning(ofLog: file.path + "-wal"))
                try Self.copy(file.path, to: path, as: file.path)
                try Self.copy(file.path + "-wal", to: path + "-wal", as: file.path)
                let isWhole = try FileState(of: file.path).journal == before.journal
                if isWhole, Self.beginning(ofLog: file.path + "-wal") == beginning { found = before }
            }
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        guard let found else {
            try? FileManager.default.removeItem(atPath: folder)
            throw .held(path: file.path, byProcess: nil, command: "")
        }
        state = found
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The header of the log, whose salt differs each time the log begins again.
    private static func beginning(ofLog path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 32)
        return Array(bytes.prefix(max(0, read(descriptor, &bytes, bytes.count))))
    }

    /// Copies a file, or deletes the copy if the file does not exist.
    private static func copy(_ path: String, to copy: String, as journal: String) throws(JournalError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else {
            guard errno == ENOENT else { throw JournalError(errno: errno, path: journal) }
            unlink(copy)
            return
        }
        defer { close(source) }
        let target = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw error(journal, copy) }
        defer { close(target) }
        var piece = [UInt8](repeating: 0, count: pieceLength)
        while true {
            let count = read(source, &piece, piece.count)
            guard count >= 0 else { throw JournalError(errno: errno, path: journal) }
            if count == 0 { return }
            let written = write(target, piece, count)
            guard written == count else {
                // A write to a file is short only if the disk is full.
                if written >= 0 { errno = ENOSPC }
                throw error(journal, copy)
            }
        }
    }

    private static func error(_ journal: String, _ copy: String) -> JournalError {
        let reason = String(cString: strerror(errno))
        return .unusable(
            path: journal, code: 0,
            reason: "to read it, nfctool copies it to \(copy), which failed (\(reason)); TMPDIR names another folder")
    }
}
