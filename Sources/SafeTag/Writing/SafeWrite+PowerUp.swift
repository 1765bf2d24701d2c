// Powering up a tag between two steps of a change, because its configuration takes effect at power-up

import ReaderInterface
package import ReaderSession
import TagTypes
package import WriteJournal

extension SafeWrite {
    /// Powers up the tag again, so that its configuration takes effect.
    ///
    /// If the tag leaves in the meantime, waits until it is back.
    ///
    /// - Parameters:
    ///   - tag: the tag with its connection before the power-up.
    ///   - entry: the journal entry to compare a returned tag with, or nil to skip the comparison.
    /// - Returns: the tag with its current connection.
    /// - Throws: `NoTagCame` if the tag did not come back in time; ``RewrittenMeanwhile`` if it came back with another
    ///   message; the error that ended the session.
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
