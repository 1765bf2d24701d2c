// The journals that belong together: of writes, of restores, of passwords — XDG Base Directory Specification, $XDG_STATE_HOME

/// What a user's computer knows of changes of tags.
public struct Journals: Sendable {
    /// Writes and locks under way.
    public let writes: WriteJournal
    /// Restores under way.
    public let restores: RestoreJournal
    /// What tags made of passwords.
    public let passwords: PasswordJournal
    /// Writes that are done, to be taken back.
    public let done: DoneWrites

    /// The journals beside those of writes.
    public init(_ writes: WriteJournal) {
        self.writes = writes
        restores = RestoreJournal(beside: writes)
        passwords = PasswordJournal(beside: writes)
        done = DoneWrites(beside: writes)
    }

    /// Those in this user's state folder.
    public static let ofThisUser = Journals(.ofThisUser)
}
