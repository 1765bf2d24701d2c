// The password of a tag that was verified before: whether the tag still requires it — Docs/Provisioning.md

import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

extension RowDelivery {
    /// Whether a tag that its row protects requires no password any more, or requires it for fewer blocks.
    ///
    /// - Throws: an error from the reader or the tag.
    func hasLostPassword(_ tag: DetectedTag, _ order: TagOrder) async throws -> Bool {
        guard order.credential != nil else { return false }
        var unlocking = session.unlocking.for(.reading)
        unlocking.credential = nil
        let connected = try await session.connect(to: tag, opening: unlocking)
        do {
            let protection = try await TagChange(of: connected, SafeWrite(session, patience: .none)).protection()
            return !protection.isActive || protection.rules.first ?? 0 > TagChange.firstProtectedBlock
        } catch TagError.passwordNeeded {
            // The tag shows its configuration only to those who know the password.
            return false
        } catch TagError.unsupported {
            return false
        } catch TagError.reader(.cannotSend) {
            return false
        }
    }

    /// Protects a tag again that holds its row, but has lost its password.
    func protectAgain(
        _ tag: DetectedTag, as name: ProvisionedTag, _ order: TagOrder, _ known: JournalRow
    ) async throws -> Outcome {
        guard desk.isOurs(known) else {
            return await refusedAsOthers(known, as: name, since: "and the tag has since lost its password")
        }
        do {
            try await desk.lost(
                known.row, of: tag.target.identifier, reason: "The tag lost its password after it was verified.")
        } catch JournalError.rowMoved {
            return .later
        }
        let job = Job(
            row: known.row, order: order, tag: name, uid: tag.target.identifier, arrival: .now, state: .failed,
            isTouched: true, mayBeProtected: true)
        return try await finish(job, on: tag)
    }
}
