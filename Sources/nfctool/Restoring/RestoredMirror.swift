// Whether a tag shows what a restore turned on, after a power-up — NXP NTAG21x, ASCII mirror function

import Composing
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

extension RestoreCommand {
    /// The tag once it is seen to show what the restore turned on.
    ///
    /// - Throws: ``TagError/verificationFailed(offset:)`` when it does not.
    func proven(_ plan: RestorePlan, on tag: ConnectedTag, in session: TagSession) async throws -> ConnectedTag {
        // A tag that asks for a password from now on shows nothing to those without.
        guard let shown = plan.mirror.shown, plan.protection == nil else { return tag }
        let write = SafeWrite(session, options, journal: nil, isWithoutWait: true)
        let tag = try await write.afterPowerUp(tag)
        let mirror = try await tag.perform { try ($0 as? Type2Tag)?.shownMirror() }
        guard mirror?.content == shown else { throw TagError.verificationFailed(offset: 0) }
        let reading = try await session.currentReading(of: tag)
        if let place = reading.mirror, !place.isShown(in: reading.bytes, uid: tag.target.identifier) {
            throw TagError.verificationFailed(offset: place.offset)
        }
        return tag
    }
}
