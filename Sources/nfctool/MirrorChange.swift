// Having the chip show its UID or counter in a message that was just written — NXP NTAG21x, ASCII mirror function

import Composing
import NDEF
import NFCReader
import ReaderSession
import TagTypes

extension TagChange {
    /// Returns when the chip can show this; nothing is written.
    func requireMirror(for content: MirrorContent) async throws {
        try await tag.perform { try Self.mirroring($0).requireMirror(for: content) }
    }

    /// Turns the mirror on, and proves it and the rest of the message after a power-up.
    ///
    /// When the tag leaves, all of it is done again: turning on what is on already changes nothing.
    func show(_ placement: MirrorPlacement, in message: [UInt8]) async throws -> TagReading {
        do {
            return try await persistently { change in
                // The tag may have come back as another connection while it was written.
                let written = try await change.afterPowerUp()
                try await written.tag.perform {
                    try Self.mirroring($0).mirror(placement.content, at: placement.offset)
                }
                let showing = try await written.afterPowerUp()
                var reading = try await session.currentReading(of: showing.tag)
                guard reading.mirror == placement, reading.lastingBytes == placement.rest(of: message),
                    placement.isShown(in: reading.bytes, uid: tag.target.identifier)
                else { throw TagError.verificationFailed(offset: placement.offset) }
                reading.isVerified = true
                return reading
            }
        } catch {
            throw MirrorUnfinished(error, isJournaled: write.journal != nil) as (any Error)? ?? error
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
    let isJournaled: Bool

    init?(_ error: any Error, isJournaled: Bool) {
        guard let failure = TagFailure(error) else { return nil }
        self.failure = failure
        self.isJournaled = isJournaled
    }

    var name: ErrorName { failure.name }
    var message: String {
        "\(failure.message) The message is written; whether the chip shows its UID or counter in it was not verified."
    }
    var details: [String: FailureDetail] { failure.details.merging(["contents": .text("new")]) { $1 } }
}
