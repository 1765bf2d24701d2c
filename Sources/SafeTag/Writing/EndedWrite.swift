// What is kept of a write once it is proven, and what becomes of a kept write that an undo takes back

import Composing
import ReaderSession
import TagTypes
import WriteJournal

extension SafeWrite {
    /// Ends what the journal kept of a write that is proven, and the kept write that it takes back.
    ///
    /// What was wiped is not kept for later, nor is a message that an undo takes back. A message that no kept write
    /// left is kept when an undo replaces it: it may be nowhere else.
    /// - Throws: ``JournalFailure``.
    func endEntry(_ entry: JournalEntry?, of tag: ConnectedTag, after change: JournalFailure.Change) throws {
        guard let entry else { return try forgetEntry(of: tag, after: change) }
        guard let number = entry.takesBack else {
            let isKept = entry.insured == nil && !entry.plan.isWiping
            return try forgetEntry(of: tag, after: change, keptAmong: isKept ? done : nil)
        }
        let isForeign = try kept(number, of: entry.uid).map { !entry.held.isMessage($0.entry.plan.newMessage) } ?? false
        // Data of other programs that the undo replaced may be nowhere else, either.
        let isKept = isForeign || entry.plan.displaced != nil
        try forgetEntry(of: tag, after: change, keptAmong: isKept ? session.journals.done : nil)
        try endTakenBack(number, of: entry.uid, replacing: entry.held)
    }

    /// Forgets a kept write whose message an undo replaced.
    ///
    /// When the tag held another message by then, the message that the write left is on no tag, and perhaps nowhere
    /// else. The write is kept then, and after it the change that came in between, so that the next undos go back over
    /// both. Calling this once more changes nothing.
    ///
    /// - Parameters:
    ///   - number: the kept write; one that is not there any more was ended before.
    ///   - uid: the tag.
    ///   - held: what the tag held before the undo.
    /// - Returns: whether the message that the write left is kept.
    /// - Throws: ``JournalFailure``.
    @discardableResult
    func endTakenBack(_ number: Int64, of uid: [UInt8], replacing held: HeldMessage) throws -> Bool {
        guard let write = try kept(number, of: uid) else { return false }
        let isForeign = !held.isMessage(write.entry.plan.newMessage)
        do throws(WriteJournalError) {
            if isForeign {
                let change = JournalEntry(
                    uid: uid, tagName: write.entry.tagName, started: write.ended,
                    replaced: write.entry.plan.newMessage, by: held.bytes ?? [], oldMirror: write.entry.mirror)
                // The numbers are the order, and this change came before the undo. No other write has ended in the same
                // microsecond.
                try session.journals.done.keep(change, as: number + 1)
            } else {
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
    /// What the tag held before the write.
    var held: HeldMessage { HeldMessage(bytes: oldMessage, mirror: mirror(.backward).map(MirrorPlacement.init)) }
}
