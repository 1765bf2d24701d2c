// The effect of a write on a tag, determined without writing

import ReaderSession
import TagTypes

/// A write that is planned but not carried out.
public struct WritePreview: Sendable {
    /// The current content of the tag.
    public let before: TagReading
    /// Whether the tag is blank and initialising it cannot be undone.
    public let needsInitialising: Bool
    /// The number of bytes after the message that belong to other programs and that the write would replace.
    public var otherDataCount = 0
}

extension TagChange {
    /// Plans a write like ``write(_:atOnce:followedBy:overOtherData:)``, but leaves the tag unchanged.
    ///
    /// - Throws: the reason why the message cannot be written: `TagError`; ``UnfinishedWrite`` for an incomplete
    ///   message.
    public func preview(_ message: PlacedMessage, atOnce isAtOnce: Bool = false) async throws -> WritePreview {
        let before = try await session.currentReadingEvenBroken(of: tag)
        if let state = try await blankState(for: message.bytes.count) {
            return WritePreview(before: before, needsInitialising: !state.needsOnlyTLV)
        }
        let plan = try await tag.perform { try $0.planWrite(message.bytes, isAtOnce ? .atOnce : .throughEmpty) }
        return WritePreview(before: before, needsInitialising: false, otherDataCount: plan.displaced?.count ?? 0)
    }
}
