// Writes the records of a command line to a tag: composes and reviews the message, writes it, and locks or protects the
// tag

import Composing
import NDEF
import ReaderSession
import SafeTag

/// What `write` does with each tag.
struct MessageWriter: Sendable {
    let added: MirroredRecords
    /// Whether the records are added to those on the tag.
    let isAppending: Bool
    /// Whether the new message is written next to the old one, so that the tag is never empty.
    let isAtOnce: Bool
    let seal: Seal
    let force: ForceOption
    let output: OutputOptions

    struct Written {
        fileprivate let change: TagChange
        fileprivate let reading: TagReading
    }

    func write(to tag: DetectedTag, by write: SafeWrite) async throws -> Written {
        let (change, message) = try await prepared(for: tag, by: write)
        try await change.require(seal)
        return Written(change: change, reading: try await change.write(message, atOnce: isAtOnce))
    }

    /// Locks or protects the tag if the options require this.
    ///
    /// Passes the final state of the tag to `tell`, also after a failure.
    func close(
        _ written: Written, tell: (_ reading: TagReading, _ done: [ChangeOutcome]) throws -> Void
    ) async throws {
        let change = written.change
        var (reading, done) = (written.reading, [ChangeOutcome.wrote])
        do {
            try await change.seal(seal, reviewing: review) { step, sealed in
                reading = sealed
                done.append(ChangeOutcome(step, sealed))
            }
        } catch {
            try tell(reading, done)
            let remark =
                done.count > 1
                ? "The message was written and the password set; the tag was not locked."
                : "The message was written, and nothing else was changed."
            throw Confirmation.error(error, after: remark)
        }
        try tell(reading, done)
    }

    /// Returns the expected result of a write, without writing anything.
    func preview(on tag: DetectedTag, by write: SafeWrite) async throws -> WriteForecast {
        let (change, message) = try await prepared(for: tag, by: write)
        let lock = try await change.forecast(seal)
        let preview = try await change.preview(message, atOnce: isAtOnce)
        return WriteForecast(
            preview, try NDEFMessage(bytes: message.bytes), length: message.bytes.count,
            protects: seal.credential != nil, lock: lock)
    }

    private func prepared(
        for tag: DetectedTag, by write: SafeWrite
    ) async throws -> (TagChange, PlacedMessage) {
        let change = try await write.change(opening: tag, to: isAppending ? .extendMessage : .replaceMessage)
        if let content = added.content { try await change.requireMirror(for: content) }
        let message = isAppending ? try await change.message(adding: added) : try PlacedMessage(added)
        if isAppending { try review(NDEFMessage(bytes: message.bytes)) }
        return (change, message)
    }

    private func review(_ message: NDEFMessage) throws { try MessageReview(message).check(force, output) }
}
