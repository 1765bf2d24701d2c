// The passwords that were sent in a session. A wrong password must not be sent again — NXP NTAG21x, AUTHLIM

import ReaderInterface
import Synchronization
package import TagTypes

package final class PasswordMemory: Sendable {
    private struct Memory {
        /// Attempts that were refused or not answered.
        ///
        /// They are not repeated, because wrong passwords may lock a tag permanently.
        var failures: [PasswordAttempt: TagError] = [:]
        /// Attempts that a tag accepted, and that may be repeated.
        var proven: Set<PasswordAttempt> = []
    }

    private let memory = Mutex(Memory())

    /// Opens a tag that was just activated, if the purpose requires a password.
    ///
    /// Called on the reader's queue.
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

    /// Records how a tag was opened, by the session or by an operation that changed its password.
    ///
    /// Called on the reader's queue.
    package func learn(from tag: any ForumTag) {
        guard let credential = (tag as? Type2Tag)?.openedBy else { return }
        learn(PasswordAttempt(uid: tag.channel.target.identifier, credential: credential))
    }

    package func learn(_ attempt: PasswordAttempt) {
        memory.withLock { memory in
            memory.proven.insert(attempt)
            memory.failures[attempt] = nil
        }
    }
}
