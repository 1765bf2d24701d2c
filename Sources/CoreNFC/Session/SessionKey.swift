// What opens the protected tags of a session — NXP NTAG21x and MF0ULx1 (PWD_AUTH, AUTHLIM), MF0ICU2 (AUTHENTICATE)

import NFCReader
import Synchronization
package import TagTypes

/// A password or key that is sent to a tag.
package struct PasswordAttempt: Hashable, Sendable {
    /// The tag's identifier.
    package let uid: [UInt8]
    package let credential: Type2Credential

    package init(uid: [UInt8], credential: Type2Credential) {
        self.uid = uid
        self.credential = credential
    }
}

/// Decides whether a password is sent to a tag that may count wrong ones, and remembers what became of it.
package protocol PasswordGuard: Sendable {
    /// Called on the reader's queue before a password is sent that may close the tag.
    ///
    /// - Returns: how many passwords the tag is known to have refused since it last accepted one.
    /// - Throws: why it is not sent.
    func willSend(_ attempt: PasswordAttempt, limit: Type2AttemptLimit) throws -> Int

    /// Called with the tag's answer, if there was one.
    func didSend(_ attempt: PasswordAttempt, isAccepted: Bool)
}

/// The password of a session, and what its tags made of it.
struct SessionKey {
    var credential: Type2Credential?
    var purpose = Type2Purpose.writing
    var passwordGuard: (any PasswordGuard)?
    /// What is refused or not answered once is not sent again, since wrong passwords may close a tag for good.
    var failures: [PasswordAttempt: TagError] = [:]
    /// What a tag accepted may be sent to it again.
    var proven: Set<PasswordAttempt> = []
}

extension NFCReaderSession {
    /// What opens the protected tags of this session; sent to each tag after an activation, if ``passwordPurpose`` takes it.
    ///
    /// A tag that asks for no password never sees it.
    package var credential: Type2Credential? {
        get { state.withLock { $0.key.credential } }
        set { state.withLock { $0.key.credential = newValue } }
    }

    /// What the session's tags are opened for; a change counts from the next operation on.
    package var passwordPurpose: Type2Purpose {
        get { state.withLock { $0.key.purpose } }
        set { state.withLock { $0.key.purpose = newValue } }
    }

    /// Decides about passwords that may close a tag; nil, the default, sends none.
    package var passwordGuard: (any PasswordGuard)? {
        get { state.withLock { $0.key.passwordGuard } }
        set { state.withLock { $0.key.passwordGuard = newValue } }
    }

    /// Opens a tag that was activated just now, if the session's purpose takes a password.
    ///
    /// On the reader's queue.
    func open(_ tag: Type2Tag) throws {
        let key = state.withLock { $0.key }
        guard let credential = key.credential,
            let limit = try tag.attemptLimit(for: key.purpose, with: credential)
        else { return }
        let attempt = PasswordAttempt(uid: tag.channel.target.identifier, credential: credential)
        if let failure = key.failures[attempt] { throw failure }
        let isProven = key.proven.contains(attempt)
        var wrongTries = 0
        if limit != .none, !isProven {
            guard let passwordGuard = key.passwordGuard else { throw TagError.passwordAtRisk(limit: limit) }
            wrongTries = try passwordGuard.willSend(attempt, limit: limit)
        }
        do throws(TagError) {
            try tag.authenticate(credential, isProven: isProven, after: wrongTries)
        } catch {
            switch error {
            case .wrongPassword, .foreignPACK, .passwordUnanswered:
                state.withLock { $0.key.failures[attempt] = error }
            default: break
            }
            switch error {
            case .wrongPassword where limit != .none: key.passwordGuard?.didSend(attempt, isAccepted: false)
            case .foreignPACK where limit != .none: key.passwordGuard?.didSend(attempt, isAccepted: true)
            default: break
            }
            throw error
        }
        if limit != .none { key.passwordGuard?.didSend(attempt, isAccepted: true) }
        learn(from: tag)
    }

    /// Notes what a tag was opened with, by the session or by an operation that changed its password.
    ///
    /// On the reader's queue.
    func learn(from tag: any ForumTag) {
        guard let credential = (tag as? Type2Tag)?.openedBy else { return }
        let attempt = PasswordAttempt(uid: tag.channel.target.identifier, credential: credential)
        state.withLock { state in
            state.key.proven.insert(attempt)
            state.key.failures[attempt] = nil
        }
    }
}
