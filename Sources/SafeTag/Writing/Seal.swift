// What closes a tag once its message is proven: a password, then a lock

public import NDEF
import ReaderSession
public import TagTypes

/// How a tag is locked or protected after its message is written.
public struct Seal: Sendable {
    /// The password or key that the tag is to ask for; nil for none.
    public var credential: Type2Credential?
    /// Whether the tag is made read-only.
    public var isLocking: Bool

    /// Describes a seal; by default nothing is closed.
    public init(_ credential: Type2Credential? = nil, isLocking: Bool = false) {
        (self.credential, self.isLocking) = (credential, isLocking)
    }

    /// A step that was done and proven.
    public enum Step: Sendable {
        case protected
        /// Made read-only, with what is known about taking that back; nil for a tag that was read-only already.
        case locked(LockStep.Permanence?, wasLocked: Bool)
    }
}

extension TagChange {
    /// Makes sure, before the message is written, that the chip can be closed like that.
    ///
    /// - Throws: `TagError` for a chip without a password, or without a lock that is known.
    public func require(_ seal: Seal) async throws {
        try await session.withoutChange {
            if seal.credential != nil { _ = try await protection() }
            if seal.isLocking { try await tag.perform { try $0.requireLock() } }
        }
    }

    /// Closes the tag, and proves each step; a tag that is locked takes no password any more, so that comes first.
    ///
    /// - Parameters:
    ///   - seal: what to do.
    ///   - review: called with the message that would stay forever, before a lock is asked about; throws to say no.
    ///   - done: called after each step with the tag as it is then.
    /// - Throws: as ``protect(_:with:openedBy:)`` and ``lock(reviewing:)``; what was done before stays.
    public func seal(
        _ seal: Seal, reviewing review: (NDEFMessage) throws -> Void = { _ in },
        done: (Seal.Step, TagReading) throws -> Void
    ) async throws {
        var change = self
        if let credential = seal.credential {
            change = try await change.afterPowerUp()
            let old = change.tag.unlocking.credential ?? credential
            try done(.protected, try await change.protect(ProtectionWish(), with: credential, openedBy: old))
            // The lock is set by whom the tag opens for.
            change.tag.unlocking.credential = credential
        }
        guard seal.isLocking else { return }
        change = try await change.afterPowerUp()
        let (reading, permanence, wasLocked) = try await change.lock(reviewing: review)
        try done(.locked(permanence, wasLocked: wasLocked), reading)
    }
}
