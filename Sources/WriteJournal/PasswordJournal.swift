// Passwords that tags refused, so that none is sent twice to a tag that counts wrong ones — NXP NTAG21x, AUTHLIM

import DurableFiles
public import Foundation
import Hexadecimal
import SystemPackage

/// The folder that records which passwords a tag accepted and refused: one file per tag, mode 0600.
///
/// It is for tags that block permanently after some wrong passwords. It contains no passwords, only PBKDF2 digests with
/// a separate salt for each file. A record is durable when ``note(_:of:uid:)`` returns. It can be used from any thread,
/// with one writer per tag.
public struct PasswordJournal: Sendable {
    /// The result of sending a password.
    public enum Outcome: String, Codable, Hashable, Sendable {
        /// The answer of the tag.
        case accepted, refused
        /// The password was sent but no answer is known: the tag may have counted it as wrong.
        case unanswered
    }

    /// The known facts about a password on a tag.
    public struct Record: Hashable, Sendable {
        /// The last result for the password in question, or nil if it was never sent.
        public let outcome: Outcome?
        /// The number of passwords from this computer that the tag has refused since it last accepted one; 0…1023.
        public let wrongTries: Int
        /// Whether this is the password that the tag last accepted from this computer, even if a later answer was lost.
        ///
        /// During a pending change, whether the tag can require this password.
        public let isLastAccepted: Bool
        /// Whether the password that the tag last accepted from this computer, or can require, differs from this one.
        public let acceptedOther: Bool
        /// The limit on wrong passwords in a row, 1…1023, as last read; 0 for no limit, nil if not known.
        public let limit: Int?
        /// Whether a change to the tag's protection was started but not verified.
        public let isPending: Bool
        /// Whether this is the new password of a pending change, and the only one that the tag can require.
        public let isNewOfPending: Bool

        /// A record without any known facts, for a journal that cannot be read.
        public static let unknown = Record(outcome: nil, wrongTries: 0)

        init(
            outcome: Outcome?, wrongTries: Int, isLastAccepted: Bool = false, acceptedOther: Bool = false,
            limit: Int? = nil, isPending: Bool = false, isNewOfPending: Bool = false
        ) {
            self.isPending = isPending
            self.isNewOfPending = isNewOfPending
            self.outcome = outcome
            self.wrongTries = wrongTries
            self.isLastAccepted = isLastAccepted
            self.acceptedOther = acceptedOther
            self.limit = limit
        }
    }

    /// The folder with the files.
    public let folder: URL

    private static let longestFile = 64 << 10
    /// The maximum number of passwords per tag.
    ///
    /// The oldest ones are dropped.
    private static let mostEntries = 100

    /// The maximum number of wrong attempts that any tag allows, which is that of an Ultralight AES.
    ///
    /// A damaged file may contain any number.
    private static let mostTries = limits.upperBound

    /// AUTHLIM, or AUTH_LIM of an Ultralight AES; 0 means no limit.
    private static let limits = 0...1023

    /// The folder next to that of a journal of writes: `…/nfctool/passwords`.
    public init(beside writes: WriteJournal) {
        folder = writes.folder.deletingLastPathComponent().appending(path: "passwords")
    }

    /// The known facts about a password on a tag.
    ///
    /// - Throws: ``WriteJournalError/notReadable(path:reason:)``; ``WriteJournalError/damaged(path:reason:movedTo:)``
    ///   or ``WriteJournalError/newer(path:version:)`` for a file that cannot be interpreted.
    public func record(of secret: [UInt8], uid: [UInt8]) throws(WriteJournalError) -> Record {
        guard let history = try history(uid: uid) else { return Record(outcome: nil, wrongTries: 0) }
        let digest = history.digest(of: secret)
        let pending = history.pending
        let last = pending == nil ? history.lastAccepted : pending?.opening
        return Record(
            outcome: history.entries.last { $0.digest == digest }?.outcome,
            wrongTries: min(max(0, history.wrongTries), Self.mostTries),
            isLastAccepted: last == digest,
            acceptedOther: last.map { $0 != digest } ?? (pending != nil),
            limit: history.limit.flatMap { Self.limits.contains($0) ? $0 : nil },
            isPending: pending != nil, isNewOfPending: pending?.new == digest && last == digest)
    }

    /// Records the result of sending a password.
    ///
    /// Record `unanswered` before you send it.
    ///
    /// - Throws: the errors of ``record(of:uid:)``, and ``WriteJournalError/notWritable(path:reason:)``.
    public func note(_ outcome: Outcome, of secret: [UInt8], uid: [UInt8]) throws(WriteJournalError) {
        var history = try history(uid: uid) ?? History()
        let digest = history.digest(of: secret)
        let before = history.entries.last { $0.digest == digest }?.outcome
        // A lost answer gives no new information about a password that the tag refused.
        if outcome == .unanswered, before == .refused { return }
        // Skip the disk access if nothing changes.
        if outcome == .accepted, before == .accepted, history.lastAccepted == digest, history.wrongTries == 0,
            history.pending == nil || history.pending?.opening == digest
        {
            return
        }
        history.entries.removeAll { $0.digest == digest || outcome == .accepted && $0.outcome == .accepted }
        history.entries.append(History.Entry(digest: digest, outcome: outcome))
        history.entries.removeFirst(max(0, history.entries.count - Self.mostEntries))
        switch outcome {
        case .accepted:
            history.wrongTries = 0
            history.lastAccepted = digest
            history.pending?.accept(digest)
        case .unanswered: break
        case .refused:
            history.wrongTries = min(max(0, history.wrongTries), Self.mostTries - 1) + 1
            // The tag now has another password, which is not known.
            if history.lastAccepted == digest { history.lastAccepted = nil }
        }
        try write(history, uid: uid)
    }

    /// Records the tag's current limit on wrong passwords, unless it is 0 and nothing else is known about the tag.
    ///
    /// - Parameters:
    ///   - limit: 1…1023, or 0 for none.
    ///   - uid: the tag's UID.
    /// - Throws: the errors of ``note(_:of:uid:)``.
    public func note(limit: Int, uid: [UInt8]) throws(WriteJournalError) {
        let known = try history(uid: uid)
        guard known?.limit != limit, known != nil || limit > 0 else { return }
        var history = known ?? History()
        history.limit = limit
        try write(history, uid: uid)
    }

    /// Deletes the record of a tag that no longer requires a password.
    ///
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func forget(uid: [UInt8]) throws(WriteJournalError) {
        let file = file(of: uid)
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            return
        } catch {
            throw .notWritable(path: file.path, reason: error.localizedDescription)
        }
    }

    func file(of uid: [UInt8]) -> URL { folder.appending(path: uid.hex + ".json") }

    func history(uid: [UInt8]) throws(WriteJournalError) -> History? {
        let file = file(of: uid)
        let data: Data?
        do {
            data = try DurableFile.read(file, atMost: Self.longestFile)
        } catch {
            throw .notReadable(path: file.path, reason: error.description)
        }
        guard let data else { return nil }
        guard let history = try? JSONDecoder().decode(History.self, from: data) else {
            throw .damaged(path: file.path, reason: "it is not a list of password digests", movedTo: nil)
        }
        guard history.schema == History.currentSchema else { throw .newer(path: file.path, version: history.schema) }
        return history.withLastAccepted
    }

    func write(_ history: History, uid: [UInt8]) throws(WriteJournalError) {
        let file = file(of: uid)
        do {
            let data = try JSONEncoder().encode(history)
            try DurableFile.makeFolder(folder)
            try DurableFile.write(data, to: file)
        } catch let error as Errno {
            throw .notWritable(path: file.path, reason: error.description)
        } catch {
            throw .notWritable(path: file.path, reason: error.localizedDescription)
        }
    }
}

/// The content of a file.
struct History: Codable {
    struct Entry: Codable {
        let digest: String
        let outcome: PasswordJournal.Outcome
    }

    static let currentSchema = 1

    var schema = Self.currentSchema
    /// 32 hexadecimal digits.
    var salt = PasswordDigest.newSalt().hex
    var wrongTries = 0
    /// Missing in files of earlier versions.
    var limit: Int?
    /// The entries, oldest first.
    var entries: [Entry] = []

    /// The digest of the password that the tag last accepted, or nil if it is not known or the file is from an earlier
    /// version.
    var lastAccepted: String?

    /// The change of protection that is not verified yet.
    ///
    /// Missing in files of earlier versions.
    var pending: PendingEntry?

    /// The history; if a file of an earlier version lacks the last accepted password, it is taken from the entries.
    ///
    /// In such a file, a lost answer could replace the entry of an accepted password. So an accepted password counts
    /// only if no later one was accepted or unanswered.
    var withLastAccepted: History {
        guard lastAccepted == nil else { return self }
        var history = self
        if let last = entries.last(where: { $0.outcome != .refused }), last.outcome == .accepted {
            history.lastAccepted = last.digest
        }
        history.entries.removeAll { $0.outcome == .accepted && $0.digest != history.lastAccepted }
        return history
    }

    /// Whether the history contains nothing about the tag.
    var isEmpty: Bool { entries.isEmpty && lastAccepted == nil && wrongTries == 0 && pending == nil && limit ?? 0 == 0 }

    func digest(of secret: [UInt8]) -> String { PasswordDigest(of: secret, salt: Array(salt.utf8)).bytes.hex }
}
