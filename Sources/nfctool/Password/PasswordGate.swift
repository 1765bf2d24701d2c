// Whether a password is sent to a tag that counts wrong ones — NXP NTAG21x, AUTHLIM; Docs/CommandLine.md, Questions

import Foundation
import Hexadecimal
import ReaderSession
import SafeTag
import Synchronization
import TagTypes
import WriteJournal

/// Asks before a password is sent that may close a tag for good, and remembers what the tag made of it.
///
/// A command with one tag at a time asks, or takes `--yes`. A command that goes from tag to tag never asks. A password that
/// the tag refused before, or that is not the one it accepted last, is sent only when a person types yes: a command in a loop
/// must not close its owner's tag.
final class PasswordGate: PasswordGuard {
    enum Consent: Sendable {
        case asked(Confirmation)
        case given(Bool)
    }

    private let consent: Consent
    let journal: PasswordJournal
    /// The tags that the user agreed to.
    private let agreed = Mutex<Set<[UInt8]>>([])
    /// The new passwords of tags, as far as this command may have set them.
    private let set = Mutex<Set<PasswordAttempt>>([])

    init(_ consent: Consent, journal: PasswordJournal = PasswordJournal(beside: .ofThisUser)) {
        self.consent = consent
        self.journal = journal
    }

    func willSend(_ attempt: PasswordAttempt, limit: Type2AttemptLimit) throws -> Int {
        var record = PasswordJournal.Record.unknown
        var unreadable: WriteJournalError?
        do throws(WriteJournalError) {
            record = try journal.record(of: attempt.credential.bytes, uid: attempt.uid)
        } catch {
            unreadable = error
        }
        let risk = PasswordRisk(
            uid: attempt.uid, limit: limit, record: record, isAsked: isAsking, unreadable: unreadable)
        guard isAllowed(risk) || set.withLock({ $0.contains(attempt) }) else { throw risk }
        if case .damaged? = unreadable { try journal.setAsideDamaged(uid: attempt.uid) }
        try journal.note(.unanswered, of: attempt.credential.bytes, uid: attempt.uid)
        if case .count(let count) = limit { try journal.note(limit: count, uid: attempt.uid) }
        return record.wrongTries
    }

    func didSend(_ attempt: PasswordAttempt, isAccepted: Bool) {
        // Should this fail, the journal says that the answer is not known, which is on the safe side.
        try? journal.note(isAccepted ? .accepted : .refused, of: attempt.credential.bytes, uid: attempt.uid)
    }

    func explained(_ error: TagError, of attempt: PasswordAttempt) -> any Error {
        // The tag hides its limit, and an earlier command saw it.
        guard case .wrongPassword(.unknown) = error,
            let record = try? journal.record(of: attempt.credential.bytes, uid: attempt.uid),
            let limit = record.limit, limit > 0, record.wrongTries >= limit
        else { return error }
        return PerhapsClosed(limit: limit)
    }

    /// Notes a password that this command gives a tag: it is sent without asking.
    func noteSet(_ credential: Type2Credential, on uid: [UInt8]) {
        set.withLock { _ = $0.insert(PasswordAttempt(uid: uid, credential: credential)) }
    }

    private var isAsking: Bool { if case .asked = consent { true } else { false } }

    private func isAllowed(_ risk: PasswordRisk) -> Bool {
        // This computer set it, and the tag can ask for no other one.
        if risk.record.isNewOfPending, risk.record.outcome != .refused { return true }
        // The tag does not show its limit, and this is the password it accepted last, with no answer lost since.
        if risk.limit == .unknown, risk.record.isLastAccepted, risk.record.outcome == .accepted { return true }
        if case .given(let isGiven) = consent { return isGiven && !risk.wasTried && !risk.isLikelyWrong }
        return agreed.withLock { $0.contains(risk.uid) }
    }

    /// Asks the user, who may agree for this tag.
    ///
    /// - Throws: the risk itself where nobody is asked, or only a person may agree and none can be asked;
    ///   ``ConfirmationNeeded``; ``Declined``.
    func ask(about risk: PasswordRisk) throws {
        guard case .asked(let confirmation) = consent, !risk.isLikelyWrong || confirmation.isTyped else { throw risk }
        do {
            try confirmation.ask("Send the password to the tag \(risk.uid.hex)?", facts: risk.facts)
        } catch let question as ConfirmationNeeded {
            throw UnconfirmedRisk(risk: risk, question: question)
        }
        agreed.withLock { _ = $0.insert(risk.uid) }
    }
}

/// The tag refused a password, and hides whether that was the last try.
struct PerhapsClosed: Failure {
    /// How many wrong passwords close the tag, as it was last seen.
    let limit: Int
    var name: ErrorName { .wrongPassword }
    var message: String {
        let tries = limit == 1 ? "one wrong password" : "\(limit) wrong passwords in a row"
        return """
            The tag refused the password. This may have been the last attempt: when this computer last saw the limit, \
            \(tries) closed the tag for good. It may be closed now.
            """
    }
    var details: [String: FailureDetail] { ["limit": .number(limit)] }
}

/// Nobody could be asked about a risk; scripts get what a person would have read.
struct UnconfirmedRisk: Failure {
    let risk: PasswordRisk
    let question: ConfirmationNeeded
    var name: ErrorName { question.name }
    var message: String { question.message }
    var details: [String: FailureDetail] {
        risk.details.merging(question.details) { first, _ in first }.merging(["reason": .text(risk.message)]) {
            first, _ in first
        }
    }
}

extension Type2Credential {
    /// What is secret in it, whatever the PACK.
    var bytes: [UInt8] {
        switch self {
        case .password(let password): password.pwd
        case .key(let key): key.bytes
        }
    }
}

/// A password was not sent, since it may close the tag.
struct PasswordRisk: Failure {
    let uid: [UInt8]
    let limit: Type2AttemptLimit
    let record: PasswordJournal.Record
    /// Whether the command can ask about one tag.
    let isAsked: Bool
    /// Why it is not known what the tag made of passwords.
    var unreadable: WriteJournalError?

    /// Whether the tag refused this password before, or did not answer it.
    var wasTried: Bool { record.outcome == .refused || record.outcome == .unanswered }

    /// Whether the tag refused this password before, or accepted another one last.
    var isLikelyWrong: Bool { record.outcome == .refused || record.acceptedOther }

    var name: ErrorName { isLikelyWrong ? .wrongPassword : .passwordNeeded }

    var message: String { (["\(limit.sentence)"] + known + ["The password was not sent."]).joined(separator: " ") }

    var details: [String: FailureDetail] {
        let known: Int? = if case .count(let count) = limit { count } else { record.limit }
        return known.map { ["limit": .number($0), "wrongTries": .number(record.wrongTries)] } ?? [:]
    }

    /// What the user is to know before agreeing, on lines of their own.
    var facts: String {
        let closed = "A tag that is closed refuses every password, also the right one, and cannot be opened again."
        return ([limit.sentence, closed] + known).joined(separator: "\n")
    }

    private var known: [String] {
        let outcome: String? =
            switch record.outcome {
            case .refused?: "The tag refused this password before."
            case .unanswered?: "This password was sent before and its answer was lost: it may have counted as wrong."
            case .accepted?, nil: nil
            }
        let count = record.wrongTries
        let tries =
            count == 0 ? nil : "Wrong passwords from this computer since the tag last accepted one: \(count)."
        let other =
            !record.acceptedOther
            ? nil
            : record.isPending
                ? "A change of this tag's password was interrupted, after which it cannot ask for this one."
                : "This tag accepted another password from this computer."
        return [unreadable?.description, earlierLimit, other, outcome, tries].compactMap { $0 }
    }

    /// The limit that the tag had when this computer last saw it, where it hides it now.
    private var earlierLimit: String? {
        guard limit == .unknown, let count = record.limit else { return nil }
        switch count {
        case 0: return "When this computer last saw its limit, it had none."
        case 1: return "When this computer last saw its limit, one wrong password closed it for good."
        default: return "When this computer last saw its limit, \(count) wrong passwords in a row closed it for good."
        }
    }
}
