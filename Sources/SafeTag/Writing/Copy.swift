// The message of one tag onto others — each copy shows its own UID or counter, where its chip can

import Composing
public import ReaderSession
import TagTypes

extension SafeWrite {
    /// What a tag holds that is to be copied: a whole message, with no change of it left to finish.
    ///
    /// - Throws: ``UnfinishedWrite`` and ``UnfinishedRestore`` for a message that may not be whole; `TagError.notNDEF` for a tag
    ///   without one.
    public func original(on tag: DetectedTag) async throws -> TagReading {
        let whole = try await change(of: tag, to: .keepMessage)
        let original = try await session.currentReading(of: whole.tag)
        guard original.state.messageLength != nil else {
            throw TagError.notNDEF(reason: original.state.reason ?? "it holds no message to copy")
        }
        return original
    }

    /// Gives a tag the message of another, and proves it.
    public func copy(_ original: TagReading, to tag: DetectedTag) async throws -> TagReading {
        let change = try await change(of: tag, to: .replaceMessage, opening: session.unlocking.for(.writing))
        let message = try await change.message(copying: original)
        var copy = try await change.write(message)
        if message.mirror == nil { copy.fixed = original.mirror?.content }
        return copy
    }
}
