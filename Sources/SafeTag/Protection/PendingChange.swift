// A change of protection that is on the disk until it is proven: what opens the tag meanwhile, and what "as before" means

import ReaderInterface
import ReaderSession
import Synchronization
public import TagTypes
public import WriteJournal

/// What is known of a tag's protection before a command changes it.
public struct KnownProtection: Sendable {
    /// What the tag protects, or was to protect when an earlier change was interrupted.
    public let kept: ProtectionRules
    /// What must not be lost without a question.
    public let present: [ProtectionRules]
    /// Whether a change was interrupted, or may have been.
    public let isUnfinished: Bool
    /// Why it is not known whether a change was interrupted.
    public let unreadable: WriteJournalError?

    /// What these rules protect less, sentences.
    public func losses(of wanted: ProtectionRules) -> [String] {
        var losses: [String] = []
        for loss in present.flatMap({ wanted.losses(against: $0) }) where !losses.contains(loss) { losses.append(loss) }
        return losses
    }
}

extension PasswordGate {
    /// The change of a tag's protection that an earlier command began and did not prove.
    func pending(on uid: [UInt8]) throws(WriteJournalError) -> PendingProtection? { try journal.pending(uid: uid) }

    /// What is known of a tag's protection, besides what was found.
    package func known(_ found: Protection, on uid: [UInt8]) -> KnownProtection {
        // A tag that asks for no password protects nothing, whatever is left over in its configuration.
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

    /// Whether this computer set a password, and the tag can ask for no other one, as far as is known.
    func opens(_ credential: Type2Credential, _ uid: [UInt8]) -> Bool {
        guard let record = try? journal.record(of: credential.bytes, uid: uid) else { return false }
        return record.isLastAccepted && record.outcome != .refused
    }

    /// Which password opens a tag that may have been given this one: nil for the one that the user gave.
    package func opener(_ uid: [UInt8], _ set: Type2Credential?, mayBeSet: Bool) -> Type2Credential? {
        guard let set else { return nil }
        if opens(set, uid) { return set }
        guard mayBeSet else { return nil }
        let record = try? journal.record(of: set.bytes, uid: uid)
        // The step that asks for it was not begun.
        return record?.isPending == true ? nil : set
    }

    /// Notes a change of a tag's protection before its first step.
    ///
    /// - Returns: what was pending before, for ``didNotChange(_:_:)``.
    /// - Throws: ``WriteJournalError``, after which the change must not begin.
    @discardableResult
    package func willChange(
        _ uid: [UInt8], _ found: Protection, to wanted: ProtectionRules, old: Type2Credential?, new: Type2Credential?
    ) throws(WriteJournalError) -> EarlierPending {
        var earlier: PendingProtection?
        do throws(WriteJournalError) {
            earlier = try pending(on: uid)
        } catch .damaged {
            // The user agreed to a change without knowing what it said.
            try journal.setAsideDamaged(uid: uid)
        }
        let before = earlier?.before ?? (found.isActive ? found.rules : .none)
        let change = PendingProtection(
            before: before, wanted: wanted, opener: found.isActive ? .oldOrNone : .none)
        return try journal.begin(change, old: found.isActive ? old?.bytes : nil, new: new?.bytes, uid: uid)
    }

    /// Notes that no step of a change was begun.
    func didNotChange(_ earlier: EarlierPending, _ uid: [UInt8]) { try? journal.withdraw(to: earlier, uid: uid) }

    /// Notes that the next step makes a tag ask for a password, and that it asks for none until then.
    ///
    /// - Throws: ``WriteJournalError``, after which the step must not begin.
    func willAsk(for credential: Type2Credential, _ uid: [UInt8]) throws(WriteJournalError) {
        try journal.note(opener: .newOrNone, uid: uid)
        noteSet(credential, on: uid)
    }

    /// Notes what opens a tag that left during a change.
    ///
    /// Should this fail, the journal says what opened it one step before.
    func didCut(_ opener: ProtectionCut.Opener, _ uid: [UInt8]) {
        let known: PendingProtection.Opener =
            switch opener {
            case .none: .none
            case .oldOrNone: .oldOrNone
            case .new, .newOrNone: .newOrNone
            }
        try? journal.note(opener: known, uid: uid)
    }

    /// Notes the protection that was proven on a tag.
    ///
    /// Should this fail, a later command asks once too often.
    func didProve(_ rules: ProtectionRules, on uid: [UInt8]) {
        if rules.first == nil {
            try? journal.forget(uid: uid)
        } else {
            try? journal.settle(limit: rules.limit, uid: uid)
        }
    }
}

/// The note before the step that makes a tag ask for a new password, made on the reader's queue.
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

    /// Why the note could not be made: the step was not begun.
    var failure: WriteJournalError? { error.withLock { $0 } }

    /// Makes the note.
    ///
    /// - Throws: ``TagError/reader(_:)`` to stop the change; the reason is ``failure``.
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
    /// What opens a tag: a password that this computer is known to have set on it, or that of the session.
    func unlocking(for tag: DetectedTag, orWith new: Type2Credential?) -> Unlocking {
        var unlocking = unlocking
        if let new, gate.opens(new, tag.target.identifier) { unlocking.credential = new }
        return unlocking
    }
}
