// The one classification of failures: made where a failure is understood, and kept to the last line

/// What kind of thing went wrong.
///
/// Programs decide by it what to do next: wait, try again, ask, end. Only silence is ``tagGone``; all that is said of a tag
/// was read from it.
public enum FailureKind: String, Hashable, Sendable, CaseIterable {
    // Of the tag
    /// The tag is not there any more, or gave no answer that could be trusted: it may come back.
    case tagGone
    /// No tag came in time.
    case noTagCame
    /// There are more tags than a change may choose from.
    case severalTags
    /// The tag broke the rules of its specification, or did not do what it acknowledged.
    case brokenRules
    /// The tag does not allow writing.
    case readOnly
    /// The tag asks for a password, or for consent to send one.
    case passwordNeeded
    /// The tag refused the password.
    case wrongPassword
    /// Whether the tag took the password is not known.
    case passwordUnanswered
    /// It does not fit.
    case doesNotFit
    /// This kind of tag cannot do that.
    case wrongChip
    /// The tag has no place for a message, or no message.
    case notNDEF

    // Of the reader
    /// The reader failed while it was in use; it may have been unplugged.
    case readerGone
    /// There is no such reader.
    case noReader
    /// Another program has the reader.
    case readerBusy
    /// The system does not let this user open the reader.
    case noPermission
    /// This kind of reader cannot do that.
    case wrongReader

    // Of this host
    /// It was ended from outside, before its end.
    case interrupted
    /// An earlier change was interrupted, and comes first.
    case unfinished
    /// A file is not what it should be, or cannot be read or written.
    case badFile
    /// A change that cannot be undone was not confirmed.
    case notAgreed
    /// What was asked for makes no sense.
    case usage
    /// A mistake in the program.
    case `internal`

    /// Whether the reader cannot be worked with any more, or not yet again: it may come back.
    public var isOfReader: Bool {
        switch self {
        case .readerGone, .noReader, .readerBusy, .noPermission: true
        default: false
        }
    }
}

/// An error that knows its kind, and says what happened in sentences, without advice.
public protocol ClassifiedError: Error, CustomStringConvertible {
    /// What kind of thing went wrong.
    var kind: FailureKind { get }
}

extension ReaderError: ClassifiedError {
    /// What kind of thing went wrong.
    public var kind: FailureKind {
        switch self {
        case .noReader: .noReader
        case .busy: .readerBusy
        case .noPermission: .noPermission
        case .readerFailed: .readerGone
        case .noAnswer, .tagLost, .initiatorLost: .tagGone
        case .cannotListen, .cannotSend: .wrongReader
        case .commandTooLong: .internal
        case .aborted: .interrupted
        }
    }
}
