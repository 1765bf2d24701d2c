// A user's journals of writes, restores and passwords — XDG Base Directory Specification, $XDG_STATE_HOME

/// The journals in which a user's computer records what it does to tags.
public struct Journals: Sendable {
    /// Writes and locks in progress.
    public let writes: WriteJournal
    /// Restores in progress.
    public let restores: RestoreJournal
    /// The passwords that tags accepted or refused.
    public let passwords: PasswordJournal
    /// Completed writes that can be undone.
    public let done: DoneWrites
    /// Writes that were undone and can be redone.
    ///
    /// Their numbers are the times of the undos.
    public let undone: DoneWrites

    /// Creates the journals in folders next to the folder of a write journal.
    public init(_ writes: WriteJournal) {
        self.writes = writes
        restores = RestoreJournal(beside: writes)
        passwords = PasswordJournal(beside: writes)
        done = DoneWrites(.done, beside: writes)
        undone = DoneWrites(.undone, beside: writes)
    }

    /// Deletes the messages of earlier writes of a tag, or of all tags if `uid` is nil.
    ///
    /// - Returns: the number of deleted writes, including those that were undone.
    /// - Throws: `WriteJournalError`.
    public func forgetMessages(of uid: [UInt8]? = nil) throws(WriteJournalError) -> Int {
        try done.forgetAll(of: uid) + undone.forgetAll(of: uid)
    }

    /// Returns whether a write to a tag, or to any tag if `uid` is nil, was undone, or its undo was begun.
    ///
    /// - Throws: `WriteJournalError`.
    public func mayRedo(_ uid: [UInt8]?) throws(WriteJournalError) -> Bool {
        if try !undone.writes(of: uid).isEmpty { return true }
        return try writes.entries().entries.contains { $0.takesBack != nil && (uid == nil || $0.uid == uid) }
    }

    /// The journals in this user's state folder.
    public static let ofThisUser = Journals(.ofThisUser)
}
