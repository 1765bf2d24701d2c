// Detecting an interrupted write or lock when a tag is read

public import ReaderInterface
public import ReaderSession
public import WriteJournal

/// An interrupted write or lock that must be finished or undone.
///
/// Until then, the tag may hold an invalid message or the old one, or its message may still be unlocked.
public struct InterruptedWrite: Sendable {
    /// The tag's UID.
    public let uid: [UInt8]
    /// Whether the change is a lock and the message is complete.
    public let isLock: Bool
    /// Whether the change is a write and the tag still holds its old message.
    public let keepsOldMessage: Bool

    /// Finds the interrupted write or lock of a tag that was read.
    ///
    /// Returns nil if the journal contains no change that could have left the tag in this state, or if the journal
    /// cannot be read.
    public static func find(
        of target: Target, holding held: HeldMessage, in journals: Journals
    ) -> InterruptedWrite? {
        let entries = (try? journals.writes.entries().entries) ?? []
        guard let entry = entries.first(where: { $0.uid == target.identifier }) else { return nil }
        let work = UnfinishedWork(entry, on: held)
        guard work.leavesNoMessage || work.leavesOpenLock || work.keepsOldMessage else { return nil }
        return InterruptedWrite(
            uid: entry.uid, isLock: work.leavesOpenLock, keepsOldMessage: work.keepsOldMessage)
    }

    /// Finds the interrupted write or lock of a connected tag.
    ///
    /// Returns nil also if the tag has no message that can be compared.
    public static func find(
        on tag: ConnectedTag, in journals: Journals = .ofThisUser
    ) async -> InterruptedWrite? {
        guard let held = try? await tag.perform({ try HeldMessage.read(from: $0) }) else { return nil }
        return find(of: tag.target, holding: held, in: journals)
    }
}
