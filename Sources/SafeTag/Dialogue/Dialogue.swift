// The questions and notices of a change of a tag, which a program answers on a terminal, in a window, or by a rule

public import ReaderSession
public import TagTypes
public import WriteJournal

/// Answers the questions of changes of tags, and receives their notices.
///
/// Called on any thread, by one change at a time.
public protocol Dialogue: Sendable {
    /// Whether a person gives each answer, and no option or rule does.
    var isPersonal: Bool { get }

    /// Asks before what cannot be undone, or would lose something; returns for yes.
    ///
    /// - Throws: for no; the change ends with this error before it does what was asked about.
    func ask(_ question: Question) throws

    /// Receives notices while a person waits, or while the program waits for a person.
    func tell(_ notice: Notice)
}

extension Dialogue {
    /// False: no person is asked.
    public var isPersonal: Bool { false }
}

/// What a change must know before it goes on.
public enum Question: Sendable {
    /// Send a password to a tag that may count wrong ones.
    case sendPassword(PasswordRisk)
    /// Initialise a blank tag.
    case initialise(ConnectedTag)
    /// Add records to a message in which the chip shows something, which would be turned off.
    case addRecords(turningOff: MirrorContent, isInOneRecord: Bool)
    /// Write a copy in which the other tag's UID or counter, `characters`, is fixed text.
    case writeCopy(of: TagReading, fixing: MirrorContent, characters: String, to: ConnectedTag)
    /// Lock a tag.
    case lock(LockDraft)
    /// Protect a tag with less than it has, or with a limit of wrong passwords.
    case protect(ProtectionDraft)
    /// Take what may be left of an interrupted change off a tag that asks for no password.
    case unprotect(uid: [UInt8], WriteJournalError)
    /// Make an NTAG 424 DNA fill in and sign an address.
    case setUp(SDMSetupDraft)
    /// Give an NTAG 424 DNA other keys.
    case changeKeys(KeyChangeDraft)
    /// Give an NTAG 424 DNA its factory settings and keys back.
    case resetToFactory(DynamicResetDraft)
    /// Restore a dump.
    case restore(RestoreDraft)
    /// Recover a tag that holds another message now, or an empty one.
    case recover(UnfinishedWork)
    /// Take a write back on a tag that holds another message than that write left.
    case undo(JournalEntry, held: [UInt8]?)
}

/// A notice from a change in progress.
public enum Notice: Sendable {
    /// No tag is there yet: any, or the one with this UID. The reader is nil before it is open.
    case awaitingTag(uid: [UInt8]?, reader: String?)
    /// A tag left while it was changed, and is waited for.
    case tagLeft(WriteCut, uid: [UInt8])
    /// Another tag is on the reader.
    case otherTag(uid: [UInt8], awaited: [UInt8])
    /// Another tag is on the reader, which has no write to recover; these have.
    case nothingToRecover(uid: [UInt8], awaited: [[UInt8]])
    /// An earlier write was interrupted; its old message is brought back.
    case bringingBack
    /// An earlier lock of this tag was interrupted, and is not finished.
    case openLock(uid: [UInt8])
    /// What a tag held before an earlier restore that was interrupted is kept in a file.
    case keptAside(path: String)
}

/// Agrees to nothing and ignores notices: for programs that only make changes that need no question.
public struct NoDialogue: Dialogue {
    /// Declines every question.
    public init() {}

    /// - Throws: ``NotAgreed``, always.
    public func ask(_ question: Question) throws { throw NotAgreed() }

    /// Ignores the notice.
    public func tell(_ notice: Notice) {}
}
