// What happens while a plan is carried out

import Foundation
public import ReaderInterface

/// One event of a run.
public enum ProvisionEvent: Sendable {
    /// A reader was opened, or opened again; `named` is what the user calls it.
    case readerOpened(reader: String, named: String = "auto")
    /// A reader is set aside until it comes back.
    case readerLost(reader: String, FailureKind, reason: String)
    /// A tag got a row, or is given the rest of it.
    case started(ProvisionedTag, row: PlanRow)
    /// A blank tag is about to be initialised, which may set one-time bits.
    case initialising(ProvisionedTag, row: PlanRow, Target)
    /// The tag holds its row: verified, and closed as the row wants.
    case finished(ProvisionedTag, row: PlanRow, state: RowState, RowProof, seal: RowSeal = RowSeal())
    /// The tag had its row already, so nothing was done.
    case known(ProvisionedTag, row: PlanRow, state: RowState, seal: RowSeal = RowSeal())
    /// The tag was verified to hold its row, and is empty now: it gets the row again.
    case erased(ProvisionedTag, row: PlanRow)
    /// The tag got no row, or lost it again.
    case refused(ProvisionedTag, cause: RefusalCause, reason: String, isQuarantined: Bool)
    /// The tag left before it was finished: it is to come back.
    case cut(ProvisionedTag, row: PlanRow, reason: String)
    /// The tag refuses to be finished, and the row stays with it.
    case failed(ProvisionedTag, row: PlanRow, cause: RefusalCause, reason: String)
    /// Several different tags in a row had trouble on a reader: its antenna is the likely cause, not the tags.
    case weakField(reader: String, troubled: Int, of: Int)
    /// Several different tags in a row were refused on a reader, or failed: these are likely not the tags of the plan.
    case manyRefused(reader: String, refused: Int, of: Int)
    /// The tag is gone.
    case removed(ProvisionedTag)
    /// What was to be done after a row failed.
    case commandFailed(ProvisionedTag, row: PlanRow, reason: String)
    /// A tag came again and was compared with its row.
    case checked(TagCheck)
    /// All there is to say at the end of a verification.
    case checkedAll(VerificationSummary)
    /// The database of the journal is away: tags get no rows. The last steps of `keptRows` rows, and why `keptTags` tags were
    /// refused, are kept here until it is back.
    case databaseAway(reason: String, keptRows: Int, keptTags: Int)
    /// The database is back, and what was kept is stored.
    case databaseBack(JournalReturn)
    /// All there is to say at the end of a run.
    case ended(ProvisionSummary)
}
