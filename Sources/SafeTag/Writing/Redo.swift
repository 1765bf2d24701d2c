// Redoing a write that an undo reverted: its message is written, journaled, verified and kept like that of any write

import Composing
import ReaderInterface
import ReaderSession
import TagTypes
import WriteJournal

extension SafeWrite {
    /// Waits for a single tag, and restores the message that the last undo removed from it.
    ///
    /// The message on the tag is kept like before any other write, so ``undo(within:uid:)`` brings it back. The next
    /// call restores the message that the undo before the last one removed.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait, or nil to wait forever.
    ///   - uid: the UID of the only tag to accept. Nil accepts any tag that is the only one on the reader.
    /// - Returns: the tag afterwards, or nil if no undo of the tag is stored; and whether it already held the message. An
    ///   undo that was interrupted after the tag was written counts.
    /// - Throws: ``UnfinishedWrite`` or ``UnfinishedRestore`` if another write or a restore was interrupted; the reason why the tag cannot be written;
    ///   ``JournalFailure``.
    public func redo(
        within timeout: Duration?, uid: [UInt8]? = nil
    ) async throws -> (uid: [UInt8], reading: TagReading?, wasThere: Bool) {
        let detected = try await session.onlyTag(within: timeout, uid: uid)
        let uid = detected.target.identifier
        guard try await JournalFailure.beforeAnyChange({ try session.journals.mayRedo(uid) }) else {
            return (uid, nil, false)
        }
        let change = try await change(opening: detected, to: .replaceMessage)
        try await JournalFailure.beforeAnyChange { try await change.requireNoHalfRestore() }
        // If an interrupted undo has just been finished, it is now the last one.
        let last = try await JournalFailure.beforeAnyChange { try session.journals.undone.writes(of: uid).first }
        guard let last else { return (uid, nil, false) }
        let (reading, wasThere) = try await change.redo(last.entry)
        do throws(WriteJournalError) {
            try session.journals.undone.forget(last.number, of: uid)
        } catch {
            throw begun.told(error, of: uid, .done(.broughtBack))
        }
        return (uid, reading, wasThere)
    }
}

extension TagChange {
    /// Writes the message of a write that was undone.
    ///
    /// - Returns: the tag afterwards, and whether it already held that message.
    fileprivate func redo(_ entry: JournalEntry) async throws -> (TagReading, wasThere: Bool) {
        let message = entry.plan.newMessage
        // If the interrupted write wanted the same message, it was this redo, which now continues.
        let isBegun = unfinished.map { $0.entry.plan.newMessage == message } ?? false
        if let unfinished, !isBegun { throw UnfinishedWrite(unfinished) }
        let held = try await session.withoutChange { try await tag.perform { try HeldMessage.read(from: $0) } }
        let mirror = entry.mirror.map(MirrorPlacement.init)
        let reading = try await write(PlacedMessage(bytes: mirror?.stored(message) ?? message, mirror: mirror))
        return (reading, !isBegun && held.isMessage(message))
    }
}
