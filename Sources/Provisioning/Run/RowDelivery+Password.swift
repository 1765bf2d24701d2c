// Whether a tag that was verified before still has its password — Docs/Provisioning.md

import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

extension RowDelivery {
    /// What a tag shows about the password of its row.
    enum PasswordState {
        /// The tag requires a password, or its row has none.
        case kept
        /// The tag no longer requires a password, or requires it for fewer blocks.
        case lost
        /// The tag requires another password.
        case changed
        /// The tag or the reader does not show this.
        case unknown
    }

    /// Examines the password of a tag that was verified before.
    ///
    /// The password is sent only if `isProofNeeded` is set. Then the state is `kept` only if the tag accepts it.
    ///
    /// - Throws: an error from the reader or the tag.
    func passwordState(
        of tag: DetectedTag, _ order: TagOrder, isProofNeeded: Bool
    ) async throws -> PasswordState {
        guard let credential = order.credential else { return .kept }
        let state = try await demand(of: tag)
        guard isProofNeeded, state == .kept else { return state }
        var unlocking = session.unlocking.for(.writing)
        unlocking.credential = credential
        do {
            // The tag accepts a password only once after it was powered up, so it must be activated again.
            let connected = try await SafeWrite(session, patience: .none)
                .afterPowerUp(ConnectedTag(tag, opening: unlocking))
            _ = try await connected.queryNDEFStatus()
            return .kept
        } catch {
            switch TagTrouble(error)?.cause {
            case RefusalCause.wrongPassword?: return .changed
            case RefusalCause.notAgreed?, RefusalCause.passwordUnanswered?: return .unknown
            default: throw error
            }
        }
    }

    /// Whether a tag requires a password for all its blocks, without sending one.
    private func demand(of tag: DetectedTag) async throws -> PasswordState {
        var unlocking = session.unlocking.for(.reading)
        unlocking.credential = nil
        let connected = try await session.connect(to: tag, opening: unlocking)
        do {
            let protection = try await TagChange(of: connected, SafeWrite(session, patience: .none)).protection()
            let isLost = !protection.isActive || protection.rules.first ?? 0 > TagChange.firstProtectedBlock
            return isLost ? .lost : .kept
        } catch TagError.passwordNeeded {
            // The tag shows its configuration only to those who know the password.
            return .unknown
        } catch TagError.unsupported {
            return .unknown
        } catch TagError.reader(.cannotSend) {
            return .unknown
        }
    }
}
