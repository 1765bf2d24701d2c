// Whether a password is sent to a tag that counts wrong ones — NXP NTAG21x, AUTHLIM; Docs/CommandLine.md, Questions

import CoreNFC
import Foundation
import Synchronization
import TagTypes
import WriteJournal

/// Asks before a password is sent that may close a tag for good, and remembers what the tag made of it.
///
/// A command with one tag at a time asks, or takes `--yes`. A command that goes from tag to tag never asks. A password that
/// the tag refused before is sent again only when a person types yes: a command in a loop must not close its owner's tag.
final class PasswordGate: PasswordGuard {
    enum Consent: Sendable {
        case asked(Confirmation)
        case given(Bool)
    }

    private let consent: Consent
    private let journal: PasswordJournal
    /// The tags that the user agreed to.
    private let agreed = Mutex<Set<[UInt8]>>([])

    init(_ consent: Consent, journal: PasswordJournal = PasswordJournal(beside: .ofThisUser)) {
        self.consent = consent
        self.journal = journal
    }

    func willSend(_ attempt: PasswordAttempt, limit: Type2AttemptLimit) throws -> Int {
        let record = try journal.record(of: attempt.credential.bytes, uid: attempt.uid)
        let risk = PasswordRisk(uid: attempt.uid, limit: limit, record: record, isAsked: isAsking)
        guard isAllowed(risk) else { throw risk }
        try journal.note(.unanswered, of: attempt.credential.bytes, uid: attempt.uid)
        return record.wrongTries
    }

    func didSend(_ attempt: PasswordAttempt, isAccepted: Bool) {
        // Should this fail, the journal says that the answer is not known, which is on the safe side.
        try? journal.note(isAccepted ? .accepted : .refused, of: attempt.credential.bytes, uid: attempt.uid)
    }

    private var isAsking: Bool { if case .asked = consent { true } else { false } }

    private func isAllowed(_ risk: PasswordRisk) -> Bool {
        // The tag does not show its limit, and took this password before.
        if risk.limit == .unknown, risk.record.outcome == .accepted { return true }
        if case .given(let isGiven) = consent { return isGiven && !risk.wasTried }
        return agreed.withLock { $0.contains(risk.uid) }
    }

    /// Asks the user, who may agree for this tag.
    ///
    /// - Throws: the risk itself where nobody is asked, or only a person may agree and none can be asked;
    ///   ``ConfirmationNeeded``; ``Declined``.
    func ask(about risk: PasswordRisk) throws {
        guard case .asked(let confirmation) = consent, risk.record.outcome != .refused || confirmation.isTyped else {
            throw risk
        }
        do {
            try confirmation.ask("Send the password to the tag \(risk.uid.hex)?", facts: risk.facts)
        } catch let question as ConfirmationNeeded {
            throw UnconfirmedRisk(risk: risk, question: question)
        }
        agreed.withLock { _ = $0.insert(risk.uid) }
    }
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
    fileprivate var bytes: [UInt8] {
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

    /// Whether the tag refused this password before, or did not answer it.
    var wasTried: Bool { record.outcome == .refused || record.outcome == .unanswered }

    var name: ErrorName { record.outcome == .refused ? .wrongPassword : .passwordNeeded }

    var message: String { (["\(limit.sentence)"] + known + ["The password was not sent."]).joined(separator: " ") }

    var details: [String: FailureDetail] {
        guard case .count(let count) = limit else { return [:] }
        return ["limit": .number(count), "wrongTries": .number(record.wrongTries)]
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
        return [outcome, tries].compactMap { $0 }
    }
}
