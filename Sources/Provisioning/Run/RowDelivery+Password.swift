// Whether a tag that was verified before still requires its password — Docs/Provisioning.md

import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

extension RowDelivery {
    /// Whether a protected tag no longer requires a password, or requires it for fewer blocks.
    ///
    /// No password is sent: a wrong one could close a tag that is already finished.
    ///
    /// - Returns: nil if the tag or the reader does not show this; false if its row has no password.
    /// - Throws: an error from the reader or the tag.
    func hasLostPassword(_ tag: DetectedTag, _ order: TagOrder) async throws -> Bool? {
        guard order.credential != nil else { return false }
        var unlocking = session.unlocking.for(.reading)
        unlocking.credential = nil
        let connected = try await session.connect(to: tag, opening: unlocking)
        do {
            let protection = try await TagChange(of: connected, SafeWrite(session, patience: .none)).protection()
            return !protection.isActive || protection.rules.first ?? 0 > TagChange.firstProtectedBlock
        } catch TagError.passwordNeeded {
            // The tag shows its configuration only to those who know the password.
            return nil
        } catch TagError.unsupported {
            return nil
        } catch TagError.reader(.cannotSend) {
            return nil
        }
    }
}
