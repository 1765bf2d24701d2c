// Why a password was not sent to a tag that counts wrong ones — NXP NTAG21x, AUTHLIM

public import ReaderInterface
public import TagTypes
public import WriteJournal

/// A password was not sent, since it may close the tag.
public struct PasswordRisk: ClassifiedError {
    /// The tag.
    public let uid: [UInt8]
    /// What the tag shows of its limit of wrong passwords.
    public let limit: Type2AttemptLimit
    /// What this computer knows of the password on the tag.
    public let record: PasswordJournal.Record
    /// Whether the command can ask about one tag.
    public let isAsked: Bool
    /// Why it is not known what the tag made of passwords.
    public var unreadable: WriteJournalError?

    /// How many wrong passwords in a row close the tag, as it shows or showed earlier; nil where that is not known.
    public var knownLimit: Int? { if case .count(let count) = limit { count } else { record.limit } }

    /// Whether the tag refused this password before, or did not answer it.
    public var wasTried: Bool { record.outcome == .refused || record.outcome == .unanswered }

    /// Whether the tag refused this password before, or accepted another one last.
    public var isLikelyWrong: Bool { record.outcome == .refused || record.acceptedOther }

    /// What kind of thing went wrong.
    public var kind: FailureKind { isLikelyWrong ? .wrongPassword : .passwordNeeded }

    /// What happened, in sentences.
    public var description: String {
        ([limit.sentence] + known + ["The password was not sent."]).joined(separator: " ")
    }

    /// What the user is to know before agreeing, on lines of their own.
    public var facts: String {
        let closed = "A tag that is closed refuses every password, even the right one, and cannot be opened again."
        return ([limit.sentence, closed] + known).joined(separator: "\n")
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
        let other =
            !record.acceptedOther
            ? nil
            : record.isPending
                ? "A change of this tag's password was interrupted. Since then, the tag cannot ask for this password."
                : "This tag accepted another password from this computer."
        return [unreadable?.description, earlierLimit, other, outcome, tries].compactMap { $0 }
    }

    /// The limit that the tag had when this computer last saw it, where it hides it now.
    private var earlierLimit: String? {
        guard limit == .unknown, let count = record.limit else { return nil }
        switch count {
        case 0: return "When this computer last saw its limit, there was none."
        case 1: return "When this computer last saw its limit, one wrong password closed it permanently."
        default:
            return "When this computer last saw its limit, \(count) wrong passwords in a row closed it permanently."
        }
    }
}

/// The tag refused a password, and hides whether that was the last try.
public struct PerhapsClosed: ClassifiedError {
    /// How many wrong passwords close the tag, as it was last seen.
    public let limit: Int
    /// What kind of thing went wrong.
    public var kind: FailureKind { .wrongPassword }

    /// What happened, in sentences.
    public var description: String {
        let tries = limit == 1 ? "one wrong password" : "\(limit) wrong passwords in a row"
        return """
            The tag refused the password. This may have been the last attempt: when this computer last saw the limit, \
            \(tries) closed the tag permanently. It may be closed now.
            """
    }
}
