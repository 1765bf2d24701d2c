// The reason why a password was not sent to a tag that counts wrong ones — NXP NTAG21x, AUTHLIM

public import ReaderInterface
public import TagTypes
public import WriteJournal

/// The error for a password that was not sent because it might block the tag.
public struct PasswordRisk: ClassifiedError {
    /// The tag's UID.
    public let uid: [UInt8]
    /// The tag's limit on wrong passwords, as far as it can be read.
    public let limit: Type2AttemptLimit
    /// The facts about the tag's password that are recorded on this computer.
    public let record: PasswordJournal.Record
    /// The reason why earlier answers of the tag are not known, or nil if they are known.
    public var unreadable: WriteJournalError?

    /// The number of consecutive wrong passwords that block the tag, as read now or earlier, or nil if it is not known.
    public var knownLimit: Int? { if case .count(let count) = limit { count } else { record.limit } }

    /// Whether this password was sent to the tag before, and the tag refused it or gave no answer.
    public var wasTried: Bool { record.outcome == .refused || record.outcome == .unanswered }

    /// Whether the tag refused this password before, or last accepted another one.
    public var isLikelyWrong: Bool { record.outcome == .refused || record.acceptedOther }

    /// The kind of failure.
    public var kind: FailureKind { isLikelyWrong ? .wrongPassword : .passwordNeeded }

    /// A description in sentences.
    public var description: String {
        ([limitSentence] + known + ["The password was not sent."]).joined(separator: " ")
    }

    /// The facts that the user needs before confirming, one per line.
    public var facts: String {
        let closed = "A tag that is closed refuses every password, even the right one, and cannot be opened again."
        return ([limitSentence, closed] + known).joined(separator: "\n")
    }

    private var known: [String] {
        let outcome: String? =
            switch record.outcome {
            case .refused?: "The tag refused this password before."
            case .unanswered?: "This password was sent before and the answer was lost: it may have counted as wrong."
            case .accepted?, nil: nil
            }
        let count = record.wrongTries
        let tries =
            count == 0 ? nil : "Wrong passwords from this computer since the tag last accepted one: \(count)."
        let lost =
            record.lostAnswers == 0
            ? nil
            : "Lost answers to passwords from this computer since the tag last accepted one: \(record.lostAnswers). "
                + "Each of these passwords may have counted as wrong."
        let other =
            !record.acceptedOther
            ? nil
            : record.isPending
                ? "An earlier change to this tag's password was interrupted. The tag now requires a different password, or none."
                : "This tag accepted another password from this computer."
        return [unreadable?.description, other, outcome, tries, lost, lastTry].compactMap { $0 }
    }

    /// The warning that one more wrong password closes the tag, or may close it, or that the tag is probably closed.
    ///
    /// Nil if the attempts from this computer do not show that.
    ///
    /// It is also nil for a limit of one, which needs no further words.
    private var lastTry: String? {
        guard let knownLimit, knownLimit > 0 else { return nil }
        // A right password from another computer would have set the count back.
        if record.wrongTries >= knownLimit {
            return
                "The tag is probably closed permanently: the wrong passwords from this computer have reached its limit."
        }
        guard knownLimit > 1, knownLimit - record.possiblyWrongTries <= 1 else { return nil }
        return knownLimit - record.wrongTries <= 1
            ? "This is the last try: one more wrong password closes the tag permanently."
            : "This may be the last try: one more wrong password may close the tag permanently."
    }

    /// The sentences about the limit, with the one that this computer last read if the tag now hides it.
    private var limitSentence: String {
        guard limit == .unknown, let count = record.limit else { return limit.sentence }
        let hidden = "The tag does not show whether wrong passwords close it."
        switch count {
        case 0: return "\(hidden) When this computer last read the limit on wrong passwords, there was none."
        case 1:
            return
                "\(hidden) When this computer last read the limit, one wrong password was enough to close the tag permanently."
        default:
            return
                "\(hidden) When this computer last read the limit, \(count) wrong passwords in a row were enough to close the tag permanently."
        }
    }
}

/// The error for a password that a tag refused without showing whether this was the last attempt.
public struct PerhapsClosed: ClassifiedError {
    /// The number of wrong passwords that block the tag, as last read.
    public let limit: Int
    /// The kind of failure.
    public var kind: FailureKind { .wrongPassword }

    /// A description in sentences.
    public var description: String {
        let tries = limit == 1 ? "one wrong password" : "\(limit) wrong passwords in a row"
        return """
            The tag refused the password. This may have been the last attempt: when this computer last read the limit, \
            \(tries) closed the tag permanently. It may be closed now.
            """
    }
}
