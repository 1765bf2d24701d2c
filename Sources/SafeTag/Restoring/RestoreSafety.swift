// The content of a tag before a restore: where it is kept, and when it is deleted

import Foundation
import TagImage
import TagTypes
import WriteJournal

/// Keeps the old content of a tag on disk during a restore.
///
/// The content to keep is the one from before the first interrupted restore, not the mixture that this restore left. If
/// the tag has been written since, its current content must not be lost either: it is kept, and the older content is
/// moved aside.
struct RestoreSafety {
    private let uid: [UInt8]
    private let record: RestoreRecord
    private let isChanged: Bool
    private let journal: RestoreJournal

    /// The files with the old content.
    struct Kept {
        /// The content of the tag before the restore.
        let file: URL
        /// The content from before an earlier interrupted restore.
        ///
        /// Nil unless the tag was written after that restore.
        let older: URL?
    }

    /// Compares the content of a tag with what an earlier restore would have left.
    ///
    /// Nothing is written yet.
    ///
    /// `present` is the content of the tag, and `path` is that of the dump's file. The record keeps the command line's
    /// options, so that the restore can be finished with the same options.
    static func compared(
        in journal: RestoreJournal, uid: [UInt8], holding present: TagImage, restoring dump: TagImage,
        from path: String,
        options: [String],
        _ plan: RestorePlan
    ) throws(WriteJournalError) -> RestoreSafety {
        let earlier = try journal.pending(uid: uid)
        return RestoreSafety(
            in: journal, uid: uid, holding: present, restoring: dump, from: path, options: options, plan, after: earlier
        )
    }

    private init(
        in journal: RestoreJournal, uid: [UInt8], holding present: TagImage, restoring dump: TagImage,
        from path: String,
        options: [String],
        _ plan: RestorePlan, after earlier: PendingRestore?
    ) {
        self.journal = journal
        self.uid = uid
        let isMirrorOff = plan.mirror.turnedOff != nil
        // The mirror is turned off before the first of these writes. While it is off, only some blocks have known
        // content.
        let start = isMirrorOff ? plan.mirrors.knownWhenOff(present.comparedBlocks) : present.comparedBlocks
        let standing = earlier?.record?.standing(of: present.comparedBlocks)
        // Without a record, the origin of the current content is not known. Treat the tag as changed, so that neither
        // the current nor the older content is lost.
        isChanged = earlier != nil && (standing == nil || standing == .changed)
        let isStartWhole = earlier == nil || isChanged || standing != .halfway
        let touched = isStartWhole ? [] : earlier?.record?.touched ?? []
        let closed = plan.closedMessage.map { RestoreRecord.Write(number: $0.closed.number, bytes: $0.closed.bytes) }
        let writes = plan.steps.dropFirst(closed == nil ? 0 : 1).map { write in
            RestoreRecord.Write(number: write.number, bytes: present.compared(write.bytes, of: write.number))
        }
        let compared = writes.filter { start[$0.number] != $0.bytes || $0.number == closed?.number }
        let before = isChanged ? [] : earlier?.record?.permanent ?? []
        let permanent = plan.oneTimeChanges.map { change in
            RestoreRecord.Permanent(number: change.block, before: start[change.block], name: change.name)
        }
        let file = URL(filePath: path).standardizedFileURL.path
        let isLasting = path != "-" && file != earlier?.old.standardizedFileURL.path && LastingFile.isAt(file)
        record = RestoreRecord(
            dump: isLasting ? file : nil, options: options,
            start: start, writes: compared, closed: closed, isComparable: compared.count == writes.count,
            isStartWhole: isStartWhole && !isMirrorOff,
            isEndWhole: touched.allSatisfy { dump[block: $0] != nil },
            touched: touched.union(plan.steps.map(\.number)),
            // For a block that an earlier restore was to change, use its content from before that restore.
            permanent: before + permanent.filter { new in !before.contains { $0.number == new.number } })
    }

    var permanent: [String] { record.permanent?.map(\.name) ?? [] }

    /// Stores the content to keep on disk.
    ///
    /// - Parameter dump: the content of the tag, encoded as the bytes of a dump file.
    /// - Returns: the file with that content, and the older file if the tag was written after an interrupted restore.
    /// - Throws: `WriteJournalError.notWritable`. In that case, the restore must not start.
    func keep(_ dump: [UInt8]) throws(WriteJournalError) -> Kept {
        let older = isChanged ? try journal.supersede(uid: uid) : nil
        return Kept(file: try journal.keep(dump, record, uid: uid), older: older)
    }

    /// Removes the record of the verified restore, unless parts of an earlier one remain that the dump does not cover.
    func proven() throws(WriteJournalError) {
        if record.isEndWhole { try journal.end(uid: uid) }
    }

    /// Updates the journals after a tag was restored.
    ///
    /// - Throws: ``JournalFailure``, which reports that the tag was restored.
    static func afterRestoring(_ work: () throws(WriteJournalError) -> Void) throws(JournalFailure) {
        do throws(WriteJournalError) {
            try work()
        } catch {
            throw JournalFailure(error: error, standing: .done(.restored))
        }
    }

    /// The content of the tag before an earlier interrupted restore, or nil if there is none or the tag has been
    /// written since.
    ///
    /// This property must be read before ``keep(_:)``, which always stores content of the tag.
    var older: TagImage? {
        get throws(WriteJournalError) {
            isChanged ? nil : try journal.pending(uid: uid).flatMap { PendingRestore.image(in: $0.old) }
        }
    }

    /// Removes the record of an earlier restore if the tag already holds the dump.
    func needsNoWrite() throws(WriteJournalError) {
        if isChanged { _ = try journal.supersede(uid: uid) } else { try proven() }
    }
}
