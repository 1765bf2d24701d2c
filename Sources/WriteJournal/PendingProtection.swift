// A change to a tag's protection that is not verified yet: the protection before and after it

import DurableFiles
import Foundation
import SystemPackage
public import TagTypes

/// A change to a tag's password protection that is not verified yet.
///
/// The change is recorded before its first step, and the record is kept until the change is verified.
public struct PendingProtection: Codable, Hashable, Sendable {
    /// The password that opens the tag after the steps that were completed.
    public enum Opener: String, Codable, Hashable, Sendable {
        /// No password is needed.
        case none
        /// The old password, the new password, or no password if the tag does not require one.
        case oldOrNone, newOrNone
    }

    /// The protection rules before the change.
    public let before: ProtectionRules
    /// The protection rules that the change sets.
    public let wanted: ProtectionRules
    /// The password that opens the tag at present.
    public let opener: Opener

    /// Creates a change.
    public init(before: ProtectionRules, wanted: ProtectionRules, opener: Opener) {
        self.before = before
        self.wanted = wanted
        self.opener = opener
    }
}

/// The earlier pending change that a new pending change replaced.
public struct EarlierPending: Sendable {
    let entry: PendingEntry?
}

/// A pending change as stored in a file, with the digests of its passwords.
struct PendingEntry: Codable {
    var change: PendingProtection
    /// The digest of the password that opened the tag before, or nil if it required none.
    var old: String?
    /// The digest of the password that opens the tag afterwards, or nil if it will require none.
    let new: String?

    /// The digest of the only password that the tag can require, or nil if it requires none.
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

    /// Records which password the tag requires, after the tag accepted this one.
    mutating func accept(_ digest: String) {
        if digest == new { return move(to: .newOrNone) }
        old = digest
        move(to: .oldOrNone)
    }
}

extension PasswordJournal {
    /// Returns the change to a tag's protection that was started but not verified, or nil if there is none.
    ///
    /// - Throws: the errors of ``record(of:uid:)``.
    public func pending(uid: [UInt8]) throws(WriteJournalError) -> PendingProtection? {
        try history(uid: uid)?.pending?.change
    }

    /// Records a change before its first step.
    ///
    /// An earlier pending change of the tag is replaced.
    ///
    /// - Parameters:
    ///   - change: the old and new rules, and the password that opens the tag now.
    ///   - old: the password that opens the tag now, or nil if it requires none.
    ///   - new: the password that opens the tag afterwards, or nil if it will require none.
    ///   - uid: the tag's UID.
    /// - Returns: the replaced pending change, which can be passed to ``withdraw(to:uid:)``.
    /// - Throws: the errors of ``note(_:of:uid:)``.
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

    /// Removes a change whose first step was not started.
    ///
    /// The earlier pending change becomes valid again.
    ///
    /// - Throws: the errors of ``note(_:of:uid:)``.
    public func withdraw(to earlier: EarlierPending, uid: [UInt8]) throws(WriteJournalError) {
        guard var history = try history(uid: uid) else { return }
        history.pending = earlier.entry
        if history.isEmpty { try forget(uid: uid) } else { try write(history, uid: uid) }
    }

    /// Records which password opens a tag during a change.
    ///
    /// Record `newOrNone` before the step that makes the tag require the new password.
    ///
    /// - Throws: the errors of ``note(_:of:uid:)``.
    public func note(opener: PendingProtection.Opener, uid: [UInt8]) throws(WriteJournalError) {
        guard var history = try history(uid: uid), var pending = history.pending, pending.change.opener != opener else {
            return
        }
        pending.move(to: opener)
        history.pending = pending
        // The tag may have refused the new password earlier, but from now on, it is the right one.
        if opener == .newOrNone { history.entries.removeAll { $0.digest == pending.new } }
        try write(history, uid: uid)
    }

    /// Records that a tag's protection was verified, and ends a pending change.
    ///
    /// - Parameters:
    ///   - limit: the number of wrong passwords after which the tag locks, 1 to 1023, or 0 for no limit.
    ///   - uid: the tag's UID.
    /// - Throws: the errors of ``note(_:of:uid:)``.
    public func settle(limit: Int, uid: [UInt8]) throws(WriteJournalError) {
        guard var history = try history(uid: uid) else { return }
        guard let pending = history.pending else { return try note(limit: limit, uid: uid) }
        history.pending = nil
        history.limit = limit
        if let last = history.lastAccepted, let new = pending.new, last != new {
            history.entries.removeAll { $0.outcome == .accepted }
            history.lastAccepted = new
        }
        // Nothing is stored for a tag that does not count wrong passwords.
        if history.isEmpty { try forget(uid: uid) } else { try write(history, uid: uid) }
    }

    /// Moves a damaged file aside.
    ///
    /// Nothing is known about the tag after that.
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
