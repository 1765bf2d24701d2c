// The passwords that tags refused, so that none is sent again to a tag that counts them — NXP NTAG21x, AUTHLIM

import DurableFiles
public import Foundation
import Hexadecimal
import SystemPackage

/// The folder that records which passwords each tag accepted or refused.
///
/// It is for tags that lock permanently after a number of wrong passwords. There is one file per tag, with mode 0600.
/// The files contain no passwords, only PBKDF2 digests, with a separate salt for each file. A record is durable when
/// ``note(_:of:uid:)`` returns. The journal can be used from any thread, but only one writer per tag is allowed.
public struct PasswordJournal: Sendable {
    /// The result of sending a password.
    public enum Outcome: String, Codable, Hashable, Sendable {
        /// The tag accepted or refused the password.
        case accepted, refused
        /// The password was sent, but no answer was received, so the tag may have counted it as wrong.
        case unanswered
    }

    /// What is known about a password and a tag.
    public struct Record: Hashable, Sendable {
        /// The last result for this password, or nil if it was never sent to the tag.
        public let outcome: Outcome?
        /// The number of passwords from this computer that the tag has refused since it last accepted one, 0 to 1023.
        public let wrongTries: Int
        /// The number of passwords from this computer since then whose answers were lost, 0 to 1023.
        ///
        /// The tag may have counted them as wrong.
        public let lostAnswers: Int
        /// The largest number of wrong passwords from this computer that the tag may have counted.
        public var possiblyWrongTries: Int { wrongTries + lostAnswers }
        /// Whether this is the password that the tag last accepted from this computer, even if a later answer was lost.
        ///
        /// During a pending change: whether this is a password that the tag can require.
        public let isLastAccepted: Bool
        /// Whether the password that the tag last accepted from this computer, or that it can require, is a different
        /// one.
        public let acceptedOther: Bool
        /// The number of wrong passwords in a row after which the tag locks, 1 to 1023, as last read.
        ///
        /// 0 means no limit. Nil means that the limit is not known.
        public let limit: Int?
        /// Whether a change to the tag's protection was started but not yet verified.
        public let isPending: Bool
        /// Whether this is the new password of a pending change, and the tag can require no other.
        public let isNewOfPending: Bool

        /// A record without any facts, for a journal that cannot be read.
        public static let unknown = Record(outcome: nil, wrongTries: 0)

        init(
            outcome: Outcome?, wrongTries: Int, lostAnswers: Int = 0, isLastAccepted: Bool = false,
            acceptedOther: Bool = false, limit: Int? = nil, isPending: Bool = false, isNewOfPending: Bool = false
        ) {
            self.lostAnswers = lostAnswers
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
    /// The maximum number of passwords that are kept per tag.
    ///
    /// If there are more, the oldest are dropped.
    private static let mostEntries = 100

    /// The maximum number of wrong passwords that a tag can allow.
    ///
    /// An Ultralight AES allows this number.
    ///
    /// Larger numbers come from damaged files.
    private static let mostTries = limits.upperBound

    /// The values of AUTHLIM, or AUTH_LIM on an Ultralight AES.
    ///
    /// 0 means no limit.
    private static let limits = 0...1023

    /// Creates the journal in the folder next to that of a write journal: `…/nfctool/passwords`.
    public init(beside writes: WriteJournal) {
        folder = writes.folder.deletingLastPathComponent().appending(path: "passwords")
    }

    /// Returns what is known about a password and a tag.
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
            lostAnswers: min(max(0, history.lostAnswers ?? 0), Self.mostTries),
            isLastAccepted: last == digest,
            acceptedOther: last.map { $0 != digest } ?? (pending != nil),
            limit: history.limit.flatMap { Self.limits.contains($0) ? $0 : nil },
            isPending: pending != nil, isNewOfPending: pending?.new == digest && last == digest)
    }

    /// Records the result of sending a password.
    ///
    /// Call this with `unanswered` before the password is sent, and with the tag's answer afterwards.
    ///
    /// - Throws: the errors of ``record(of:uid:)``, and ``WriteJournalError/notWritable(path:reason:)``.
    public func note(_ outcome: Outcome, of secret: [UInt8], uid: [UInt8]) throws(WriteJournalError) {
        var history = try history(uid: uid) ?? History()
        let digest = history.digest(of: secret)
        let before = history.entries.last { $0.digest == digest }?.outcome
        // Skip the disk access if nothing would change.
        if outcome == .accepted, before == .accepted, history.lastAccepted == digest, history.wrongTries == 0,
            history.lostAnswers ?? 0 == 0, history.pending == nil || history.pending?.opening == digest
        {
            return
        }
        let lost = min(max(0, history.lostAnswers ?? 0), Self.mostTries)
        // If the tag already refused this password, a lost answer does not change what is known about it.
        if outcome != .unanswered || before != .refused {
            history.entries.removeAll { $0.digest == digest || outcome == .accepted && $0.outcome == .accepted }
            history.entries.append(History.Entry(digest: digest, outcome: outcome))
            history.entries.removeFirst(max(0, history.entries.count - Self.mostEntries))
        }
        switch outcome {
        case .accepted:
            history.wrongTries = 0
            history.lostAnswers = 0
            history.lastAccepted = digest
            history.pending?.accept(digest)
        case .unanswered: history.lostAnswers = min(lost + 1, Self.mostTries)
        case .refused:
            // The answer counted as lost until now.
            history.lostAnswers = max(0, lost - 1)
            history.wrongTries = min(max(0, history.wrongTries), Self.mostTries - 1) + 1
            // The tag now requires another password, which is not known.
            if history.lastAccepted == digest { history.lastAccepted = nil }
        }
        try write(history, uid: uid)
    }

    /// Records the number of wrong passwords after which a tag locks.
    ///
    /// A limit of 0 is not recorded if nothing else is known about the tag.
    ///
    /// - Parameters:
    ///   - limit: the number of wrong passwords, 1 to 1023, or 0 for no limit.
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
            // There is nothing to delete.
        } catch {
            throw .notWritable(path: file.path, reason: error.localizedDescription)
        }
        try folder.removeLeftovers(of: uid)
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
        // A newer version may have another structure, so look at the version first. A file that counts as damaged is
        // moved aside, and its count of wrong passwords is then no longer known.
        let version = (try? JSONDecoder().decode(HistoryVersion.self, from: data))?.schema
        if let version, version > History.currentSchema { throw .newer(path: file.path, version: version) }
        guard version == History.currentSchema, let history = try? JSONDecoder().decode(History.self, from: data) else {
            throw .damaged(path: file.path, reason: "it is not a list of password digests", movedTo: nil)
        }
        return history.completed
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

/// The part of a file that all versions have in common.
private struct HistoryVersion: Decodable {
    let schema: Int
}

/// The content of a file.
struct History: Codable {
    struct Entry: Codable {
        let digest: String
        let outcome: PasswordJournal.Outcome
    }

    static let currentSchema = 1

    var schema = Self.currentSchema
    /// A random salt, as 32 hexadecimal digits.
    var salt = PasswordDigest.newSalt().hex
    var wrongTries = 0
    /// The number of answers that were lost since the tag last accepted a password.
    ///
    /// Nil in files of earlier versions.
    var lostAnswers: Int?
    /// The tag's limit on wrong passwords.
    ///
    /// Nil in files of earlier versions.
    var limit: Int?
    /// The passwords that were sent, with their results, oldest first.
    var entries: [Entry] = []

    /// The digest of the password that the tag last accepted.
    ///
    /// Nil if it is not known, or if the file is from an earlier version.
    var lastAccepted: String?

    /// The change to the tag's protection that is not verified yet.
    ///
    /// Nil if there is none, or if the file is from an earlier version.
    var pending: PendingEntry?

    /// The history, completed from its entries with the last accepted password and the number of lost answers if the
    /// file does not contain them.
    ///
    /// Files of earlier versions do not contain them. In these files, a lost answer could replace the entry of an
    /// accepted password. An accepted password therefore counts only if no later password was accepted or unanswered.
    var completed: History {
        var history = self
        if lostAnswers == nil {
            let latest = entries.reversed().prefix { $0.outcome != .accepted }
            history.lostAnswers = latest.filter { $0.outcome == .unanswered }.count
        }
        guard lastAccepted == nil else { return history }
        if let last = entries.last(where: { $0.outcome != .refused }), last.outcome == .accepted {
            history.lastAccepted = last.digest
        }
        history.entries.removeAll { $0.outcome == .accepted && $0.digest != history.lastAccepted }
        return history
    }

    var isEmpty: Bool {
        entries.isEmpty && lastAccepted == nil && wrongTries == 0 && lostAnswers ?? 0 == 0 && pending == nil
            && limit ?? 0 == 0
    }

    func digest(of secret: [UInt8]) -> String { PasswordDigest(of: secret, salt: Array(salt.utf8)).bytes.hex }
}
