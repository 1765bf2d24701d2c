// A change of protection that goes on when the tag is back — write order of TagTypes: off first, on last

import ReaderInterface
import ReaderSession
import TagTypes

/// A change of what a tag asks a password for.
struct ProtectionChange: Sendable {
    let wanted: ProtectionRules
    /// What opens the tag before the change.
    let old: Type2Credential
    /// What opens it afterwards; nil when it asks for nothing.
    let new: Type2Credential?
    /// The steps, each of which may be done again; the second value is called before the step that asks for the new one.
    let carryOut: @Sendable (Type2Tag, () throws(TagError) -> Void) throws -> Void
}

extension TagChange {
    /// Changes the tag's protection from the one that was `found`, and verifies it after a power-up.
    ///
    /// When the tag leaves, what it asks for once it is back tells what is left to do. No password is tried that may be
    /// the wrong one: where wrong tries count, one more could close the tag permanently.
    /// - Throws: ``ProtectionCut`` once the change was begun; ``WriteInterrupted`` with it as the cause when the tag
    ///   did not come back, the reader is gone, or the user ended the command.
    func carryOut(_ change: ProtectionChange, from found: Protection) async throws -> TagReading {
        var opener: ProtectionCut.Opener?
        var isCarriedOut = false
        let uid = tag.target.identifier
        // What opens it now and what it is to protect is on the disk before the first step.
        let earlier = try await session.withoutChange {
            try session.gate.willChange(
                uid, found, to: change.wanted, old: change.old, new: change.new)
        }
        do {
            return try await persistently { tagChange in
                var tagChange = tagChange
                if let opener { tagChange.tag.unlocking.credential = opener.isNew ? change.new : change.old }
                do {
                    if !isCarriedOut {
                        let before = opener == nil ? found : try await tagChange.protection()
                        // Cut off in its last step, which took effect all the same.
                        let isThere = opener == .newOrNone && before.rules == change.wanted
                        if !isThere { try await tagChange.perform(change, from: before) }
                        isCarriedOut = true
                    }
                    return try await tagChange.proven(change.wanted, opening: change.new)
                } catch let cut as ProtectionCut {
                    // What was old to this attempt is the new password, if an earlier one came that far.
                    let isNew = cut.opener == .oldOrNone && opener?.isNew ?? false
                    let known = ProtectionCut(cut.cause, opener: isNew ? .newOrNone : cut.opener)
                    opener = known.opener
                    session.gate.didCut(known.opener, uid)
                    throw known
                } catch {
                    guard let opener, let cause = error as? any ClassifiedError else { throw error }
                    throw ProtectionCut(cause, opener: opener)
                }
            }
        } catch  where opener == nil && !isCarriedOut {
            // No step was begun.
            if !session.isInterrupted { session.gate.didNotChange(earlier, uid) }
            return try await session.withoutChange { throw error }
        }
    }

    private func perform(_ change: ProtectionChange, from before: Protection) async throws {
        let note = PendingNote(session.gate, change.new, tag.target.identifier)
        do {
            try await tag.perform { tag in
                try change.carryOut(Type2Tag.withPassword(tag)) { () throws(TagError) in try note.willAsk() }
            }
        } catch {
            if let unnoted = note.failure { throw ProtectionCut(unnoted, opener: .none) }
            throw ProtectionCut.error(error, wasProtected: before.isActive, isProtecting: change.new != nil)
        }
    }
}
