// Decides whether to send a password to a tag that counts wrong ones — NXP NTAG21x, AUTHLIM; Docs/CommandLine.md,
// Questions

public import ReaderSession
import Synchronization
public import TagTypes
public import WriteJournal

/// Asks before sending a password that may block a tag permanently, and records the tag's answer.
///
/// A command for a single tag asks, or accepts `--yes`. A command that processes many tags never asks. A password that
/// the tag refused before, or that is not the one it last accepted, is sent only if a person types yes, because a
/// command in a loop must not block a tag.
public final class PasswordGate: PasswordGuard {
    /// How sending a password is confirmed.
    public enum Consent: Sendable {
        /// A dialogue that answers the question.
        case asked(any Dialogue)
        /// An option that gives the answer for all tags.
        case given(Bool)
    }

    private let consent: Consent
    let journal: PasswordJournal
    /// The tags for which the user has confirmed sending a password.
    private let agreed = Mutex<Set<[UInt8]>>([])
    /// The new passwords that this command may have set on tags.
    private let set = Mutex<Set<PasswordAttempt>>([])

    /// Creates a gate.
    public init(_ consent: Consent, journal: PasswordJournal = Journals.ofThisUser.passwords) {
        self.consent = consent
        self.journal = journal
    }

    /// Asks if necessary, and records the attempt before it is made.
    ///
    /// - Throws: ``PasswordRisk``; `WriteJournalError`.
    public func willSend(_ attempt: PasswordAttempt, limit: Type2AttemptLimit) throws -> Int {
        var record = PasswordJournal.Record.unknown
        var unreadable: WriteJournalError?
        do throws(WriteJournalError) {
            record = try journal.record(of: attempt.credential.bytes, uid: attempt.uid)
        } catch {
            unreadable = error
        }
        let risk = PasswordRisk(uid: attempt.uid, limit: limit, record: record, unreadable: unreadable)
        guard isAllowed(risk) || set.withLock({ $0.contains(attempt) }) else { throw risk }
        if case .damaged? = unreadable { try journal.setAsideDamaged(uid: attempt.uid) }
        try journal.note(.unanswered, of: attempt.credential.bytes, uid: attempt.uid)
        if case .count(let count) = limit { try journal.note(limit: count, uid: attempt.uid) }
        return record.wrongTries
    }

    /// Records the tag's answer to the password.
    public func didSend(_ attempt: PasswordAttempt, isAccepted: Bool) {
        // If this fails, the answer stays unknown in the journal, which is the safe assumption.
        try? journal.note(isAccepted ? .accepted : .refused, of: attempt.credential.bytes, uid: attempt.uid)
    }

    /// Returns the error, or a warning that the tag may now be blocked.
    public func explained(_ error: TagError, of attempt: PasswordAttempt) -> any Error {
        // If the tag hides its limit, use the one that an earlier command read.
        guard case .wrongPassword(.unknown) = error,
            let record = try? journal.record(of: attempt.credential.bytes, uid: attempt.uid),
            let limit = record.limit, limit > 0, record.possiblyWrongTries >= limit
        else { return error }
        return PerhapsClosed(limit: limit)
    }

    /// Notes a password that this command sets on a tag.
    ///
    /// It can then be sent to the tag without asking.
    package func noteSet(_ credential: Type2Credential, on uid: [UInt8]) {
        set.withLock { _ = $0.insert(PasswordAttempt(uid: uid, credential: credential)) }
    }

    private func isAllowed(_ risk: PasswordRisk) -> Bool {
        // The new password of an unverified change is the only one that the tag can require.
        if risk.record.isNewOfPending, risk.record.outcome != .refused { return true }
        // If the tag does not show its limit, a password is safe if the tag last accepted it and no answer has been
        // lost since.
        if risk.limit == .unknown, risk.record.isLastAccepted, risk.record.outcome == .accepted { return true }
        if case .given(let isGiven) = consent { return isGiven && !risk.wasTried && !risk.isLikelyWrong }
        return agreed.withLock { $0.contains(risk.uid) }
    }

    /// Asks whether to send the password, and stores the confirmation for this tag.
    ///
    /// - Throws: the risk itself if no question may be asked, or if only a person may confirm and none can be asked;
    ///   what the dialogue throws.
    func ask(about risk: PasswordRisk) throws {
        guard case .asked(let dialogue) = consent, !risk.isLikelyWrong || dialogue.isPersonal else { throw risk }
        try dialogue.ask(.sendPassword(risk))
        agreed.withLock { _ = $0.insert(risk.uid) }
    }
}

extension Type2Credential {
    /// The secret part of the credential, without the PACK.
    var bytes: [UInt8] {
        switch self {
        case .password(let password): password.pwd
        case .key(let key): key.bytes
        }
    }
}
