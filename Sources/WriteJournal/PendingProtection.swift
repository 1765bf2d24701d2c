// A change of a tag's protection that is not proven yet: what it asks for now, and what it asked for before

import DurableFiles
import Foundation
import SystemPackage
public import TagTypes

/// A change of what a tag asks a password for, from before its first step until it is proven.
public struct PendingProtection: Codable, Hashable, Sendable {
    /// What opens the tag, as far as the steps were done.
    public enum Opener: String, Codable, Hashable, Sendable {
        case none, oldOrNone, newOrNone
    }

    /// The rules of the last protection that was proven.
    public let before: ProtectionRules
    /// The rules that the change is to set.
    public let wanted: ProtectionRules
    /// What opens the tag.
    public let opener: Opener

    /// Describes a change.
    public init(before: ProtectionRules, wanted: ProtectionRules, opener: Opener) {
        self.before = before
        self.wanted = wanted
        self.opener = opener
    }
}

/// What was pending when a change was begun.
public struct EarlierPending: Sendable {
    let entry: PendingEntry?
}

/// A pending change in a file, with the digests of its passwords.
struct PendingEntry: Codable {
    var change: PendingProtection
    /// What opened the tag before; `nil` when it asked for nothing.
    var old: String?
    /// What opens it afterwards; `nil` when it will ask for nothing.
    let new: String?

    /// The digest of the one password that the tag can ask for; `nil` when it asks for none.
    var opening: String? {
        switch change.opener {
        case .none: nil
        case .oldOrNone: old
        case .newOrNone: new
        }
    }

    mutating func move(to opener: PendingProtection.Opener) {
        change = PendingProtection(before: change.before, wanted: change.wanted, opener: opener)
    }

    /// What opens the tag is what it accepted.
    mutating func accept(_ digest: String) {
        if digest == new { return move(to: .newOrNone) }
        old = digest
        move(to: .oldOrNone)
    }
}

extension PasswordJournal {
    /// The change of a tag's protection that was begun and is not proven; `nil` when there is none.
    ///
    /// - Throws: what ``record(of:uid:)`` throws.
    public func pending(uid: [UInt8]) throws(WriteJournalError) -> PendingProtection? {
        try history(uid: uid)?.pending?.change
    }

    /// Notes a change before its first step, in place of an earlier one.
    ///
    /// - Parameters:
    ///   - change: the rules, and what opens the tag now.
    ///   - old: the password that opens the tag now; `nil` when it asks for none.
    ///   - new: the password that opens it afterwards; `nil` when it will ask for none.
    ///   - uid: the tag.
    /// - Returns: what was pending before, for ``withdraw(to:uid:)``.
    /// - Throws: what ``note(_:of:uid:)`` throws.
    @discardableResult
    public func begin(
        _ change: PendingProtection, old: [UInt8]?, new: [UInt8]?, uid: [UInt8]
    ) throws(WriteJournalError) -> EarlierPending {
        var history = try history(uid: uid) ?? History()
        let (old, new) = (old.map { history.digest(of: $0) }, new.map { history.digest(of: $0) })
        let earlier = EarlierPending(entry: history.pending)
        history.pending = PendingEntry(change: change, old: old, new: new)
        try write(history, uid: uid)
        return earlier
    }

    /// Forgets a change none of whose steps was begun.
    ///
    /// - Throws: what ``note(_:of:uid:)`` throws.
    public func withdraw(to earlier: EarlierPending, uid: [UInt8]) throws(WriteJournalError) {
        guard var history = try history(uid: uid) else { return }
        history.pending = earlier.entry
        if history.isEmpty { try forget(uid: uid) } else { try write(history, uid: uid) }
    }

    /// Notes what opens a tag whose protection is being changed: `newOrNone` before the step that asks for the new password.
    ///
    /// - Throws: what ``note(_:of:uid:)`` throws.
    public func note(opener: PendingProtection.Opener, uid: [UInt8]) throws(WriteJournalError) {
        guard var history = try history(uid: uid), var pending = history.pending, pending.change.opener != opener else {
            return
        }
        pending.move(to: opener)
        history.pending = pending
        // What the tag refused before, it was given now.
        if opener == .newOrNone { history.entries.removeAll { $0.digest == pending.new } }
        try write(history, uid: uid)
    }

    /// Notes that the protection of a tag was proven, which ends a pending change.
    ///
    /// - Parameters:
    ///   - limit: wrong passwords that close the tag, 1…7; 0 for no limit.
    ///   - uid: the tag.
    /// - Throws: what ``note(_:of:uid:)`` throws.
    public func settle(limit: Int, uid: [UInt8]) throws(WriteJournalError) {
        guard var history = try history(uid: uid) else { return }
        guard let pending = history.pending else { return try note(limit: limit, uid: uid) }
        history.pending = nil
        history.limit = limit
        if let last = history.lastAccepted, let new = pending.new, last != new {
            history.entries.removeAll { $0.outcome == .accepted }
            history.lastAccepted = new
        }
        // Of a tag that counts no wrong passwords nothing is kept.
        if history.isEmpty { try forget(uid: uid) } else { try write(history, uid: uid) }
    }

    /// Moves a damaged file aside: what it said of a tag is not known any more.
    ///
    /// - Throws: ``WriteJournalError/notWritable(path:reason:)``.
    public func setAsideDamaged(uid: [UInt8]) throws(WriteJournalError) {
        let file = file(of: uid)
        do {
            try DurableFile.setAside(file, as: "damaged")
        } catch {
            throw .notWritable(path: file.path, reason: error.description)
        }
    }
}
