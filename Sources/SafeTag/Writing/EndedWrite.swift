// Ends a verified write: what is kept for undo, and what an undo does with the stored write that it reverts

import Composing
import ReaderSession
import TagTypes
import WriteJournal

extension SafeWrite {
    /// Ends the journal entry of a verified write, and the stored write that it reverts.
    ///
    /// A wiped message is not kept, and the stored writes of the tag are forgotten with it, because they contain the
    /// tag's earlier messages. The message that an undo reverts is kept for ``redo(within:uid:)``. If an undo replaces a
    /// message that does not come from a stored write, that message is kept among the writes that can be undone.
    /// - Throws: ``JournalFailure``.
    func endEntry(_ entry: JournalEntry?, of tag: ConnectedTag, after change: JournalFailure.Change) throws {
        guard let entry else { return try forgetEntry(of: tag, after: change) }
        guard let number = entry.takesBack else {
            guard entry.insured == nil, entry.plan.isWiping else {
                return try forgetEntry(of: tag, after: change, keptAmong: entry.insured == nil ? done : nil)
            }
            // Only the entry shows that this was a wipe, so remove it last. If the command is interrupted here, recover
            // forgets the rest.
            try forgetStoredWrites(of: entry.uid, after: change)
            return try forgetEntry(of: tag, after: change)
        }
        let isForeign = try kept(number, of: entry.uid).map { !entry.held.isMessage($0.entry.plan.newMessage) } ?? false
        // If the write also replaced data from other programs, there may be no other copy of that data.
        let isKept = isForeign || entry.plan.displaced != nil
        try forgetEntry(of: tag, after: change, keptAmong: isKept ? session.journals.done : nil)
        try endTakenBack(number, of: entry.uid, replacing: entry.held)
    }

    /// Forgets the stored writes of a tag that was wiped.
    ///
    /// - Throws: ``JournalFailure``.
    func forgetStoredWrites(of uid: [UInt8], after change: JournalFailure.Change) throws {
        do throws(WriteJournalError) {
            _ = try session.journals.forgetMessages(of: uid)
        } catch {
            throw begun.told(error, of: uid, .done(change))
        }
    }

    /// Ends a stored write after an undo reverted it: it is kept among the writes that can be redone.
    ///
    /// If the tag held another message in the meantime, there may be no other copy of the message that the write left.
    /// The stored write therefore stays, and the change in between is stored after it: the next undos revert both. A
    /// second call changes nothing.
    ///
    /// - Parameters:
    ///   - number: the number of the stored write. If no write with this number is stored, it was ended earlier.
    ///   - uid: the UID of the tag.
    ///   - held: the content of the tag before the undo.
    /// - Returns: whether the message that the write left stays stored.
    /// - Throws: ``JournalFailure``.
    @discardableResult
    func endTakenBack(_ number: Int64, of uid: [UInt8], replacing held: HeldMessage) throws -> Bool {
        guard let write = try kept(number, of: uid) else { return false }
        let isForeign = !held.isMessage(write.entry.plan.newMessage)
        // If the next number is in use, an earlier call has already stored the change, with the content that the tag
        // had at that time.
        if isForeign, try kept(number &+ 1, of: uid) != nil { return true }
        do throws(WriteJournalError) {
            if isForeign {
                let change = JournalEntry(
                    uid: uid, tagName: write.entry.tagName, started: write.ended,
                    replaced: write.entry.plan.newMessage, by: held.bytes ?? [], mirror: held.mirror?.journaled,
                    oldMirror: write.entry.mirror)
                // The numbers are times in microseconds and define the order. This change came before the undo, so it
                // gets the number after that of the write. That number is free, because no other write ended one
                // microsecond later.
                try session.journals.done.keep(change, as: number &+ 1)
            } else {
                try session.journals.undone.keep(write.entry)
                try session.journals.done.forget(number, of: uid)
            }
        } catch {
            throw begun.told(error, of: uid, .done(.broughtBack))
        }
        return isForeign
    }

    private func kept(_ number: Int64, of uid: [UInt8]) throws -> DoneWrites.Write? {
        do throws(WriteJournalError) {
            return try session.journals.done.writes(of: uid).first { $0.number == number }
        } catch {
            throw begun.told(error, of: uid, .done(.broughtBack))
        }
    }
}

extension JournalEntry {
    var held: HeldMessage { HeldMessage(bytes: oldMessage, mirror: mirror(.backward).map(MirrorPlacement.init)) }
}
