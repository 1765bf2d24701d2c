// The changes of tags that this computer knows to be interrupted, and waiting for one of their tags

import Hexadecimal
public import ReaderInterface
public import ReaderSession
public import WriteJournal

/// Writes, locks and restores that were interrupted.
public struct UnfinishedChanges: Sendable {
    /// Writes and locks, which ``SafeWrite/recover(_:within:rollingBack:)`` brings to an end.
    public let writes: [JournalEntry]
    /// Restores, which another restore brings to an end.
    public let restores: [PendingRestore]
    /// Entries that cannot be read: what they were to bring back is not known to be lost.
    public let unreadable: [WriteJournalError]

    /// Reads journals.
    ///
    /// - Parameters:
    ///   - uid: of the only tag to look for; nil for all.
    ///   - journals: by default this user's.
    /// - Returns: the interrupted writes and restores; entries that cannot be read are listed apart.
    /// - Throws: `WriteJournalError`.
    public static func onDisk(
        of uid: [UInt8]? = nil, in journals: Journals = .ofThisUser
    ) throws -> UnfinishedChanges {
        let (entries, unreadable) = try journals.writes.entries()
        let restores = try journals.restores.pending()
        return UnfinishedChanges(
            writes: entries.filter { entry in uid.map { $0 == entry.uid } ?? true },
            restores: restores.filter { restore in uid.map { $0 == restore.uid } ?? true }, unreadable: unreadable)
    }
}

extension SafeWrite {
    /// Waits for a tag with an interrupted write, and brings that to an end.
    ///
    /// - Parameters:
    ///   - changes: what was interrupted on this computer.
    ///   - timeout: how long to wait; nil waits forever.
    ///   - isRollback: whether the old message is to come back.
    /// - Returns: what the tag holds now, and which message that is, or that a lock turned out to be done.
    /// - Throws: ``NoTagToRecover``; ``SeveralTags``; why the change could not be ended.
    public func recover(
        _ changes: UnfinishedChanges, within timeout: Duration?, rollingBack isRollback: Bool
    ) async throws -> (reading: TagReading, recovery: TagChange.Recovery) {
        let uids = changes.writes.map(\.uid)
        let tags: [DetectedTag]
        do {
            tags = try await session.tags(
                within: timeout, among: uids,
                onOther: { [dialogue] other in dialogue.tell(.nothingToRecover(uid: other, awaited: uids)) })
        } catch let absence as NoTagCame {
            throw NoTagToRecover(absence: absence, awaited: uids)
        }
        guard let tag = tags.first, let entry = changes.writes.first(where: { $0.uid == tag.target.identifier }) else {
            throw NoTagToRecover(
                absence: NoTagCame(after: timeout, others: tags.map(\.target.identifier)), awaited: uids)
        }
        guard tags.count == 1 else { throw SeveralTags(tags, in: session) }
        let change = TagChange(of: try await session.connect(to: tag), self)
        return try await change.recover(entry, rollingBack: isRollback)
    }
}

/// None of the tags came that have a write to recover.
public struct NoTagToRecover: ClassifiedError {
    /// What came instead, and how long it was waited.
    public let absence: NoTagCame
    /// The UIDs that were waited for.
    public let awaited: [[UInt8]]

    /// What kind of thing went wrong.
    public var kind: FailureKind { .noTagCame }

    /// What happened, in sentences.
    public var description: String {
        let wanted = awaited.map(\.hex).joined(separator: ", ")
        let here = absence.others.map { "Tag \($0.hex) is on the reader, but has nothing to recover." }
        let subject = awaited.count == 1 ? "The tag with a write to recover" : "No tag with a write to recover"
        let verb = awaited.count == 1 ? "did not come" : "came"
        return (["\(subject) \(verb) within \(absence.timeout.inWords): \(wanted)."] + here).joined(separator: " ")
    }
}
