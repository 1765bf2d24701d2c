// Having the chip show its UID or counter in a message that was just written — NXP NTAG21x, ASCII mirror function

import CoreNFC
import NDEF
import TagTypes

extension TagChange {
    /// Returns when the chip can show this; nothing is written.
    func requireMirror(for content: MirrorContent) async throws {
        try await tag.perform { try Self.mirroring($0).requireMirror(for: content) }
    }

    /// Turns the mirror on, and proves it and the rest of the message in a fresh activation.
    func show(_ placement: MirrorPlacement, in message: [UInt8]) async throws -> TagReading {
        do {
            try await tag.perform { try Self.mirroring($0).mirror(placement.content, at: placement.offset) }
            try await session.session?.connect(to: tag)
            let mirror = try await tag.perform { try Self.mirroring($0).shownMirror() }
            var reading = try await session.currentReading(of: tag)
            guard mirror?.content == placement.content, mirror?.messageOffset == placement.offset,
                placement.rest(of: reading.bytes) == placement.rest(of: message)
            else { throw TagError.verificationFailed(offset: placement.offset) }
            reading.isVerified = true
            return reading
        } catch {
            throw MirrorUnfinished(error) as (any Error)? ?? error
        }
    }

    private static func mirroring(_ tag: any ForumTag) throws(TagError) -> Type2Tag {
        guard let tag = tag as? Type2Tag else {
            throw .unsupported(reason: "chips that show their UID in the message are NTAG21x")
        }
        return tag
    }
}

/// The message was written, but the chip was not seen to show anything in it.
struct MirrorUnfinished: Failure {
    private let failure: TagFailure

    init?(_ error: any Error) {
        guard let failure = TagFailure(error) else { return nil }
        self.failure = failure
    }

    var name: ErrorName { failure.name }
    var message: String {
        "\(failure.message) The message is written; whether the chip shows its UID or counter in it was not proven."
    }
    var details: [String: FailureDetail] { failure.details.merging(["contents": .text("new")]) { $1 } }
}
