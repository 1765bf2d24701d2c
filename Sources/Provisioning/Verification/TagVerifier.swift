// One tag that comes again: looked up, read, compared; nothing is written to it

import DurableFiles
import Foundation
import Hexadecimal
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// Compares the tags on a reader with their rows.
struct TagVerifier: TagWork {
    let session: TagSession
    let desk: VerificationDesk
    /// The recipe that the journal keeps; nil where it cannot be read again.
    let recipe: RowRecipe?
    /// The password of rows without one of their own; nil for none.
    let password: Type2Credential?
    let tell: @Sendable (ProvisionEvent) -> Void

    func visit(_ tag: DetectedTag) async throws -> TagVisit {
        let uid = tag.target.identifier
        let row = tag.target.hasRandomIdentifier ? nil : try await desk.row(of: uid)
        let name = ProvisionedTag(tag, on: session)
        let named = row?.tag.map { ProvisionedTag(reader: name.reader, uid: name.uid, chip: $0.chip) } ?? name
        var check = TagCheck(named, uid: uid, row: row)
        var seal = RowSeal()
        if let row {
            seal = await desk.seal(of: row.row)
            do {
                try await look(at: tag, of: row, seal, into: &check)
            } catch {
                guard let trouble = TagTrouble(error) else { throw error }
                if trouble.isTagGone { return .left }
                check.content = .unreadable
                check.reason = trouble.message
            }
        }
        check.judge(seal)
        await desk.keep(check)
        tell(.checked(check))
        return .done(named)
    }

    private func look(
        at tag: DetectedTag, of row: JournalRow, _ seal: RowSeal, into check: inout TagCheck
    ) async throws {
        // As the next reader sees it, that has no password.
        var connected = try await afterPowerUp(tag, opening: nil)
        let isAsking = try await isProtected(connected)
        check.password = isAsking.map { $0 ? .asked : TagCheck.Password.none }
        if isAsking == true, seal.protect, let credential = try credential(of: row.row) {
            do {
                connected = try await afterPowerUp(tag, opening: credential)
                _ = try await connected.queryNDEFStatus()
                check.password = .accepted
            } catch {
                switch TagTrouble(error)?.cause {
                case RefusalCause.wrongPassword?: check.password = .refused
                // It may close the tag, and that was not agreed to; or no answer came.
                case RefusalCause.notAgreed?, RefusalCause.passwordUnanswered?: check.reason = "\(error)"
                default: throw error
                }
                connected = try await afterPowerUp(tag, opening: nil)
            }
        }
        check.isLocked = try await isLocked(connected)
        check.signature = try await ChipSignature.read(of: connected, in: session)?.verdict
        let order = recipe.flatMap { try? TagOrder($0, row.row, uid: tag.target.identifier) }
        let reading = try await TagOrder.reading(for: order) {
            try await session.currentReadingEvenBroken(of: connected)
        }
        if let broken = reading.failure, !(broken is BrokenMessage) { throw broken }
        check.content = content(of: reading, row, order)
        if check.content == .changed, let dynamic = order?.dynamic { check.reason = dynamic.objection(to: reading) }
        if check.content == .unreadable { check.reason = check.reason ?? reading.state.reason.map { "\($0)." } }
    }

    private func content(of reading: TagReading, _ row: JournalRow, _ order: TagOrder?) -> TagCheck.Content {
        if reading.state.status == .notSupported, !reading.state.isBlank { return .unreadable }
        // A signed URL that was seen before proves nothing.
        if order?.dynamic == nil, let proof = row.proof, proof.messageLength == reading.bytes.count,
            proof.sha256 == reading.bytes.sha256
        {
            return .same
        }
        // What the chip fills in differs from one reading to the next.
        if order?.isHeld(by: reading) == true { return .same }
        return reading.isErased || reading.state.isBlank ? .erased : .changed
    }

    /// The password of a row: its own, or that of all.
    private func credential(of row: PlanRow) throws -> Type2Credential? {
        var settings = RowSettings(password: password)
        if let own = row[RowSettings.Column.password.rawValue] {
            try settings.set(.password, to: own, line: row.line)
        }
        return settings.password
    }

    private func afterPowerUp(_ tag: DetectedTag, opening credential: Type2Credential?) async throws -> ConnectedTag {
        var unlocking = session.unlocking.for(.writing)
        unlocking.credential = credential
        return try await SafeWrite(session, patience: .none).afterPowerUp(ConnectedTag(tag, opening: unlocking))
    }

    /// Whether the tag asks for a password; nil for a chip of which that cannot be known.
    private func isProtected(_ tag: ConnectedTag) async throws -> Bool? {
        do {
            return try await TagChange(of: tag, SafeWrite(session, patience: .none)).protection().isActive
        } catch TagError.passwordNeeded {
            return true
        } catch {
            guard let trouble = TagTrouble(error) else { throw error }
            guard !trouble.isTagGone else { throw error }
            return nil
        }
    }

    /// Whether the tag itself refuses writes from now on: nothing of an enforced lock is left to set.
    private func isLocked(_ tag: ConnectedTag) async throws -> Bool {
        do {
            return try await tag.perform { try $0.planEnforcedLock().isEmpty && $0.detect().status == .readOnly }
        } catch {
            guard let trouble = TagTrouble(error) else { throw error }
            guard !trouble.isTagGone else { throw error }
            return false
        }
    }
}
