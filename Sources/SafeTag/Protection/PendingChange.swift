// A change of protection, stored on disk until it is verified: what opens the tag, and how it was protected before

import ReaderInterface
import ReaderSession
import Synchronization
public import TagTypes
public import WriteJournal

/// The known facts about a tag's protection before a command changes it.
public struct KnownProtection: Sendable {
    /// The current protection of the tag, or the intended one if an earlier change was interrupted.
    public let kept: ProtectionRules
    /// The protection that must not be reduced without asking.
    public let present: [ProtectionRules]
    /// Whether a change was interrupted, or may have been.
    public let isUnfinished: Bool
    /// The reason why it is not known whether a change was interrupted, or nil if this is known.
    public let unreadable: WriteJournalError?

    /// Returns the ways in which `wanted` protects less than ``present``, as sentences.
    public func losses(of wanted: ProtectionRules) -> [String] {
        var losses: [String] = []
        for loss in present.flatMap({ wanted.losses(against: $0) }) where !losses.contains(loss) { losses.append(loss) }
        return losses
    }
}

extension PasswordGate {
    /// Returns the unverified change to a tag's protection that an earlier command started, or nil if there is none.
    func pending(on uid: [UInt8]) throws(WriteJournalError) -> PendingProtection? { try journal.pending(uid: uid) }

    /// Returns the known facts about a tag's protection, including those from the journal.
    package func known(_ found: Protection, on uid: [UInt8]) -> KnownProtection {
        // A tag that requires no password protects nothing, whatever values remain in its configuration.
        let present = found.isActive ? found.rules : .none
        do throws(WriteJournalError) {
            guard let pending = try pending(on: uid) else {
                return KnownProtection(kept: present, present: [present], isUnfinished: false, unreadable: nil)
            }
            let (before, wanted) = (pending.before, pending.wanted)
            return KnownProtection(
                kept: wanted.first == nil ? before : wanted, present: [present, before, wanted], isUnfinished: true,
                unreadable: nil)
        } catch {
            return KnownProtection(kept: present, present: [present], isUnfinished: true, unreadable: error)
        }
    }

    /// Whether this computer set the password on the tag, and the tag is not known to require another password.
    func opens(_ credential: Type2Credential, _ uid: [UInt8]) -> Bool {
        guard let record = try? journal.record(of: credential.bytes, uid: uid) else { return false }
        return record.isLastAccepted && record.outcome != .refused
    }

    /// Returns the password that opens a tag: `set` if the tag may require it, or nil to use the user's password.
    package func opener(_ uid: [UInt8], _ set: Type2Credential?, mayBeSet: Bool) -> Type2Credential? {
        guard let set else { return nil }
        if opens(set, uid) { return set }
        guard mayBeSet else { return nil }
        let record = try? journal.record(of: set.bytes, uid: uid)
        // If the change is pending, the step that makes the tag require this password was not started.
        return record?.isPending == true ? nil : set
    }

    /// Records a change to a tag's protection before its first step.
    ///
    /// - Returns: the earlier pending change, for ``didNotChange(_:_:)``.
    /// - Throws: ``WriteJournalError``. In that case, the change must not start.
    @discardableResult
    package func willChange(
        _ uid: [UInt8], _ found: Protection, to wanted: ProtectionRules, old: Type2Credential?, new: Type2Credential?
    ) throws(WriteJournalError) -> EarlierPending {
        var earlier: PendingProtection?
        do throws(WriteJournalError) {
            earlier = try pending(on: uid)
        } catch .damaged {
            // The user agreed to the change although this entry cannot be read.
            try journal.setAsideDamaged(uid: uid)
        }
        let before = earlier?.before ?? (found.isActive ? found.rules : .none)
        let change = PendingProtection(
            before: before, wanted: wanted, opener: found.isActive ? .oldOrNone : .none)
        return try journal.begin(change, old: found.isActive ? old?.bytes : nil, new: new?.bytes, uid: uid)
    }

    /// Records that a change ended before its first step.
    func didNotChange(_ earlier: EarlierPending, _ uid: [UInt8]) { try? journal.withdraw(to: earlier, uid: uid) }

    /// Records that the next step makes a tag require a password, and that it requires none until then.
    ///
    /// - Throws: ``WriteJournalError``. In that case, the step must not start.
    func willAsk(for credential: Type2Credential, _ uid: [UInt8]) throws(WriteJournalError) {
        try journal.note(opener: .newOrNone, uid: uid)
        noteSet(credential, on: uid)
    }

    /// Records which password opens a tag that left during a change.
    ///
    /// If this fails, the journal still has the password that opened the tag one step earlier.
    func didCut(_ opener: ProtectionCut.Opener, _ uid: [UInt8]) {
        let known: PendingProtection.Opener =
            switch opener {
            case .none: .none
            case .oldOrNone: .oldOrNone
            case .new, .newOrNone: .newOrNone
            }
        try? journal.note(opener: known, uid: uid)
    }

    /// Records the protection that was verified on a tag.
    ///
    /// If this fails, a later command may ask an unnecessary question.
    func didProve(_ rules: ProtectionRules, on uid: [UInt8]) {
        if rules.first == nil {
            try? journal.forget(uid: uid)
        } else {
            try? journal.settle(limit: rules.limit, uid: uid)
        }
    }
}

/// Records that a tag is about to require a new password.
///
/// The record is made on the reader's queue.
final class PendingNote: Sendable {
    private let gate: PasswordGate
    private let new: Type2Credential?
    private let uid: [UInt8]
    private let error = Mutex<WriteJournalError?>(nil)

    init(_ gate: PasswordGate, _ new: Type2Credential?, _ uid: [UInt8]) {
        self.gate = gate
        self.new = new
        self.uid = uid
    }

    /// The reason why the record could not be made, and the step was therefore not started.
    ///
    /// Nil if the record was made.
    var failure: WriteJournalError? { error.withLock { $0 } }

    /// Makes the record.
    ///
    /// - Throws: ``TagError/reader(_:)`` to stop the change. The reason is ``failure``.
    func willAsk() throws(TagError) {
        guard let new else { return }
        do throws(WriteJournalError) {
            try gate.willAsk(for: new, uid)
        } catch let reason {
            error.withLock { $0 = reason }
            throw .reader(.aborted)
        }
    }
}

extension TagSession {
    /// Returns what opens a tag: a password that this computer is known to have set on the tag, or that of the session.
    func unlocking(for tag: DetectedTag, orWith new: Type2Credential?) -> Unlocking {
        var unlocking = unlocking
        if let new, gate.opens(new, tag.target.identifier) { unlocking.credential = new }
        return unlocking
    }
}
