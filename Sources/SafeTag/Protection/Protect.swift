// Makes a tag require a password. Settings that are not given stay as they are

import ReaderInterface
import ReaderSession
public import TagTypes

/// The requested password protection of a tag.
///
/// Nil leaves a setting unchanged.
public struct ProtectionWish: Sendable {
    /// The first protected block, 0…255.
    ///
    /// On a tag without protection, nil means the first block after the capability container.
    public var first: Int?
    /// Whether reading also needs the password.
    public var isReadingProtected: Bool?
    /// The limit on consecutive wrong passwords: 1…7, or 1…1023 on an Ultralight AES, or 0 for no limit.
    public var limit: Int?

    /// Creates a request.
    public init(first: Int? = nil, isReadingProtected: Bool? = nil, limit: Int? = nil) {
        self.first = first
        self.isReadingProtected = isReadingProtected
        self.limit = limit
    }

    /// Returns the rules that result from applying the request to a tag's current rules.
    func rules(replacing found: ProtectionRules) -> ProtectionRules {
        // A tag that requires no password protects nothing, whatever values remain in its configuration.
        let kept = found.first == nil ? .none : found
        return ProtectionRules(
            first: first ?? kept.first ?? TagChange.firstProtectedBlock,
            isReadingProtected: isReadingProtected ?? kept.isReadingProtected, limit: limit ?? kept.limit)
    }
}

/// A change of protection as planned, before its first step.
public struct ProtectionDraft: Sendable {
    /// The tag's UID.
    public let uid: [UInt8]
    /// The new protection of the tag.
    public let wanted: ProtectionRules
    /// The known facts about the tag's protection before the change.
    public let known: KnownProtection
    /// Whether the request sets a limit on wrong passwords.
    public let isLimitChosen: Bool

    var isQuestionable: Bool { known.unreadable != nil || isLimitChosen || !known.losses(of: wanted).isEmpty }
}

extension TagChange {
    /// The first block after the capability container.
    ///
    /// The UID and the container stay unprotected, as phones expect.
    package static let firstProtectedBlock = 4

    /// Makes the tag require a password, and verifies this after a power-up.
    ///
    /// - Parameters:
    ///   - wish: the requested protection.
    ///   - new: the new password or key.
    ///   - old: the password or key that opens the tag before the change, if it is not open already.
    /// - Returns: the content of the tag, read after the power-up, with its protection.
    /// - Throws: ``ProtectionCut``, which shows which password opens the tag, once the change has been started;
    ///   ``WriteInterrupted`` with this error as its cause if the tag did not come back, the reader is gone, or the
    ///   user ended the command.
    public func protect(
        _ wish: ProtectionWish, with new: Type2Credential, openedBy old: Type2Credential
    ) async throws -> TagReading {
        let (before, wanted) = try await session.withoutChange {
            let before = try await protection()
            let known = session.gate.known(before, on: tag.target.identifier)
            let wanted = wish.rules(replacing: known.kept)
            // Do not ask about something that the chip cannot do anyway.
            try await tag.perform { tag in
                try Type2Tag.withPassword(tag).requireProtection(
                    from: wanted.first ?? Self.firstProtectedBlock, with: new, limit: wanted.limit)
            }
            let draft = ProtectionDraft(
                uid: tag.target.identifier, wanted: wanted, known: known,
                isLimitChosen: wanted.limit > 0 && wish.limit != nil)
            if draft.isQuestionable {
                try await ask(.protect(draft)) { try await protection() == before }
            }
            return (before, wanted)
        }
        let opening = tag.unlocking.credential ?? old
        return try await carryOut(
            ProtectionChange(wanted: wanted, old: opening, new: new) { tag, willAsk in
                try tag.protect(
                    wanted.isReadingProtected ? .readingAndWriting : .writing,
                    from: wanted.first ?? Self.firstProtectedBlock, with: new, limit: wanted.limit, willAsk: willAsk)
            }, from: before)
    }

    /// Removes the tag's password, and verifies this after a power-up.
    ///
    /// - Returns: the tag's content afterwards, and whether it required, or may have required, a password before.
    /// - Throws: ``ProtectionCut``, which shows which password opens the tag, once the change has been started.
    public func unprotect(
        openedBy credential: Type2Credential
    ) async throws -> (reading: TagReading, wasProtected: Bool) {
        let (before, isUnfinished) = try await session.withoutChange {
            let before = try await protection()
            // An interrupted change can leave a limit and a password even on a tag that requires none.
            let known = session.gate.known(before, on: tag.target.identifier)
            if let unreadable = known.unreadable, !before.isActive {
                try await ask(.unprotect(uid: tag.target.identifier, unreadable)) {
                    try await protection() == before
                }
            }
            return (before, known.isUnfinished)
        }
        guard before.isActive || isUnfinished else { return (try await session.currentReading(of: tag), false) }
        let opening = ProtectionChange(wanted: .none, old: credential, new: nil) { tag, _ in
            try tag.unprotect(credential)
        }
        return (try await carryOut(opening, from: before), true)
    }

    /// Protects the tag with a password, at least against writing, and verifies this after a power-up.
    ///
    /// Protection begins at the first block after the capability container. Blocks that are already protected stay
    /// protected.
    ///
    /// This function is for unattended work: it asks no question, and does not wait for a tag that leaves.
    package func protectAtLeast(with credential: Type2Credential) async throws -> TagReading {
        let (gate, uid) = (session.gate, tag.target.identifier)
        let protection = try await protection()
        let known = gate.known(protection, on: uid)
        if let unreadable = known.unreadable { throw unreadable }
        // After an interruption, this includes the intended protection and everything protected before.
        let wanted = known.kept.atLeast(first: Self.firstProtectedBlock)
        let openedBy = try await tag.perform { try Type2Tag.withPassword($0).openedBy }
        // A tag that was opened with another password may already have the rules, but not this password.
        if protection.rules != wanted || openedBy.map({ $0 != credential }) ?? false {
            let earlier = try gate.willChange(uid, protection, to: wanted, old: openedBy, new: credential)
            write.begun.note(uid)
            let note = PendingNote(gate, credential, uid)
            do {
                try await tag.perform { tag in
                    try Type2Tag.withPassword(tag)
                        .protect(
                            wanted.isReadingProtected ? .readingAndWriting : .writing,
                            from: wanted.first ?? Self.firstProtectedBlock, with: credential, limit: wanted.limit
                        ) { () throws(TagError) in try note.willAsk() }
                }
            } catch {
                if !session.isInterrupted, !ProtectionCut.isStarted(error) { gate.didNotChange(earlier, uid) }
                throw note.failure ?? error
            }
        }
        // Check that the tag requires this password, even if it was protected before the last interruption.
        return try await proven(wanted, opening: credential)
    }
}
