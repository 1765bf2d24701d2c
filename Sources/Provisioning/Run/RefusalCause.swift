// The reason why a tag gets no row, as a word that journals and reports store — Docs/JSON.md

import ReaderInterface

/// The reason why a tag gets no row or is not finished, as a word.
///
/// Journals may contain words of other versions.
public struct RefusalCause: RawRepresentable, Hashable, Sendable {
    /// The word.
    public let rawValue: String

    /// Accepts any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The tag holds a message that is not the row's.
    public static let foreignContent = RefusalCause(rawValue: "foreignContent")
    /// The tag holds the row's message, but the journal does not know the tag.
    public static let sameContent = RefusalCause(rawValue: "sameContent")
    /// The tag was verified to hold its row, but holds something else now.
    public static let contentChanged = RefusalCause(rawValue: "contentChanged")
    /// Another chip with the same UID has a row.
    public static let sameUID = RefusalCause(rawValue: "sameUID")
    /// No row is left for the tag.
    public static let noRow = RefusalCause(rawValue: "noRow")
    /// The tag cannot be locked.
    ///
    /// It may still be writable.
    public static let cannotLock = RefusalCause(rawValue: "cannotLock")
    /// The tag reports that it is locked, but a test showed that its lock has no effect or is incomplete.
    public static let uselessLock = RefusalCause(rawValue: "uselessLock")
    /// Another station has started a row on the tag.
    public static let otherStation = RefusalCause(rawValue: "otherStation")
    /// The tag's row was released, and the tag may still carry it or part of it.
    public static let rowMoved = RefusalCause(rawValue: "rowMoved")
    /// The tag fills in and signs its message itself, or only its keys allow writing.
    public static let dynamicMessage = RefusalCause(rawValue: "dynamicMessage")
    /// The tag has neither the delivery keys nor the keys of its row.
    public static let otherKeys = RefusalCause(rawValue: "otherKeys")
    /// Several tags are on the reader.
    public static let severalTags = RefusalCause(rawValue: "severalTags")
    /// The tag has the wrong chip.
    public static let wrongChip = RefusalCause(rawValue: "wrongChip")
    /// The reader cannot send the commands that the tag needs.
    ///
    /// Another reader may be able to.
    public static let wrongReader = RefusalCause(rawValue: "wrongReader")
    /// The message does not fit on the tag.
    public static let tooLarge = RefusalCause(rawValue: "tooLarge")
    /// The tag cannot be written.
    public static let readOnly = RefusalCause(rawValue: "readOnly")
    /// The tag has no space for a message.
    public static let notNDEF = RefusalCause(rawValue: "notNDEF")
    /// The tag requires a password.
    public static let passwordNeeded = RefusalCause(rawValue: "passwordNeeded")
    /// The tag refused the password.
    public static let wrongPassword = RefusalCause(rawValue: "wrongPassword")
    /// It is not known whether the tag accepted the password.
    public static let passwordUnanswered = RefusalCause(rawValue: "passwordUnanswered")
    /// The tag is blank, and initialising it was not confirmed.
    public static let notAgreed = RefusalCause(rawValue: "confirmationNeeded")
    /// The message on the tag breaks the rules of NDEF.
    public static let brokenMessage = RefusalCause(rawValue: "badNDEF")
    /// The tag left.
    public static let tagGone = RefusalCause(rawValue: "tagLost")
    /// The tag broke the rules of its specification.
    public static let brokenRules = RefusalCause(rawValue: "tagProtocol")

    /// The word for a kind of failure, or nil if the failure is not about a tag.
    init?(_ kind: FailureKind) {
        switch kind {
        case .tagGone, .noTagCame: self = .tagGone
        case .brokenRules: self = .brokenRules
        case .readOnly: self = .readOnly
        case .passwordNeeded: self = .passwordNeeded
        case .wrongPassword: self = .wrongPassword
        case .passwordUnanswered: self = .passwordUnanswered
        case .doesNotFit: self = .tooLarge
        case .wrongChip: self = .wrongChip
        case .wrongReader: self = .wrongReader
        case .notNDEF: self = .notNDEF
        case .notAgreed: self = .notAgreed
        case .severalTags, .readerGone, .noReader, .readerBusy, .noPermission, .interrupted, .unfinished,
            .badFile, .usage, .internal:
            return nil
        }
    }
}
