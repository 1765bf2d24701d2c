// Passwords that tags refused, on disk, so that none is sent twice to a tag that counts — NXP NTAG21x, AUTHLIM

import DurableFiles
public import Foundation
import Hexadecimal
import SystemPackage

/// The folder that remembers which passwords a tag accepted and refused: one file per tag, mode 0600.
///
/// It is for tags that close permanently after some wrong passwords, and holds no password: only PBKDF2 digests with a salt of
/// each file's own. A note is durable when ``note(_:of:uid:)`` returns. Any thread; one writer per tag.
public struct PasswordJournal: Sendable {
    /// What became of a password that was sent.
    public enum Outcome: String, Codable, Hashable, Sendable {
        case accepted, refused
        /// It was sent, and no answer is known: the tag may have counted it as wrong.
        case unanswered
    }

    /// What is known of a tag.
    public struct Record: Hashable, Sendable {
        /// What became of the password that was asked about; `nil` when it was never sent.
        public let outcome: Outcome?
        /// The passwords that the tag refused since it last accepted one, as far as this computer sent them; 0…256.
        public let wrongTries: Int
        /// Whether it is the password that the tag accepted last from this computer, also when a later answer was lost; the one
        /// that the tag can ask for during a pending change.
        public let isLastAccepted: Bool
        /// Whether the password that the tag accepted last from this computer, or that it can ask for, is another one.
        public let acceptedOther: Bool
        /// How many wrong passwords in a row close the tag, 1…1023, as it was last seen; 0 for no limit, `nil` when that is not known.
        public let limit: Int?
        /// Whether a change of the tag's protection was begun and is not proven.
        public let isPending: Bool
        /// Whether it is the new password of such a change, and the only one that the tag can ask for.
        public let isNewOfPending: Bool

        /// A record of nothing known, where none can be read.
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

    /// Where the files are.
    public let folder: URL

    private static let longestFile = 64 << 10
    /// Of more passwords the oldest are forgotten.
    private static let mostEntries = 100

    /// The most wrong tries that any tag allows: those of an Ultralight AES.
    ///
    /// A file may hold any number.
    private static let mostTries = limits.upperBound

    /// AUTHLIM, or AUTH_LIM of an Ultralight AES; 0 is no limit.
    private static let limits = 0...1023

    /// The folder beside those of a journal of writes: `…/nfctool/passwords`.
    public init(beside writes: WriteJournal) {
        folder = writes.folder.deletingLastPathComponent().appending(path: "passwords")
    }

    /// What is known of a password on a tag.
    ///
    /// - Throws: ``WriteJournalError/notReadable(path:reason:)``; ``WriteJournalError/damaged(path:reason:movedTo:)`` or
    ///   ``WriteJournalError/newer(path:version:)`` for a file that cannot be judged.
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

    /// Notes what became of a password; `unanswered` before it is sent.
    ///
    /// - Throws: what ``record(of:uid:)`` throws, and ``WriteJournalError/notWritable(path:reason:)``.
    public func note(_ outcome: Outcome, of secret: [UInt8], uid: [UInt8]) throws(WriteJournalError) {
        var history = try history(uid: uid) ?? History()
        let digest = history.digest(of: secret)
        let before = history.entries.last { $0.digest == digest }?.outcome
        // A lost answer says nothing new about a password that the tag refused.
        if outcome == .unanswered, before == .refused { return }
        // What is known already costs no disk access.
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
            // The tag has another one by now, and it is not known which.
            if history.lastAccepted == digest { history.lastAccepted = nil }
        }
        try write(history, uid: uid)
    }

    /// Notes the limit of wrong passwords that a tag has now, where anything is known of its passwords.
    ///
    /// - Parameters:
    ///   - limit: 1…1023; 0 for none.
    ///   - uid: the tag.
    /// - Throws: what ``note(_:of:uid:)`` throws.
    public func note(limit: Int, uid: [UInt8]) throws(WriteJournalError) {
        let known = try history(uid: uid)
        guard known?.limit != limit, known != nil || limit > 0 else { return }
        var history = known ?? History()
        history.limit = limit
        try write(history, uid: uid)
    }

    /// Forgets the passwords of a tag that asks for none any more.
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

/// A file's content.
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
    /// The latest news last.
    var entries: [Entry] = []

    /// The digest of the password that the tag accepted last; `nil` when that is not known, and in files of earlier versions.
    var lastAccepted: String?

    /// The change of protection that is not proven yet; missing in files of earlier versions.
    var pending: PendingEntry?

    /// The same, with what the entries of an earlier version say of the password accepted last.
    ///
    /// A lost answer hid there that a password had been accepted: what was accepted before it may be an old password.
    var withLastAccepted: History {
        guard lastAccepted == nil else { return self }
        var history = self
        if let last = entries.last(where: { $0.outcome != .refused }), last.outcome == .accepted {
            history.lastAccepted = last.digest
        }
        history.entries.removeAll { $0.outcome == .accepted && $0.digest != history.lastAccepted }
        return history
    }

    /// Whether it says nothing of a tag.
    var isEmpty: Bool { entries.isEmpty && lastAccepted == nil && wrongTries == 0 && pending == nil && limit ?? 0 == 0 }

    func digest(of secret: [UInt8]) -> String { PasswordDigest(of: secret, salt: Array(salt.utf8)).bytes.hex }
}
