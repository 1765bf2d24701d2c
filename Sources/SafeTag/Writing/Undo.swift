// Taking the last write of a tag back: its message from before is written as any other, journaled and proven

import Composing
import ReaderInterface
import ReaderSession
import TagTypes
import WriteJournal

extension SafeWrite {
    /// Waits for the one tag, and brings back the message from before its last write that is kept.
    ///
    /// That write is forgotten then: the next call takes the one before it back. A message that no kept write left on the tag is
    /// kept instead, so that the next call brings it back.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait; nil waits forever.
    ///   - uid: of the only tag to take; nil takes any, if it is the only one.
    /// - Returns: the tag as it is afterwards, nil where no write of the tag is kept; and whether it held the old message
    ///   already. In both cases nothing was changed.
    /// - Throws: ``UnfinishedWrite`` where another write was interrupted, which keeps a message that is on no tag; what the dialogue
    ///   throws for a tag that holds another message than the write left; why it cannot be written.
    public func undo(
        within timeout: Duration?, uid: [UInt8]? = nil
    ) async throws -> (uid: [UInt8], reading: TagReading?, wasThere: Bool) {
        let detected = try await session.onlyTag(within: timeout, uid: uid)
        let uid = detected.target.identifier
        let kept = try await JournalFailure.beforeAnyChange { try session.journals.done.writes(of: uid) }
        guard let last = kept.first else { return (uid, nil, false) }
        let (reading, wasThere) = try await takingBack(last.number).change(opening: detected, to: .replaceMessage).undo(
            last.entry)
        // Still there when the tag held the old message already, so that nothing was written.
        try forgetDone(last.number, of: uid)
        return (uid, reading, wasThere)
    }
}

extension TagChange {
    /// Brings the message from before a write back.
    fileprivate func undo(_ entry: JournalEntry) async throws -> (TagReading, wasThere: Bool) {
        var change = self
        // An undo that was interrupted goes on.
        let isBegun = unfinished.map { $0.entry.plan.newMessage == entry.oldMessage } ?? false
        // What another write that was interrupted keeps is in the journal alone.
        if let unfinished, !isBegun { throw UnfinishedWrite(unfinished) }
        let held = try await session.withoutChange { try await tag.perform { try HeldMessage.read(from: $0) } }
        if !isBegun, !held.isMessage(entry.plan.newMessage), !held.isMessage(entry.oldMessage) {
            try await session.withoutChange {
                try await ask(.undo(entry, held: held.bytes)) {
                    try await tag.perform { try HeldMessage.read(from: $0) }.isSame(as: held)
                }
            }
            change.write = write.keepingReplaced()
        } else if let unfinished, isBegun, unfinished.entry.oldMessage != entry.plan.newMessage {
            change.write = write.keepingReplaced()
        }
        let mirror = entry.oldMirror.map(MirrorPlacement.init)
        let reading = try await change.write(
            PlacedMessage(bytes: mirror?.stored(entry.oldMessage) ?? entry.oldMessage, mirror: mirror))
        return (reading, !isBegun && held.isMessage(entry.oldMessage))
    }
}
