// Undoing the last write of a tag: its earlier message is written like any other, journaled and verified

import Composing
import ReaderInterface
import ReaderSession
import TagTypes
import WriteJournal

extension SafeWrite {
    /// Waits for the one tag, and restores the message from before its last stored write.
    ///
    /// That write is then removed, so the next call undoes the one before it. If the tag holds a message that this
    /// write did not leave, both messages are kept instead, and the next calls restore them.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait, or nil to wait forever.
    ///   - uid: the UID of the only tag to accept. Nil accepts any tag if it is the only one.
    /// - Returns: the tag afterwards, or nil if no write to it is stored; whether it already held the old message; and
    ///   whether the message that the write left is kept. If no write is stored, or if the tag already held the old
    ///   message, nothing was changed.
    /// - Throws: ``UnfinishedWrite`` if another write was interrupted, because only its entry holds the old message;
    ///   what the dialogue throws if the tag does not hold the message that the write left; the reason why the tag
    ///   cannot be written.
    public func undo(
        within timeout: Duration?, uid: [UInt8]? = nil
    ) async throws -> (uid: [UInt8], reading: TagReading?, wasThere: Bool, isLeftKept: Bool) {
        let detected = try await session.onlyTag(within: timeout, uid: uid)
        let uid = detected.target.identifier
        let isAnyKept = try await JournalFailure.beforeAnyChange { try !session.journals.done.writes(of: uid).isEmpty }
        guard isAnyKept else { return (uid, nil, false, false) }
        var change = try await change(opening: detected, to: .replaceMessage)
        // If an interrupted write has just been finished, it is now the last one.
        let kept = try await JournalFailure.beforeAnyChange { try session.journals.done.writes(of: uid) }
        guard let last = kept.first else { return (uid, nil, false, false) }
        let write = takingBack(last.number)
        change.write = write
        let (reading, replaced, wasThere) = try await change.undo(last.entry)
        // If the tag already held the old message and nothing was written, the stored write has not been ended yet.
        let isLeftKept = try write.endTakenBack(last.number, of: uid, replacing: replaced)
        return (uid, reading, wasThere, isLeftKept)
    }
}

extension TagChange {
    /// Restores the message from before a write.
    ///
    /// - Returns: the tag afterwards, its earlier content, and whether it already held that message.
    fileprivate func undo(
        _ entry: JournalEntry
    ) async throws -> (TagReading, replaced: HeldMessage, wasThere: Bool) {
        // True if this continues an interrupted undo.
        let isBegun = unfinished.map { $0.entry.plan.newMessage == entry.oldMessage } ?? false
        // The message kept by another interrupted write exists only in the journal.
        if let unfinished, !isBegun { throw UnfinishedWrite(unfinished) }
        let held = try await session.withoutChange { try await tag.perform { try HeldMessage.read(from: $0) } }
        if !isBegun, !held.isMessage(entry.plan.newMessage), !held.isMessage(entry.oldMessage) {
            try await session.withoutChange {
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
