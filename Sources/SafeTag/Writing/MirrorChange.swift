// Making the chip mirror its UID or counter into a message that was just written — NXP NTAG21x, ASCII mirror function

import Composing
import NDEF
public import ReaderInterface
import ReaderSession
public import TagTypes
import WriteJournal

extension TagChange {
    /// Checks that the chip can mirror this content, without writing anything.
    public func requireMirror(for content: MirrorContent) async throws {
        try await tag.perform { try Self.mirroring($0).requireMirror(for: content) }
    }

    /// Turns the mirror on, and verifies the mirrored content and the rest of the message after a power-up.
    ///
    /// If the tag leaves, everything is repeated: turning on a mirror that is already on changes nothing.
    /// - Parameters:
    ///   - placement: the content to mirror and its place in the message.
    ///   - message: the bytes of the message as written.
    ///   - direction: whether the message is the new one or the old one of the write.
    ///   - entry: the journal entry to compare a returned tag with, or nil to skip the comparison.
    /// - Returns: the content of the tag, including the mirrored content.
    /// - Throws: ``MirrorInterrupted`` if the mirror could not be verified; ``RewrittenMeanwhile`` if the tag came back
    ///   with another message.
    func show(
        _ placement: MirrorPlacement, in message: [UInt8], _ direction: WritePlan.Direction = .forward,
        as entry: JournalEntry?
    ) async throws -> TagReading {
        do {
            return try await persistently(as: entry) { change in
                // The tag may have left and come back while it was written, so use its current connection.
                let written = try await change.afterPowerUp(as: entry)
                try await written.tag.perform {
                    try Self.mirroring($0).mirror(placement.content, at: placement.offset)
                }
                let showing = try await written.afterPowerUp(as: entry)
                var reading = try await session.currentReadingEvenBroken(of: showing.tag)
                guard reading.mirror == placement, reading.lastingBytes == placement.rest(of: message),
                    placement.isShown(in: reading.bytes, uid: tag.target.identifier)
                else { throw TagError.verificationFailed(offset: placement.offset) }
                reading.isVerified = true
                return reading
            }
        } catch {
            throw MirrorInterrupted.error(error, .showing(direction), isJournaled: write.journal != nil)
        }
    }

    private static func mirroring(_ tag: any ForumTag) throws(TagError) -> Type2Tag {
        guard let tag = tag as? Type2Tag else {
            throw .unsupported(reason: "only NTAG21x chips can show their UID in the message")
        }
        return tag
    }
}

extension SafeWrite {
    /// Turns off the tag's mirror, if it is on.
    ///
    /// The journal must already contain the mirror's settings, so that they can be restored.
    ///
    /// - Returns: the tag, activated again if the mirror was turned off.
    func withoutMirror(_ tag: ConnectedTag, as entry: JournalEntry?) async throws -> ConnectedTag {
        begun.note(tag.target.identifier)
        return try await persistently(on: tag, as: entry) { tag in
            do {
                let wasOn = try await tag.perform { tag in
                    guard let tag = tag as? Type2Tag else { return false }
                    // If the chip's answer is lost after a new activation, the chip must not be mistaken for one
                    // without a mirror.
                    tag.confirmChip()
                    if try tag.shownMirror() != nil {
                        try tag.removeMirror()
                        return true
                    }
                    guard tag.chip != nil else {
                        throw TagError.noReliableAnswer(command: "GET_VERSION", offset: nil)
                    }
                    return false
                }
                return wasOn ? try await afterPowerUp(tag, as: entry) : tag
            } catch {
                throw MirrorInterrupted.error(error, .turningOff, isJournaled: journal != nil)
            }
        }
    }

    /// Adjusts the error that ended a write after the mirror was turned off.
    ///
    /// The tag has changed even if its message has not: it has lost its mirror.
    func withMirrorOff(_ error: any Error) -> any Error {
        if case TagError.writeInterrupted(let contents, let written, let length, let cause) = error {
            switch contents {
            case .unchanged:
                return TagError.writeInterrupted(
                    contents: .unchangedWithoutMirror, written: written, of: length, cause: cause)
            case .unchangedOrEmpty, .unchangedOrNew: break
            case .unchangedWithoutMirror, .empty, .emptyOrNew, .new: return error
            }
        }
        return MirrorInterrupted.error(error, .turnedOff, isJournaled: journal != nil)
    }
}

/// The error for an interrupted change to the mirror, or an interrupted write after the mirror was turned off.
///
/// The mirrored content may be missing or wrong.
public struct MirrorInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The interrupted step.
    public enum Step: Sendable {
        /// The mirror was being turned off, or it was already off and the message was being written.
        case turningOff, turnedOff
        /// The mirror was being turned on, for the new message or for the old one.
        case showing(WritePlan.Direction)
    }

    /// The error that interrupted the change.
    public let cause: any ClassifiedError
    /// The interrupted step.
    public let step: Step
    /// Whether the journal keeps the old content of the tag.
    public let isJournaled: Bool

    fileprivate static func error(_ error: any Error, _ step: Step, isJournaled: Bool) -> any Error {
        guard let cause = error as? any ClassifiedError, !(cause is RewrittenMeanwhile) else { return error }
        return MirrorInterrupted(cause: cause, step: step, isJournaled: isJournaled)
    }

    /// The kind of failure.
    public var kind: FailureKind { cause.kind }

    /// A description in sentences.
    public var description: String { "\(cause) \(outlook)" }

    private var outlook: String {
        switch step {
        case .turningOff: "It was not verified whether the chip still shows its UID or counter in the message."
        case .turnedOff: "The chip no longer shows its UID or counter in the message."
        case .showing(.forward):
            "The message is written. It was not verified whether the chip shows its UID or counter in it."
        case .showing(.backward):
            "The old message is back. It was not verified whether the chip shows its UID or counter in it."
        }
    }
}
