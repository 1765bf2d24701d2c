// An empty message, on a tag that has one or on one that is blank

import ReaderSession
import TagTypes

extension TagChange {
    /// Replaces the message on the tag with an empty one, and verifies it.
    ///
    /// - Parameter isWiping: whether the rest of the data area is overwritten with zeros, too.
    /// - Returns: what the tag holds now: a message without records.
    /// - Throws: as ``replaceMessage(showing:meanwhile:_:)``.
    public func erase(wiping isWiping: Bool = false) async throws -> TagReading {
        try await replaceMessage { tag in
            isWiping ? try tag.planWipe() : try tag.planWrite([], .throughEmpty)
        }
    }

    /// Gives a blank tag an empty message once that is agreed to.
    ///
    /// - Returns: the tag as it is afterwards, and whether it was blank; otherwise nothing was changed.
    /// - Throws: `TagError.notNDEF` for a tag that has no place for a message.
    public func format() async throws -> (reading: TagReading, wasBlank: Bool) {
        let wasBlank = try await initialiseIfBlank(for: 0)
        let state = try await tag.perform { try $0.detect() }
        guard state.status != .notSupported else { throw TagError.notNDEF(reason: state.reason ?? "") }
        var reading = try await session.currentReading(of: tag)
        reading.isVerified = wasBlank ? true : nil
        return (reading, wasBlank)
    }
}
