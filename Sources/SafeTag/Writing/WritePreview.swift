// What a write would do to a tag, found out without writing

import ReaderSession
import TagTypes

/// A write that is planned, and not carried out.
public struct WritePreview: Sendable {
    /// The tag as it is.
    public let before: TagReading
    /// Whether it is blank, and initialising it cannot be undone.
    public let needsInitialising: Bool
}

extension TagChange {
    /// Plans a write as ``write(_:atOnce:)`` would, and leaves the tag as it is.
    ///
    /// - Throws: why the message cannot be written: `TagError`; ``UnfinishedWrite`` for a tag whose message is not whole.
    public func preview(_ message: PlacedMessage, atOnce isAtOnce: Bool = false) async throws -> WritePreview {
        let before = try await session.currentReadingEvenBroken(of: tag)
        if let state = try await blankState(for: message.bytes.count) {
            return WritePreview(before: before, needsInitialising: !state.needsOnlyTLV)
        }
        _ = try await tag.perform { try $0.planWrite(message.bytes, isAtOnce ? .atOnce : .throughEmpty) }
        return WritePreview(before: before, needsInitialising: false)
    }
}
