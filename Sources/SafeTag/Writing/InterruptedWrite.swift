// What a look at a tag finds of a write or lock that was interrupted

public import ReaderInterface
public import ReaderSession
public import WriteJournal

/// A change that was interrupted and must be finished, or taken back, before the message on its tag counts, or is locked.
public struct InterruptedWrite: Sendable {
    /// The tag.
    public let uid: [UInt8]
    /// Whether it is a lock, and the message is whole.
    public let isLock: Bool

    /// The write of a tag that was read.
    ///
    /// Nil where the journal knows of no write that left the tag so; a journal that cannot be read says nothing here.
    public static func find(
        of target: Target, holding held: HeldMessage, in journals: Journals
    ) -> InterruptedWrite? {
        let entries = (try? journals.writes.entries().entries) ?? []
        guard let entry = entries.first(where: { $0.uid == target.identifier }) else { return nil }
        let work = UnfinishedWork(entry, on: held)
        guard work.leavesNoMessage || work.leavesOpenLock else { return nil }
        return InterruptedWrite(uid: entry.uid, isLock: work.leavesOpenLock)
    }

    /// The same for a connected tag; nil also for one that shows no message to compare.
    public static func find(
        on tag: ConnectedTag, in journals: Journals = .ofThisUser
    ) async -> InterruptedWrite? {
        guard let held = try? await tag.perform({ try HeldMessage.read(from: $0) }) else { return nil }
        return find(of: tag.target, holding: held, in: journals)
    }
}
