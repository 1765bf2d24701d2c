// Waiting for a tag that left, and checking its content when it is back

import ReaderInterface
import ReaderSession
import TagTypes
import WriteJournal

extension SafeWrite {
    /// Checks that no other message was written to a returned tag while it was away from the reader.
    ///
    /// - Throws: ``RewrittenMeanwhile``; `TagError`.
    func requireOwn(_ tag: ConnectedTag, _ entry: JournalEntry?) async throws {
        guard let entry else { return }
        let held = try await tag.perform { try HeldMessage.read(from: $0) }
        guard UnfinishedWork(entry, on: held).standing == .otherMessage else { return }
        throw RewrittenMeanwhile(uid: entry.uid, isJournaled: self.entry(of: entry.uid) != nil)
    }

    func returned(
        _ tag: ConnectedTag, until deadline: ContinuousClock.Instant?
    ) async throws -> ConnectedTag {
        let uid = tag.target.identifier
        while true {
            let rest = deadline.map { max(.milliseconds(1), ContinuousClock.now.duration(to: $0)) }
            let tags = try await session.tags(
                within: rest, among: [uid],
                onOther: { other in
                    dialogue.tell(.otherTag(uid: other, awaited: uid))
                })
            guard let found = tags.first else { continue }
            do {
                return try await session.session.connect(to: found, opening: tag.unlocking)
            } catch {
                // Continue to wait only if the tag left again before it was connected.
                guard WriteCut(error)?.isTagGone ?? false else { throw error }
                session.session.restartPolling()
            }
        }
    }
}
