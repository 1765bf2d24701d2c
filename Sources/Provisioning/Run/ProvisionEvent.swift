// The events that a run reports

import Foundation
public import ReaderInterface

/// One event of a run.
public enum ProvisionEvent: Sendable {
    /// A reader was opened for the first time or again. `named` is the name that the user gave it.
    case readerOpened(reader: String, named: String = "auto")
    /// A reader failed. It is not used until it is available again.
    case readerLost(reader: String, FailureKind, reason: String)
    /// A tag got a row, or the missing part of its row is being written.
    ///
    /// `isNew` is false if the tag had the row before.
    case started(ProvisionedTag, row: PlanRow, isNew: Bool = true)
    /// A blank tag is about to be initialised, which may set one-time bits.
    case initialising(ProvisionedTag, row: PlanRow, Target)
    /// The tag holds its row: it was verified, and locked or protected as the row requires.
    case finished(ProvisionedTag, row: PlanRow, state: RowState, RowProof, seal: RowSeal = RowSeal())
    /// The tag already held its row, so nothing was done.
    case known(ProvisionedTag, row: PlanRow, state: RowState, seal: RowSeal = RowSeal())
    /// The tag was verified earlier but is empty now, so its row is written again.
    case erased(ProvisionedTag, row: PlanRow)
    /// The tag gets no row, or has lost its row.
    case refused(ProvisionedTag, cause: StoredCause, reason: String, isQuarantined: Bool)
    /// The tag left before it was finished and must be placed again.
    case cut(ProvisionedTag, row: PlanRow, reason: String)
    /// The tag could not be finished, and keeps the row.
    case failed(ProvisionedTag, row: PlanRow, cause: RefusalCause, reason: String)
    /// Several tags in succession had trouble on a reader. The likely cause is the antenna, not the tags.
    case weakField(reader: String, troubled: Int, of: Int)
    /// Several tags in succession were refused or failed on a reader. They are probably not the tags for this plan.
    case manyRefused(reader: String, refused: Int, of: Int)
    /// The tag was removed.
    case removed(ProvisionedTag)
    /// The command for a finished row failed.
    case commandFailed(ProvisionedTag, row: PlanRow, reason: String)
    /// A tag was compared with its row.
    case checked(TagCheck)
    /// A verification has ended.
    case checkedAll(VerificationSummary)
    /// The journal's database does not answer, so tags get no rows until it does.
    ///
    /// Until then, the last steps of `keptRows` rows, and the reasons for refusing `keptTags` tags, are kept in
    /// memory.
    case databaseAway(reason: String, keptRows: Int, keptTags: Int)
    /// The database answers again, and the kept steps are stored.
    case databaseBack(JournalReturn)
    /// A run has ended.
    case ended(ProvisionSummary)
}
