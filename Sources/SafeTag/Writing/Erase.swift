// Writing an empty message, to a tag with a message or to a blank one

import ReaderInterface
import ReaderSession
import TagTypes

extension TagChange {
    /// Replaces the message on the tag with an empty one, and verifies it.
    ///
    /// A wipe also forgets the stored writes of the tag, so that no undo brings its messages back.
    ///
    /// - Parameter isWiping: whether to overwrite the rest of the data area with zeros.
    /// - Returns: the content of the tag: a message without records.
    /// - Throws: the same errors as ``replaceMessage(showing:meanwhile:_:)``; ``JournalFailure``.
    public func erase(wiping isWiping: Bool = false) async throws -> TagReading {
        let reading = try await replaceMessage { tag in
            isWiping ? try tag.planWipe() : try tag.planWrite([], .throughEmpty)
        }
        // Without a journal, or if only zeros were left to wipe, no entry has told that this was a wipe.
        if isWiping { try write.forgetStoredWrites(of: tag.target.identifier, after: .written) }
        return reading
    }

    /// Writes an empty message to a blank tag after confirmation.
    ///
    /// - Returns: the tag afterwards, and whether it was blank. If it was not, nothing was changed.
    /// - Throws: `TagError.notNDEF` for a tag that has no space for a message.
    public func format() async throws -> (reading: TagReading, wasBlank: Bool) {
        let wasBlank = try await initialiseIfBlank(for: 0)
        let state = try await tag.perform { try $0.detect() }
        guard state.status != .notSupported else { throw TagError.notNDEF(reason: state.reason ?? "") }
        var reading = try await session.currentReading(of: tag)
        reading.isVerified = wasBlank ? true : nil
        return (reading, wasBlank)
    }
}
