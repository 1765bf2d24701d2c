// Copies the message of one tag to others. Each copy mirrors its own UID or counter if its chip can

import Composing
public import ReaderSession
import TagTypes

extension SafeWrite {
    /// Reads the message to copy.
    ///
    /// The message must be complete, and no change to it may be unfinished.
    ///
    /// - Throws: ``UnfinishedWrite`` and ``UnfinishedRestore`` for a message that may be incomplete; `TagError.notNDEF`
    ///   for a tag without a message.
    public func original(on tag: DetectedTag) async throws -> TagReading {
        let whole = try await change(of: tag, to: .keepMessage)
        var original = try await session.currentReading(of: whole.tag)
        guard original.state.messageLength != nil else {
            throw original.state.notNDEF(otherwise: "it holds no message to copy")
        }
        original.isFilledIn = try await whole.tag.perform { tag in
            try (tag as? Type4Tag)?.messageRights()?.isDynamic ?? (tag as? Type2Tag)?.showsSUNMessage ?? false
        }
        return original
    }

    /// Writes the message of another tag to a tag, and verifies it.
    public func copy(_ original: TagReading, to tag: DetectedTag) async throws -> TagReading {
        let change = try await change(of: tag, to: .replaceMessage, opening: session.unlocking.for(.writing))
        let message = try await change.message(copying: original)
        var copy = try await change.write(message)
        if message.mirror == nil { copy.fixed = original.mirror?.content }
        return copy
    }
}
