// What a restore that was interrupted left on a tag, and that nothing is written over it unasked

import Foundation
import ReaderInterface
public import ReaderSession
import TagImage
import TagTypes
public import WriteJournal

/// A restore that left a tag with a part of a dump.
public struct HalfRestore: Sendable {
    /// What is known of the restore.
    public let pending: PendingRestore
    /// What can still come back.
    public let wayBack: WayBack
    /// The tag.
    public var uid: [UInt8] { pending.uid }

    package init(pending: PendingRestore, wayBack: WayBack) { (self.pending, self.wayBack) = (pending, wayBack) }
}

extension TagImage {
    /// The blocks that a restore can be judged by: those that can be read and that the chip does not change by itself, in
    /// sector trailers without the keys.
    package var comparedBlocks: [Int: [UInt8]] {
        let known = blocks.compactMap { block in
            kind.isChangedByChip(block.number)
                ? nil : block.bytes.map { (block.number, compared($0, of: block.number)) }
        }
        return Dictionary(known) { first, _ in first }
    }

    /// A block's bytes without keys, which only show where they are known.
    package func compared(_ bytes: [UInt8], of number: Int) -> [UInt8] {
        guard kind.isClassic, Kind.isClassicTrailer(number), bytes.count == 16 else {
            return bytes
        }
        return [UInt8](repeating: 0, count: 6) + bytes[6..<10] + [UInt8](repeating: 0, count: 6)
    }
}

extension TagSession {
    /// The restore of a connected tag that is not proven, and what the tag holds of it; nil without one, and then nothing is
    /// asked of the tag.
    func unfinishedRestore(
        of tag: ConnectedTag
    ) async throws -> (half: HalfRestore, standing: RestoreRecord.Standing)? {
        guard let pending = journals.restores.pending(uid: tag.target.identifier) else { return nil }
        guard let record = pending.record else {
            return (HalfRestore(pending: pending, wayBack: pending.presumedWayBack), .halfway)
        }
        let (present, memory) = try await tag.image()
        let wayBack = pending.wayBack(to: present, memory, openedBy: tag.unlocking.credential)
        return (HalfRestore(pending: pending, wayBack: wayBack), record.standing(of: present.comparedBlocks))
    }

    /// The restore that left a tag with a part of a dump, for work that only reads; nil when none did.
    public func halfRestore(of detected: DetectedTag) async -> HalfRestore? {
        guard let pending = journals.restores.pending(uid: detected.target.identifier) else { return nil }
        do {
            let tag = try await connect(to: detected)
            return try await unfinishedRestore(of: tag).flatMap { $0.standing == .halfway ? $0.half : nil }
        } catch {
            // A tag that cannot be compared is not known to be whole.
            return HalfRestore(pending: pending, wayBack: pending.presumedWayBack)
        }
    }
}

extension TagChange {
    /// Makes sure that no earlier restore left the tag with a part of a dump.
    ///
    /// One that turns out to be done, or never to have begun, is forgotten.
    /// - Throws: ``UnfinishedRestore``; nothing was changed.
    func requireNoHalfRestore() async throws {
        guard let (half, standing) = try await session.unfinishedRestore(of: tag) else { return }
        switch standing {
        case .halfway:
            // A tag whose state does not show may well be written.
            let isReadOnly = (try? await tag.perform { try $0.detect().status == .readOnly }) ?? false
            throw UnfinishedRestore(half: half, isReadOnly: isReadOnly)
        case .untouched, .done: try session.journals.restores.end(uid: half.uid)
        case .changed: break
        }
    }
}

extension SafeWrite {
    /// Keeps the old content of a restore that was interrupted aside: the tag has been given another whole message.
    func supersedeRestore(of tag: ConnectedTag) {
        // That this cannot be noted takes nothing from the write.
        guard let old = try? session.journals.restores.supersede(uid: tag.target.identifier) else { return }
        dialogue.tell(.keptAside(path: old.path))
    }
}
