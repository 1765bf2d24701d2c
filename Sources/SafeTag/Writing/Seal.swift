// Protecting a tag with a password, and then locking it, after its message is verified

public import NDEF
import ReaderSession
public import TagTypes

/// The lock and password that a tag gets after its message is written.
public struct Seal: Sendable {
    /// The password or key that the tag will require, or nil for none.
    public var credential: Type2Credential?
    /// Whether the tag is made read-only.
    public var isLocking: Bool

    /// Creates a seal.
    ///
    /// By default the tag is neither locked nor protected.
    public init(_ credential: Type2Credential? = nil, isLocking: Bool = false) {
        (self.credential, self.isLocking) = (credential, isLocking)
    }

    /// A step that was completed and verified.
    public enum Step: Sendable {
        /// The password or key was set.
        case protected
        /// The tag is read-only.
        ///
        /// The permanence says what is known about undoing the lock. It is nil for a tag that was already read-only.
        case locked(LockStep.Permanence?, wasLocked: Bool)
    }
}

extension TagChange {
    /// Checks before the message is written that the chip can be locked or protected as requested.
    ///
    /// If only a write can show whether a Type 4 Tag can be locked, a byte is written with the value that it already
    /// has.
    ///
    /// - Throws: `TagError` for a chip that has no password or no known lock, or a tag that refuses to be locked.
    public func require(_ seal: Seal) async throws {
        try await session.withoutChange {
            if seal.credential != nil { _ = try await protection() }
            if seal.isLocking { try await tag.perform { try $0.requireLock() } }
        }
    }

    /// Checks what ``require(_:)`` checks, as far as this is possible without writing anything.
    ///
    /// - Returns: what is known in advance about the requested lock, or nil if none is requested.
    /// - Throws: what ``require(_:)`` throws.
    public func forecast(_ seal: Seal) async throws -> LockForecast? {
        try await session.withoutChange {
            if seal.credential != nil { _ = try await protection() }
            guard seal.isLocking else { return nil }
            return try await tag.perform { try $0.lockForecast() }
        }
    }

    /// Protects and locks the tag, and verifies each step.
    ///
    /// The password is set first: if the chip refuses it, nothing permanent has been done.
    ///
    /// - Parameters:
    ///   - seal: the password and lock to set.
    ///   - review: called with the message that would become permanent, before the question about the lock. It throws
    ///     to decline the lock.
    ///   - done: called after each step with the tag's new state.
    /// - Throws: the errors of ``protect(_:with:openedBy:)`` and ``lock(reviewing:)``. Earlier steps are not undone.
    public func seal(
        _ seal: Seal, reviewing review: (NDEFMessage) throws -> Void = { _ in },
        done: (Seal.Step, TagReading) throws -> Void
    ) async throws {
        var change = self
        if let credential = seal.credential {
            change = try await change.afterPowerUp()
            let old = change.tag.unlocking.credential ?? credential
            try done(.protected, try await change.protect(ProtectionWish(), with: credential, openedBy: old))
            // The lock can only be set after the tag is opened with the new password.
            change.tag.unlocking.credential = credential
        }
        guard seal.isLocking else { return }
        change = try await change.afterPowerUp()
        let (reading, permanence, wasLocked) = try await change.lock(reviewing: review)
        try done(.locked(permanence, wasLocked: wasLocked), reading)
    }
}
