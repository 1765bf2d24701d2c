// Writing an empty message to a tag, whether it holds a message or is blank

import ReaderInterface
import ReaderSession
import TagTypes

extension TagChange {
    /// Replaces the message on the tag with an empty one, and verifies it.
    ///
    /// A wipe also forgets the stored writes of the tag, so that no undo can restore their messages. If the data area
    /// holds bytes that are not a message, the dialogue asks before they are deleted.
    ///
    /// - Parameter isWiping: whether to overwrite the rest of the data area with zeros.
    /// - Returns: the content of the tag afterwards: a message without records.
    /// - Throws: the same errors as ``replaceMessage(showing:meanwhile:_:)``; ``JournalFailure``; what the dialogue
    ///   throws.
    public func erase(wiping isWiping: Bool = false) async throws -> TagReading {
        if isWiping { try await agreeToDeleteOtherData() }
        let reading = try await replaceMessage { tag in
            isWiping ? try tag.planWipe() : try tag.planWrite([], .throughEmpty)
        }
        // Without a journal, or if the rest of the data area was already zeros, no journal entry marked this as a wipe,
        // so the stored writes are still there.
        if isWiping { try write.forgetStoredWrites(of: tag.target.identifier, after: .written) }
        return reading
    }

    /// Asks before deleting bytes that are not a message.
    ///
    /// If the answer is yes, plans for the tag may replace these bytes.
    private func agreeToDeleteOtherData() async throws {
        // After an interrupted write, such bytes are the remains of that write.
        guard unfinished == nil, try await holdsOtherData() else { return }
        try await session.withoutChange {
            try await ask(.deleteOtherData(uid: tag.target.identifier)) { try await holdsOtherData() }
        }
        try await replaceOtherData()
    }

    private func holdsOtherData() async throws -> Bool {
        try await tag.perform { try ($0 as? Type2Tag)?.holdsOtherData() ?? false }
    }

    /// Allows plans for the tag to replace bytes that are not a message, until the tag is activated again.
    func replaceOtherData() async throws {
        try await tag.perform { tag in
            if let tag = tag as? Type2Tag { tag.replaceOtherData() }
        }
    }

    /// Writes an empty message to a blank tag after confirmation.
    ///
    /// - Returns: the content of the tag afterwards, and whether the tag was blank. If it was not blank, nothing was
    ///   changed.
    /// - Throws: `TagError.notNDEF` for a tag that has no space for a message; the errors of
    ///   ``initialisedIfBlank(for:)``.
    public func format() async throws -> (reading: TagReading, wasBlank: Bool) {
        let (change, wasBlank) = try await initialisedIfBlank(for: 0)
        let state = try await change.tag.perform { try $0.detect() }
        guard state.status != .notSupported else { throw state.notNDEF() }
        var reading = try await session.currentReading(of: change.tag)
        reading.isVerified = wasBlank ? true : nil
        return (reading, wasBlank)
    }
}
