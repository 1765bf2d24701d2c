// The state in which an interrupted restore left a tag. Nothing overwrites this state without confirmation

import Foundation
import ReaderInterface
public import ReaderSession
import TagImage
import TagTypes
public import WriteJournal

/// An interrupted restore that left a tag with part of a dump.
public struct HalfRestore: Sendable {
    /// The record of the restore.
    public let pending: PendingRestore
    /// Which part of the old content can still be restored.
    public let wayBack: WayBack
    /// The tag's UID.
    public var uid: [UInt8] { pending.uid }

    package init(pending: PendingRestore, wayBack: WayBack) { (self.pending, self.wayBack) = (pending, wayBack) }
}

extension TagImage {
    /// The blocks that show the progress of a restore, by number.
    ///
    /// These are the blocks that can be read and that the chip does not change by itself. Sector trailers are included
    /// without their keys.
    package var comparedBlocks: [Int: [UInt8]] {
        let known = blocks.compactMap { block in
            kind.isChangedByChip(block.number)
                ? nil : block.bytes.map { (block.number, compared($0, of: block.number)) }
        }
        return Dictionary(known) { first, _ in first }
    }

    /// Returns a block's bytes with zeros in place of keys, because not all keys are known.
    package func compared(_ bytes: [UInt8], of number: Int) -> [UInt8] {
        guard kind.isClassic, Kind.isClassicTrailer(number), bytes.count == 16 else {
            return bytes
        }
        return [UInt8](repeating: 0, count: 6) + bytes[6..<10] + [UInt8](repeating: 0, count: 6)
    }
}

extension TagSession {
    /// Returns the unverified restore of a connected tag, its progress, and the tag's memory if it was read.
    ///
    /// Returns nil if there is no such restore.
    ///
    /// Nothing is sent to a tag without such a restore.
    func unfinishedRestore(
        of tag: ConnectedTag
    ) async throws -> (half: HalfRestore, standing: RestoreRecord.Standing, present: TagImage?)? {
        guard let pending = try journals.restores.pending(uid: tag.target.identifier) else { return nil }
        guard let record = pending.record else {
            return (HalfRestore(pending: pending, wayBack: pending.presumedWayBack), .halfway, nil)
        }
        let (present, memory) = try await tag.image()
        let wayBack = pending.wayBack(to: present, memory, openedBy: tag.unlocking.credential)
        return (HalfRestore(pending: pending, wayBack: wayBack), record.standing(of: present.comparedBlocks), present)
    }

    /// Returns the restore that left a tag with part of a dump, or nil if there is none.
    ///
    /// This is for work that only reads the tag, so a journal that cannot be read counts as empty.
    public func halfRestore(of detected: DetectedTag) async -> HalfRestore? {
        guard let pending = try? journals.restores.pending(uid: detected.target.identifier) else { return nil }
        do {
            let tag = try await connect(to: detected)
            return try await unfinishedRestore(of: tag).flatMap { $0.standing == .halfway ? $0.half : nil }
        } catch {
            // A tag whose content cannot be compared may hold part of a dump.
            return HalfRestore(pending: pending, wayBack: pending.presumedWayBack)
        }
    }
}

extension TagChange {
    /// Checks that no earlier restore left the tag with part of a dump.
    ///
    /// If the restore turns out to be complete, or to have changed nothing, its record is removed from the journal.
    /// - Throws: ``UnfinishedRestore``. Nothing was changed.
    func requireNoHalfRestore() async throws {
        guard let (half, standing, present) = try await unfinishedRestore() else { return }
        switch standing {
        case .halfway:
            // A tag whose state cannot be read may still be writable.
            let isReadOnly = (try? await tag.perform { try $0.detect().status == .readOnly }) ?? false
            throw UnfinishedRestore(half: half, isReadOnly: isReadOnly)
        case .untouched, .done:
            if standing == .done, let present, let old = PendingRestore.image(in: half.pending.old) {
                try session.keepMessage(in: old, replacedBy: present, on: tag, named: present.kindName)
            }
            try session.journals.restores.end(uid: half.uid)
        case .changed: break
        }
    }

    /// Returns the unverified restore of the tag, or nil if there is none.
    ///
    /// For a write without a journal, a journal that cannot be read counts as empty.
    private func unfinishedRestore() async throws -> (
        half: HalfRestore, standing: RestoreRecord.Standing, present: TagImage?
    )? {
        do {
            return try await session.unfinishedRestore(of: tag)
        } catch WriteJournalError.notReadable where write.journal == nil {
            return nil
        }
    }
}

extension SafeWrite {
    /// Moves the old content that was kept for an interrupted restore aside, because the tag has another complete
    /// message now.
    func supersedeRestore(of tag: ConnectedTag) {
        // The write succeeds even if this cannot be recorded.
        guard let old = try? session.journals.restores.supersede(uid: tag.target.identifier) else { return }
        dialogue.tell(.keptAside(path: old.path))
    }
}
