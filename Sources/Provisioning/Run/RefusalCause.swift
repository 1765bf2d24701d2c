// The reasons why a tag gets no row — Docs/JSON.md

import ReaderInterface

/// The reason why a tag gets no row or is not finished.
///
/// The raw value is the word that journals store and that events and reports contain.
public enum RefusalCause: String, CaseIterable, Hashable, Sendable {
    /// The tag holds a message that differs from the row's message.
    case foreignContent
    /// The tag holds the row's message, but the journal has no entry for the tag.
    case sameContent
    /// The tag holds the same message as another tag, which already has the row.
    case rowTaken
    /// The tag was verified to hold its row, but holds something else now.
    case contentChanged
    /// The tag was verified and holds its row, but no longer requires its password, or refused it in a verification.
    ///
    /// It may be a copy of the row's tag.
    case passwordLost
    /// Another chip with the same UID already has a row.
    case sameUID
    /// No row is left for the tag.
    case noRow
    /// The tag cannot be locked.
    ///
    /// It may still be writable.
    case cannotLock
    /// The tag reports that it is locked, but a test showed that its lock has no effect or is incomplete.
    case uselessLock
    /// Another station has started a row on the tag.
    case otherStation
    /// The row that the tag had was released, and the tag may still hold all or part of it.
    case rowMoved
    /// The tag fills in and signs its message itself, or can be written only with its keys.
    case dynamicMessage
    /// The tag has neither the delivery keys nor the keys of its row.
    case otherKeys
    /// Several tags are on the reader.
    case severalTags
    /// The tag's chip is not of the required type.
    case wrongChip
    /// The reader cannot send the commands that the tag needs.
    ///
    /// Another reader may be able to send them.
    case wrongReader
    /// The message does not fit on the tag.
    case tooLarge
    /// The tag cannot be written.
    case readOnly
    /// The tag has no space for a message.
    case notNDEF
    /// The tag requires a password.
    case passwordNeeded
    /// The tag refused the password.
    case wrongPassword
    /// It is not known whether the tag accepted the password.
    case passwordUnanswered
    /// The tag is blank, and initialising it was not confirmed.
    case notAgreed = "confirmationNeeded"
    /// The message on the tag breaks the rules of NDEF.
    case brokenMessage = "badNDEF"
    /// The tag left the field.
    case tagGone = "tagLost"
    /// The tag broke the rules of its specification.
    case brokenRules = "tagProtocol"

    /// The cause that corresponds to a kind of failure, or nil if the failure does not concern a tag.
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
            .badFile, .badPlan, .journalBusy, .journalAway, .notAllowed, .usage, .internal:
            return nil
        }
    }
}

extension RefusalCause {
    /// Whether another attempt with the same tag and row would fail again.
    package var isFinal: Bool {
        switch self {
        case .cannotLock, .uselessLock: true
        case .foreignContent, .sameContent, .rowTaken, .contentChanged, .passwordLost, .sameUID, .noRow, .otherStation,
            .rowMoved, .dynamicMessage, .otherKeys, .severalTags, .wrongChip, .wrongReader, .tooLarge, .readOnly,
            .notNDEF, .passwordNeeded, .wrongPassword, .passwordUnanswered, .notAgreed, .brokenMessage, .tagGone,
            .brokenRules:
            false
        }
    }
}

/// The reason why a tag was refused, as a journal stores it.
///
/// Another version of nfctool may have stored a reason that this version does not define.
public enum StoredCause: Hashable, Sendable {
    /// A reason that this version defines.
    case known(RefusalCause)
    /// A word that only another version defines.
    case foreign(word: String)

    /// Finds the reason for a stored word.
    public init(word: String) { self = RefusalCause(rawValue: word).map(Self.known) ?? .foreign(word: word) }

    /// The word that is stored.
    public var word: String {
        switch self {
        case .known(let cause): cause.rawValue
        case .foreign(let word): word
        }
    }

    /// Whether the cause lies in the tag itself, and not in the number of tags or in the remaining rows.
    public var isOfTag: Bool {
        switch self {
        case .known(.severalTags), .known(.noRow): false
        case .known, .foreign: true
        }
    }
}
