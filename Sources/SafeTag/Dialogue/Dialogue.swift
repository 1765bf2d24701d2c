// The notices and questions of a change. A program answers questions on a terminal, in a window, or by a rule

public import ReaderSession
public import TagTypes
public import WriteJournal

/// Answers questions about changes to tags and receives notices.
///
/// Its functions may be called on any thread, but by only one change at a time.
public protocol Dialogue: Sendable {
    /// Whether each answer is given by a person, not by an option or a rule.
    var isPersonal: Bool { get }

    /// Asks before a step that cannot be undone or that would lose something, and returns if the answer is yes.
    ///
    /// - Throws: an error if the answer is no. The change then ends with this error before that step.
    func ask(_ question: Question) throws

    /// Receives notices while a person waits, or while the program waits for a person.
    func tell(_ notice: Notice)
}

extension Dialogue {
    /// By default false, because no person is asked.
    public var isPersonal: Bool { false }
}

/// A question that must be answered before a change continues.
public enum Question: Sendable {
    /// Send a password to a tag that may count wrong attempts.
    case sendPassword(PasswordRisk)
    /// Initialise a blank tag. Its state shows how much memory this uses.
    case initialise(ConnectedTag, NDEFState)
    /// Delete bytes in the data area that are not a message.
    case deleteOtherData(uid: [UInt8])
    /// Add records to a message with mirrored content. This would turn the mirror off.
    case addRecords(turningOff: MirrorContent, isInOneRecord: Bool)
    /// Write a copy of a message with a mirrored UID or counter, which becomes fixed text (`characters`).
    case writeCopy(of: TagReading, fixing: MirrorContent, characters: String, to: ConnectedTag)
    /// Write a copy of a message that the original tag fills in, or signs, at each tap.
    case writeFilledInCopy(of: TagReading, to: ConnectedTag)
    /// Lock a tag.
    case lock(LockDraft)
    /// Make a tag less protected than before, or set a limit on wrong passwords.
    case protect(ProtectionDraft)
    /// Remove possible remains of an interrupted change from a tag that requires no password.
    case unprotect(uid: [UInt8], WriteJournalError)
    /// Make an NTAG 424 DNA fill in and sign a URL.
    case setUp(SDMSetupDraft)
    /// Change the keys of an NTAG 424 DNA.
    case changeKeys(KeyChangeDraft)
    /// Restore the factory settings and keys of an NTAG 424 DNA.
    case resetToFactory(DynamicResetDraft)
    /// Restore a dump.
    case restore(RestoreDraft)
    /// Recover a tag that now holds another message, or an empty one.
    case recover(UnfinishedWork)
    /// Undo a write on a tag that no longer holds the message of this write.
    case undo(JournalEntry, held: [UInt8]?)
}

/// A notice from a change in progress.
public enum Notice: Sendable {
    /// The change waits for a tag: any tag, or the one with this UID.
    ///
    /// The reader is nil until it is open. The limit applies to the whole wait, and is nil if there is no limit.
    case awaitingTag(uid: [UInt8]?, reader: String?, limit: Duration?)
    /// A tag left while it was being changed. The change waits for it.
    case tagLeft(WriteCut, uid: [UInt8])
    /// Another tag is on the reader.
    case otherTag(uid: [UInt8], awaited: [UInt8])
    /// Another tag is on the reader. It has no write to recover, but the tags in `awaited` do.
    case nothingToRecover(uid: [UInt8], awaited: [[UInt8]])
    /// An earlier write was interrupted. Its old message is being restored.
    case bringingBack
    /// An earlier lock of this tag was interrupted and is not complete.
    case openLock(uid: [UInt8])
    /// The content that the tag had before an interrupted restore is kept in a file.
    case keptAside(path: String)
    /// TLVs from another program follow the message that will be replaced, and will be lost with it. `isKept` is true
    /// if ``SafeWrite/undo(within:uid:)`` can restore them.
    case replacesOtherData(uid: [UInt8], byteCount: Int, isKept: Bool)
    /// An earlier write to this tag was interrupted, and a restore has replaced the content that this write left. An
    /// undo brings back the message from before that write.
    case supersededWrite(uid: [UInt8])
}

/// Declines every question and ignores notices, for programs that make only changes that need no confirmation.
public struct NoDialogue: Dialogue {
    /// Creates a dialogue that declines every question.
    public init() {}

    /// Declines the question.
    ///
    /// - Throws: ``NotAgreed``, always.
    public func ask(_ question: Question) throws { throw NotAgreed() }

    /// Ignores the notice.
    public func tell(_ notice: Notice) {}
}
