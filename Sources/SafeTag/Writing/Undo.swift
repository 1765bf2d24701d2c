// Undoing the last write to a tag: the earlier message is written, journaled and verified like any other

import Composing
import ReaderInterface
import ReaderSession
import TagTypes
import WriteJournal

extension SafeWrite {
    /// Waits for a single tag, and restores the message that it held before its last stored write.
    ///
    /// That write is then removed from the store, so the next call undoes the one before it. If the tag holds a message
    /// other than the one that this write left, both messages are stored instead, and the next calls restore them.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait, or nil to wait forever.
    ///   - uid: the UID of the only tag to accept. Nil accepts any tag that is the only one on the reader.
    /// - Returns: the tag afterwards, or nil if no write to it is stored; whether it already held the old message; and
    ///   whether the message that the write left stays stored. If no write is stored, or if the tag already held the
    ///   old message, nothing was changed.
    /// - Throws: ``UnfinishedWrite`` or ``UnfinishedRestore`` if another write or a restore was interrupted, because only
    ///   its record holds the old message; what the dialogue throws if the tag does not hold the message that the write left; the reason why the
    ///   tag cannot be written.
    public func undo(
        within timeout: Duration?, uid: [UInt8]? = nil
    ) async throws -> (uid: [UInt8], reading: TagReading?, wasThere: Bool, isLeftKept: Bool) {
        let detected = try await session.onlyTag(within: timeout, uid: uid)
        let uid = detected.target.identifier
        let isAnyKept = try await JournalFailure.beforeAnyChange { try !session.journals.done.writes(of: uid).isEmpty }
        guard isAnyKept else { return (uid, nil, false, false) }
        var change = try await change(opening: detected, to: .replaceMessage)
        // The message from before an interrupted restore is only in its record, so no stored write is the last one.
        try await JournalFailure.beforeAnyChange { try await change.requireNoHalfRestore() }
        // If an interrupted write has just been finished, it is now the last one.
        let kept = try await JournalFailure.beforeAnyChange { try session.journals.done.writes(of: uid) }
        guard let last = kept.first else { return (uid, nil, false, false) }
        let write = takingBack(last.number)
        change.write = write
        let (reading, replaced, wasThere) = try await change.undo(last.entry)
        // If the tag already held the old message, nothing was written, so the stored write has not been ended yet.
        let isLeftKept = try write.endTakenBack(last.number, of: uid, replacing: replaced)
        return (uid, reading, wasThere, isLeftKept)
    }
}

extension TagChange {
    /// Restores the message that the tag held before a write.
    ///
    /// - Returns: the tag afterwards, its earlier content, and whether it already held that message.
    fileprivate func undo(
        _ entry: JournalEntry
    ) async throws -> (TagReading, replaced: HeldMessage, wasThere: Bool) {
        // If the interrupted write wanted the same message, it was this undo, which now continues.
        let isBegun = unfinished.map { $0.entry.plan.newMessage == entry.oldMessage } ?? false
        // The old message of any other interrupted write exists only in the journal, and this undo would replace its
        // entry.
        if let unfinished, !isBegun { throw UnfinishedWrite(unfinished) }
        let held = try await session.withoutChange { try await tag.perform { try HeldMessage.read(from: $0) } }
        if !isBegun, !held.isMessage(entry.plan.newMessage), !held.isMessage(entry.oldMessage) {
            try await session.withoutChange {
                // Do not ask about a tag that can only be written with its keys.
                try await tag.perform { try ($0 as? Type4Tag)?.requireOpenMessage() }
                try await ask(.undo(entry, held: held.bytes)) {
                    try await tag.perform { try HeldMessage.read(from: $0) }.isSame(as: held)
                }
            }
        }
        let mirror = entry.oldMirror.map(MirrorPlacement.init)
        let reading = try await self.write(
            PlacedMessage(bytes: mirror?.stored(entry.oldMessage) ?? entry.oldMessage, mirror: mirror),
            followedBy: entry.plan.displaced ?? [], overOtherData: held.bytes == nil)
        // After an interrupted undo, use the content from before it, not the content that it left.
        let replaced = isBegun ? unfinished?.entry.held ?? held : held
        let isThere = !isBegun && held.isMessage(entry.oldMessage) && entry.plan.displaced == nil
        return (reading, replaced, isThere)
    }
}
