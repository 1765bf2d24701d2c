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

    /// Creates the journals in folders next to the folder of a write journal.
    public init(_ writes: WriteJournal) {
        self.writes = writes
        restores = RestoreJournal(beside: writes)
        passwords = PasswordJournal(beside: writes)
        done = DoneWrites(beside: writes)
    }

    /// The journals in this user's state folder.
    public static let ofThisUser = Journals(.ofThisUser)
}
