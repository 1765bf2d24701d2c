// Why a tag gets no row, in a word that journals and reports keep — Docs/JSON.md

import ReaderInterface

/// Why a tag gets no row, or is not finished: a word.
///
/// Journals may hold words of other versions.
public struct RefusalCause: RawRepresentable, Hashable, Sendable {
    /// The word.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It holds a message that is not the row's.
    public static let foreignContent = RefusalCause(rawValue: "foreignContent")
    /// It holds the row's message, and the journal does not know it.
    public static let sameContent = RefusalCause(rawValue: "sameContent")
    /// It was proven to hold its row, and holds something else now.
    public static let contentChanged = RefusalCause(rawValue: "contentChanged")
    /// No row is left for it.
    public static let noRow = RefusalCause(rawValue: "noRow")
    /// It cannot be locked, which says nothing about whether it can be written.
    public static let cannotLock = RefusalCause(rawValue: "cannotLock")
    /// It says it is locked, and was proven not to be, or not as it should.
    public static let uselessLock = RefusalCause(rawValue: "uselessLock")
    /// Another station has begun a row on it.
    public static let otherStation = RefusalCause(rawValue: "otherStation")
    /// Its row was released while it was being written.
    public static let rowMoved = RefusalCause(rawValue: "rowMoved")
    /// It fills in and signs its message itself, or lets only its keys write it.
    public static let dynamicMessage = RefusalCause(rawValue: "dynamicMessage")
    /// It has other keys than those that every chip is delivered with, or those of its row.
    public static let otherKeys = RefusalCause(rawValue: "otherKeys")
    /// Several tags are on the reader.
    public static let severalTags = RefusalCause(rawValue: "severalTags")
    /// It is of the wrong chip.
    public static let wrongChip = RefusalCause(rawValue: "wrongChip")
    /// The reader cannot send what the tag needs; another reader may.
    public static let wrongReader = RefusalCause(rawValue: "wrongReader")
    /// The message does not fit.
    public static let tooLarge = RefusalCause(rawValue: "tooLarge")
    /// It cannot be written.
    public static let readOnly = RefusalCause(rawValue: "readOnly")
    /// It has no place for a message.
    public static let notNDEF = RefusalCause(rawValue: "notNDEF")
    /// It asks for a password.
    public static let passwordNeeded = RefusalCause(rawValue: "passwordNeeded")
    /// It refused the password.
    public static let wrongPassword = RefusalCause(rawValue: "wrongPassword")
    /// Whether it took the password is not known.
    public static let passwordUnanswered = RefusalCause(rawValue: "passwordUnanswered")
    /// It is blank, and its initialisation was not confirmed.
    public static let notAgreed = RefusalCause(rawValue: "confirmationNeeded")
    /// Its message breaks the rules of NDEF.
    public static let brokenMessage = RefusalCause(rawValue: "badNDEF")
    /// It left.
    public static let tagGone = RefusalCause(rawValue: "tagLost")
    /// It broke the rules of its specification.
    public static let brokenRules = RefusalCause(rawValue: "tagProtocol")

    /// The word for a kind of failure; nil for those that are not of a tag.
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
