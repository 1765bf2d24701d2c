// The interrupted changes that are recorded on this computer, and waiting for one of the tags

import Hexadecimal
public import ReaderInterface
public import ReaderSession
public import WriteJournal

/// The interrupted writes, locks and restores that are recorded on this computer.
public struct UnfinishedChanges: Sendable {
    /// Writes and locks, which ``SafeWrite/recover(_:within:rollingBack:)`` finishes or undoes.
    public let writes: [JournalEntry]
    /// Restores, which another restore completes or undoes.
    public let restores: [PendingRestore]
    /// Entries that cannot be read.
    ///
    /// The old content that they kept may be lost.
    public let unreadable: [WriteJournalError]

    /// Reads the interrupted changes from the journals.
    ///
    /// - Parameters:
    ///   - uid: the UID of the only tag to look for, or nil for all.
    ///   - journals: the journals to read. The default is those of this user.
    /// - Returns: the interrupted writes and restores, with the errors for entries that cannot be read in a separate
    ///   list.
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
    /// Waits for a tag with an interrupted write, and finishes or undoes that write.
    ///
    /// - Parameters:
    ///   - changes: the interrupted changes on this computer.
    ///   - timeout: how long to wait, or nil to wait forever.
    ///   - isRollback: whether to restore the old message.
    /// - Returns: the content of the tag, and how the change was recovered.
    /// - Throws: ``NoTagToRecover``; ``SeveralTags``; ``UnfinishedRestore`` if a restore of the tag was interrupted, but no
    ///   write; the reason why the change could not be completed or undone.
    public func recover(
        _ changes: UnfinishedChanges, within timeout: Duration?, rollingBack isRollback: Bool
    ) async throws -> (reading: TagReading, recovery: TagChange.Recovery) {
        let uids = changes.writes.map(\.uid)
        let found: [DetectedTag]
        do {
            found = try await session.tags(
                within: timeout, among: uids + changes.restores.map(\.uid),
                onOther: { [dialogue] other in dialogue.tell(.nothingToRecover(uid: other, awaited: uids)) })
        } catch let absence as NoTagCame {
            throw NoTagToRecover(absence: absence, awaited: uids)
        }
        let tags = found.filter { uids.contains($0.target.identifier) }
        if tags.isEmpty, let restore = changes.restores.first(where: { $0.uid == found.first?.target.identifier }) {
            throw UnfinishedRestore(
                half: HalfRestore(pending: restore, wayBack: restore.presumedWayBack), isReadOnly: false)
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

/// The error that no tag with an interrupted write to recover was found within the time limit.
public struct NoTagToRecover: ClassifiedError {
    /// The UIDs of other tags on the reader, and the length of the wait.
    public let absence: NoTagCame
    /// The UIDs of the expected tags.
    public let awaited: [[UInt8]]

    /// The kind of failure.
    public var kind: FailureKind { .noTagCame }

    /// The UIDs of the first tags, and the number of the others.
    package static func names(of awaited: [[UInt8]]) -> String {
        let named = 3
        return awaited.prefix(named).map(\.hex).joined(separator: ", ")
            + (awaited.count > named ? " and \(awaited.count - named) more" : "")
    }

    /// A description in sentences.
    public var description: String {
        let wanted = Self.names(of: awaited)
        let here = absence.others.map { "Tag \($0.hex) is on the reader, but has nothing to recover." }
        let subject = awaited.count == 1 ? "The tag with a write to recover" : "No tag with a write to recover"
        let verb = awaited.count == 1 ? "was not found" : "was found"
        return (["\(subject) \(verb) within \(absence.timeout.inWords): \(wanted)."] + here).joined(separator: " ")
    }
}
