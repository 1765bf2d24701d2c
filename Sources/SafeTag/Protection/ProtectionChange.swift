// A change of protection that continues when the tag is back. TagTypes turns protection off first and on last

import ReaderInterface
import ReaderSession
import TagTypes

/// A change to a tag's password protection.
struct ProtectionChange: Sendable {
    let wanted: ProtectionRules
    /// The password or key that opens the tag before the change.
    let old: Type2Credential
    /// The password or key that opens the tag after the change, or nil if the tag requires none by then.
    let new: Type2Credential?
    /// The steps, each of which can be repeated.
    ///
    /// The second argument is called before the step that makes the tag require `new`.
    let carryOut: @Sendable (Type2Tag, () throws(TagError) -> Void) throws -> Void
}

extension TagChange {
    /// Changes the tag's protection from `found`, and verifies it after a power-up.
    ///
    /// If the tag leaves, its protection after it has returned shows which steps are left. A password that may be wrong
    /// is never tried, because one more attempt could block a tag that counts them.
    /// - Throws: ``ProtectionCut`` once the change has been started; ``WriteInterrupted`` with this error as its cause
    ///   if the tag did not come back, the reader is gone, or the user ended the command.
    func carryOut(_ change: ProtectionChange, from found: Protection) async throws -> TagReading {
        var opener: ProtectionCut.Opener?
        var isCarriedOut = false
        let uid = tag.target.identifier
        // Before the first step, store on disk what opens the tag now and which protection is intended.
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
                        // The protection is already there if the change was interrupted in its last step, which still
                        // took effect.
                        let isThere = opener == .newOrNone && before.rules == change.wanted
                        if !isThere { try await tagChange.perform(change, from: before) }
                        isCarriedOut = true
                    }
                    return try await tagChange.proven(change.wanted, opening: change.new)
                } catch let cut as ProtectionCut {
                    // If an earlier attempt may have set the new password, this attempt opened the tag with that
                    // password. What the error calls the old password is therefore the new one.
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
            // No step was started, so withdraw the record.
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
