// Keeps the message that a restore replaced, so that an undo can bring it back

import Composing
import Foundation
import ReaderInterface
import ReaderSession
import TagImage
import TagTypes
import WriteJournal

extension TagSession {
    /// Stores the message that a restore replaced, so that an undo can bring it back.
    ///
    /// The message is not stored if it is unchanged or incomplete. If the restore supersedes an interrupted write, the
    /// message from before that write is stored unless it is still on the tag.
    ///
    /// - Parameters:
    ///   - old: the memory of the tag before the restore.
    ///   - present: the memory of the tag now.
    ///   - tag: the tag.
    ///   - name: the name of the chip or of the tag type, for people.
    ///   - unfinished: the entry of an interrupted write that the restore supersedes, or nil if there is none.
    /// - Returns: whether the message from before the unfinished write is kept.
    /// - Throws: `WriteJournalError.notWritable`.
    @discardableResult
    func keepMessage(
        in old: TagImage, replacedBy present: TagImage, on tag: ConnectedTag, named name: String,
        superseding unfinished: JournalEntry? = nil
    ) throws(WriteJournalError) -> Bool {
        var isUnfinishedKept = false
        var before = DumpedTag(old, file: "").held ?? HeldMessage(bytes: nil)
        if let unfinished {
            if UnfinishedWork(unfinished, on: before).leavesNoMessage {
                before = unfinished.held
                isUnfinishedKept = true
            } else if !before.isMessage(unfinished.oldMessage) {
                try journals.done.keep(
                    JournalEntry(
                        uid: unfinished.uid, tagName: unfinished.tagName, started: unfinished.started,
                        replaced: unfinished.oldMessage, by: before.bytes ?? [], mirror: before.mirror?.journaled,
                        oldMirror: unfinished.mirror(.backward)))
                isUnfinishedKept = true
            }
        }
        guard let bytes = before.bytes else { return isUnfinishedKept }
        let now = DumpedTag(present, file: "").held
        guard now?.bytes.map(before.isMessage) != true || now?.mirror != before.mirror else {
            return isUnfinishedKept && bytes != unfinished?.oldMessage
        }
        try journals.done.keep(
            JournalEntry(
                uid: tag.target.identifier, tagName: name, started: .now, replaced: bytes, by: now?.bytes ?? [],
                mirror: now?.mirror?.journaled, oldMirror: before.mirror?.journaled))
        return isUnfinishedKept
    }
}

extension TagImage {
    /// Returns the memory as it is after a restore.
    func after(_ plan: RestorePlan) -> TagImage {
        var image = self
        for index in image.blocks.indices {
            let number = image.blocks[index].number
            if plan.mirror.turnedOff != nil, number == plan.mirrors.configurationBlock {
                image.blocks[index].bytes = image.blocks[index].bytes.map(MemoryMap.Mirror.off)
            }
            guard let write = plan.writes.first(where: { $0.number == number }) else { continue }
            image.blocks[index].bytes = write.bytes
            if kind.isClassic, Kind.isClassicTrailer(number), write.bytes.count == 16 {
                image.keys[Kind.classicSector(of: number)] = SectorKeys(
                    a: Array(write.bytes[..<6]), b: Array(write.bytes[10...]))
            }
        }
        return image
    }
}
