// The classification of failures, which is assigned when a failure is recognised, and kept until it is reported

/// The kind of a failure.
///
/// Programs use it to decide what to do next: wait, retry, ask or stop. ``tagGone`` stands for missing or unreliable
/// answers. All other kinds that concern the tag are based on its reliable answers.
public enum FailureKind: String, Hashable, Sendable, CaseIterable {
    // Failures of the tag
    /// The tag is no longer present, or gave no answer that can be trusted.
    ///
    /// The tag may come back.
    case tagGone
    /// No tag arrived in time.
    case noTagCame
    /// There are several tags, so it is not clear which one to change.
    case severalTags
    /// The tag violated its specification, or did not do what it had acknowledged.
    case brokenRules
    /// The tag does not allow writing.
    case readOnly
    /// The tag requires a password, or the user's consent to send one.
    case passwordNeeded
    /// The tag refused the password.
    case wrongPassword
    /// It is not known whether the tag accepted the password, because its answer is missing.
    case passwordUnanswered
    /// The data does not fit.
    case doesNotFit
    /// This kind of tag does not support the operation.
    case wrongChip
    /// The tag cannot store a message, or contains none.
    case notNDEF

    // Failures of the reader
    /// The reader failed while it was in use.
    ///
    /// The reader may have been unplugged.
    case readerGone
    /// There is no such reader.
    case noReader
    /// Another program is using the reader.
    case readerBusy
    /// The system does not let this user open the reader.
    case noPermission
    /// This kind of reader does not support the operation.
    case wrongReader

    // Failures on this host
    /// The user or a program interrupted the operation.
    case interrupted
    /// An earlier change was interrupted and must be finished first.
    case unfinished
    /// A file is invalid, or cannot be read or written.
    case badFile
    /// The plan is invalid, or is not the plan that was started.
    case badPlan
    /// Another process is using the journal.
    case journalBusy
    /// The journal cannot be reached.
    ///
    /// It may become reachable again.
    case journalAway
    /// This user does not have the required permission for the journal.
    case notAllowed
    /// An irreversible change was not confirmed.
    case notAgreed
    /// The request is invalid.
    case usage
    /// A bug in the program.
    case `internal`

    /// Whether the failure makes the reader unusable, even if only for now.
    public var isOfReader: Bool {
        switch self {
        case .readerGone, .noReader, .readerBusy, .noPermission: true
        case .tagGone, .noTagCame, .severalTags, .brokenRules, .readOnly, .passwordNeeded, .wrongPassword,
            .passwordUnanswered, .doesNotFit, .wrongChip, .notNDEF, .wrongReader, .interrupted, .unfinished, .badFile,
            .badPlan, .journalBusy, .journalAway, .notAllowed, .notAgreed, .usage, .internal:
            false
        }
    }
}

/// An error with a kind and a description.
///
/// The description says what happened, in sentences, without advice.
public protocol ClassifiedError: Error, CustomStringConvertible {
    /// The kind of the failure.
    var kind: FailureKind { get }
}

extension ReaderError: ClassifiedError {
    /// The kind of the failure.
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
        case .notInFile: .badFile
        }
    }
}
