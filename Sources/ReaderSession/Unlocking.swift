// What opens a protected tag, and what the tags of a session made of it — NXP NTAG21x and MF0ULx1 (PWD_AUTH, AUTHLIM), MF0ICU2

import ReaderInterface
import Synchronization
public import TagTypes

/// What opens a tag that asks for a password, and what it is opened for.
///
/// A tag that asks for no password never sees it.
public struct Unlocking: Sendable {
    /// The password or key; nil opens nothing.
    public var credential: Type2Credential?
    /// What the tag is opened for: where reading is open, `Type2Purpose.reading` sends no password.
    public var purpose: Type2Purpose
    /// Decides about passwords that may close a tag; nil sends none of those.
    public var passwordGuard: (any PasswordGuard)?
    /// Keys to try on a MIFARE Classic besides those for NDEF; nil for none.
    public var keys: ClassicKeyRing?

    /// Describes what opens a tag.
    public init(
        _ credential: Type2Credential?, for purpose: Type2Purpose = .writing,
        askedBy passwordGuard: (any PasswordGuard)? = nil, keys: ClassicKeyRing? = nil
    ) {
        self.keys = keys
        self.credential = credential
        self.purpose = purpose
        self.passwordGuard = passwordGuard
    }

    /// Opens nothing.
    public static let none = Unlocking(nil)

    /// The same for another purpose.
    public func `for`(_ purpose: Type2Purpose) -> Unlocking {
        var unlocking = self
        unlocking.purpose = purpose
        return unlocking
    }

    /// Whether a tag that was opened by this is open enough for the other: a credential counts from the next activation on.
    func includes(_ other: Unlocking) -> Bool { purpose == other.purpose || purpose == .writing }
}

/// A password or key that is sent to a tag.
public struct PasswordAttempt: Hashable, Sendable {
    /// The tag's identifier.
    public let uid: [UInt8]
    /// What is sent.
    public let credential: Type2Credential

    /// Describes an attempt.
    public init(uid: [UInt8], credential: Type2Credential) {
        self.uid = uid
        self.credential = credential
    }
}

/// Decides whether a password is sent to a tag that may count wrong ones, and remembers what became of it.
public protocol PasswordGuard: Sendable {
    /// Called on the reader's queue before a password is sent that may close the tag.
    ///
    /// - Returns: how many passwords the tag is known to have refused since it last accepted one.
    /// - Throws: why it is not sent.
    func willSend(_ attempt: PasswordAttempt, limit: Type2AttemptLimit) throws -> Int

    /// Called with the tag's answer, if there was one.
    func didSend(_ attempt: PasswordAttempt, isAccepted: Bool)

    /// Called when an attempt failed, or is not made because it failed before.
    ///
    /// - Returns: the error to throw: the same, or one that says more.
    func explained(_ error: TagError, of attempt: PasswordAttempt) -> any Error
}

/// What the tags of a session made of the passwords they were sent.
package final class PasswordMemory: Sendable {
    private struct Memory {
        /// What is refused or not answered once is not sent again, since wrong passwords may close a tag permanently.
        var failures: [PasswordAttempt: TagError] = [:]
        /// What a tag accepted may be sent to it again.
        var proven: Set<PasswordAttempt> = []
    }

    private let memory = Mutex(Memory())

    /// Opens a tag that was activated just now, if the purpose takes a password; on the reader's queue.
    func open(_ tag: Type2Tag, _ unlocking: Unlocking) throws {
        guard let credential = unlocking.credential,
            let limit = try tag.attemptLimit(for: unlocking.purpose, with: credential)
        else { return }
        let attempt = PasswordAttempt(uid: tag.channel.target.identifier, credential: credential)
        let (failure, isProven) = memory.withLock { ($0.failures[attempt], $0.proven.contains(attempt)) }
        let passwordGuard = unlocking.passwordGuard
        if let failure { throw passwordGuard?.explained(failure, of: attempt) ?? failure }
        var wrongTries = 0
        if limit != .none, !isProven {
            guard let passwordGuard else { throw TagError.passwordAtRisk(limit: limit) }
            wrongTries = try passwordGuard.willSend(attempt, limit: limit)
        }
        do throws(TagError) {
            try tag.authenticate(credential, isProven: isProven, after: wrongTries)
        } catch {
            switch error {
            case .wrongPassword, .foreignPACK, .passwordUnanswered:
                memory.withLock { $0.failures[attempt] = error }
            default: break
            }
            switch error {
            case .wrongPassword where limit != .none: passwordGuard?.didSend(attempt, isAccepted: false)
            case .foreignPACK where limit != .none: passwordGuard?.didSend(attempt, isAccepted: true)
            default: break
            }
            throw passwordGuard?.explained(error, of: attempt) ?? error
        }
        if limit != .none { passwordGuard?.didSend(attempt, isAccepted: true) }
        learn(from: tag)
    }

    /// Notes what a tag was opened with, by the session or by an operation that changed its password; on the reader's queue.
    package func learn(from tag: any ForumTag) {
        guard let credential = (tag as? Type2Tag)?.openedBy else { return }
        learn(PasswordAttempt(uid: tag.channel.target.identifier, credential: credential))
    }

    /// Notes that a tag accepted a password.
    package func learn(_ attempt: PasswordAttempt) {
        memory.withLock { memory in
            memory.proven.insert(attempt)
            memory.failures[attempt] = nil
        }
    }
}
