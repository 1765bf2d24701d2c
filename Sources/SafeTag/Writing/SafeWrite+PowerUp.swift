// A tag that is powered up again between two steps of a change — its configuration takes effect at power-up

import ReaderInterface
package import ReaderSession
import TagTypes
package import WriteJournal

extension SafeWrite {
    /// The same tag after its field was off: what its configuration says counts from power-up on.
    ///
    /// Waits for a tag that leaves meanwhile.
    ///
    /// - Parameters:
    ///   - tag: the tag, as it is connected before.
    ///   - entry: the journal entry to compare a returned tag with; nil skips the comparison.
    /// - Returns: the tag as it is connected now.
    /// - Throws: `NoTagCame` when it did not come back in time; ``RewrittenMeanwhile``; what ended the session.
    package func afterPowerUp(_ tag: ConnectedTag, as entry: JournalEntry? = nil) async throws -> ConnectedTag {
        do {
            try await tag.powerUp()
            return tag
        } catch {
            guard WriteCut(error)?.isTagGone ?? false else { throw error }
        }
        session.session.restartPolling()
        let tag = try await returned(tag, until: patience.deadline(atLeast: Self.nextPoll))
        try await requireOwn(tag, entry)
        return tag
    }
}
