// Making a tag ask for a password, and no more — what is left open stays as it is

import ReaderInterface
import ReaderSession
public import TagTypes

/// What a tag is to ask a password for; nil leaves it as it is.
public struct ProtectionWish: Sendable {
    /// The first protected block, 0…255; on a tag that asks for none, nil is the first block after the capability container.
    public var first: Int?
    /// Whether reading needs the password, too.
    public var isReadingProtected: Bool?
    /// Wrong passwords in a row that close the tag, 1…7; 0 for no limit.
    public var limit: Int?

    /// Describes a wish.
    public init(first: Int? = nil, isReadingProtected: Bool? = nil, limit: Int? = nil) {
        self.first = first
        self.isReadingProtected = isReadingProtected
        self.limit = limit
    }

    /// What the wish makes of the rules that a tag has.
    func rules(replacing found: ProtectionRules) -> ProtectionRules {
        // A tag that asks for no password protects nothing, whatever is left over in its configuration.
        let kept = found.first == nil ? .none : found
        return ProtectionRules(
            first: first ?? kept.first ?? TagChange.firstProtectedBlock,
            isReadingProtected: isReadingProtected ?? kept.isReadingProtected, limit: limit ?? kept.limit)
    }
}

/// A change of protection before its first step.
public struct ProtectionDraft: Sendable {
    /// The tag.
    public let uid: [UInt8]
    /// What the tag will ask for.
    public let wanted: ProtectionRules
    /// What is known of its protection before.
    public let known: KnownProtection
    /// Whether the wish names a limit of wrong passwords.
    public let isLimitChosen: Bool

    /// Whether there is anything that must be agreed to.
    var isQuestionable: Bool { known.unreadable != nil || isLimitChosen || !known.losses(of: wanted).isEmpty }
}

extension TagChange {
    /// The first block after the capability container: UID and container stay open, as phones expect.
    package static let firstProtectedBlock = 4

    /// Makes the tag ask for a password, and verifies it after a power-up.
    ///
    /// - Parameters:
    ///   - wish: what for.
    ///   - new: the password or key.
    ///   - old: what opens the tag before, should the tag have been opened by nothing.
    /// - Returns: what the tag holds, read after the power-up, with its protection.
    /// - Throws: ``ProtectionCut``, which knows what opens the tag, once the change was begun; ``WriteInterrupted``
    ///   with it as the cause when the tag did not come back, the reader is gone, or the user ended the command.
    public func protect(
        _ wish: ProtectionWish, with new: Type2Credential, openedBy old: Type2Credential
    ) async throws -> TagReading {
        let (before, wanted) = try await session.withoutChange {
            let before = try await protection()
            let known = session.gate.known(before, on: tag.target.identifier)
            let wanted = wish.rules(replacing: known.kept)
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

    /// Removes the tag's password and verifies that after a power-up.
    ///
    /// - Returns: the tag as it is afterwards; whether it asked for a password before, or might have.
    /// - Throws: ``ProtectionCut``, which knows what opens the tag, once the change was begun.
    public func unprotect(
        openedBy credential: Type2Credential
    ) async throws -> (reading: TagReading, wasProtected: Bool) {
        let (before, isUnfinished) = try await session.withoutChange {
            let before = try await protection()
            // A change that was interrupted leaves a limit and a password, also where the tag asks for nothing.
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

    /// Protects the tag with a password at least against writing, and verifies that after a power-up.
    ///
    /// Protection begins at the first block after the capability container. What is already protected stays protected.
    ///
    /// For work without a person: no question is asked, and a tag that leaves is not waited for.
    package func protectAtLeast(with credential: Type2Credential) async throws -> TagReading {
        let (gate, uid) = (session.gate, tag.target.identifier)
        let protection = try await protection()
        let known = gate.known(protection, on: uid)
        if let unreadable = known.unreadable { throw unreadable }
        // After an interruption that is what the tag was to protect, and all it protected before.
        let wanted = known.kept.atLeast(first: Self.firstProtectedBlock)
        let openedBy = try await tag.perform { try Type2Tag.withPassword($0).openedBy }
        // A tag that opened to another password has the rules already, and not yet this password.
        if protection.rules != wanted || openedBy.map({ $0 != credential }) ?? false {
            try gate.willChange(uid, protection, to: wanted, old: openedBy, new: credential)
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
                throw note.failure ?? error
            }
        }
        // Asks the tag for the password, also one that was protected before the last interruption.
        return try await proven(wanted, opening: credential)
    }
}
