// What a tag held before a restore: where it is kept, and when it is forgotten

import Foundation
import TagImage
import TagTypes
import WriteJournal

/// Keeps the content of a tag on disk while a restore is under way.
///
/// The content to go back to is the one from before the first restore that was interrupted, not the mixture which that left. A
/// content that was written since is the owner's, too: then it is kept, and the older one is moved aside.
struct RestoreSafety {
    private let uid: [UInt8]
    private let record: RestoreRecord
    private let isChanged: Bool
    private let journal: RestoreJournal

    /// Where the old content is.
    struct Kept {
        /// What the tag held before.
        let file: URL
        /// What it held before an earlier restore that was interrupted, where it has been written since.
        let older: URL?
    }

    /// Compares a tag with what an earlier restore left; writes nothing yet.
    ///
    /// The content of the tag is `present`, and the dump is from the file at `path`. The options are those of the
    /// restore, as for a command line: the record keeps them, so that the restore can be finished with the same ones.
    static func compared(
        in journal: RestoreJournal, uid: [UInt8], holding present: TagImage, restoring dump: TagImage,
        from path: String,
        options: [String],
        _ plan: RestorePlan
    ) -> RestoreSafety {
        let earlier = journal.pending(uid: uid)
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
        // What the chip shows is off before the first of these writes, and without it the tag is not whole.
        let start = isMirrorOff ? plan.mirrors.knownWhenOff(present.comparedBlocks) : present.comparedBlocks
        let standing = earlier?.record?.standing(of: present.comparedBlocks)
        // Without a record it is not known whose content this is: none may be lost.
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
        record = RestoreRecord(
            dump: path == "-" || file == earlier?.old.standardizedFileURL.path ? nil : file, options: options,
            start: start, writes: compared, closed: closed, isComparable: compared.count == writes.count,
            isStartWhole: isStartWhole && !isMirrorOff,
            isEndWhole: touched.allSatisfy { dump[block: $0] != nil },
            touched: touched.union(plan.steps.map(\.number)),
            // Of a block that an earlier restore was to change, what it held before that.
            permanent: before + permanent.filter { new in !before.contains { $0.number == new.number } })
    }

    /// What a restore that is interrupted may have made permanent, names.
    var permanent: [String] { record.permanent?.map(\.name) ?? [] }

    /// Makes the content to go back to durable.
    ///
    /// - Parameter dump: what the tag holds, as the bytes of a file.
    /// - Returns: the file with that content, and where the tag was written since an interrupted restore, the older
    ///   one.
    /// - Throws: `WriteJournalError.notWritable`: then the restore must not begin.
    func keep(_ dump: [UInt8]) throws(WriteJournalError) -> Kept {
        let older = isChanged ? try journal.supersede(uid: uid) : nil
        return Kept(file: try journal.keep(dump, record, uid: uid), older: older)
    }

    /// Forgets the restore, which is proven: unless a part of an earlier one is left, of which the dump knows nothing.
    func proven() throws(WriteJournalError) {
        if record.isEndWhole { try journal.end(uid: uid) }
    }

    /// Does what the journals need once the tag was restored.
    ///
    /// - Throws: ``JournalFailure``, which says that it was.
    static func afterRestoring(_ work: () throws(WriteJournalError) -> Void) throws(JournalFailure) {
        do throws(WriteJournalError) {
            try work()
        } catch {
            throw JournalFailure(error: error, standing: .done(.restored))
        }
    }

    /// Forgets an earlier restore of a tag that holds the dump already.
    func needsNoWrite() throws(WriteJournalError) {
        if isChanged { _ = try journal.supersede(uid: uid) } else { try proven() }
    }
}
