// The verification of one tag: looked up, read and compared, without writing to it

import Chips
import DurableFiles
import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// Compares the tags on a reader with their rows.
struct TagVerifier: TagWork {
    let session: TagSession
    let desk: VerificationDesk
    /// The recipe from the journal, or nil if it cannot be recreated.
    let recipe: RowRecipe?
    /// The password for rows that do not specify one, or nil if there is none.
    let password: Type2Credential?
    /// Whether `password` is certainly the password of these rows.
    let isPasswordCertain: Bool
    let tell: @Sendable (ProvisionEvent) -> Void

    func visit(_ tag: DetectedTag) async throws -> TagVisit {
        let uid = tag.target.identifier
        let row = tag.target.hasRandomIdentifier ? nil : try await desk.row(of: uid)
        var check = TagCheck(ProvisionedTag(tag, on: session), uid: uid, row: row)
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
        } else {
            check.reason = try await desk.releasedRow(of: uid)
            do {
                var unlocking = session.unlocking.for(.reading)
                unlocking.credential = nil
                let connected = try await session.connect(to: tag, opening: unlocking)
                let reading = try await session.currentReadingEvenBroken(of: connected)
                check.tag = ProvisionedTag(reader: check.tag.reader, uid: check.tag.uid, chip: reading.name)
                if check.reason == nil { check.reason = try await desk.rowOfOtherTag(heldBy: reading) }
            } catch {
                // Only these facts are missing, for example because the tag has left.
                guard TagTrouble(error) != nil else { throw error }
            }
        }
        check.judge(seal)
        await desk.keep(check)
        tell(.checked(check))
        return .done(check.tag)
    }

    private func look(
        at tag: DetectedTag, of row: JournalRow, _ seal: RowSeal, into check: inout TagCheck
    ) async throws {
        // Connect without a password, to see what a reader without the password sees.
        var connected = try await afterPowerUp(tag, opening: nil)
        check.note(try await orNil { try await asking(connected) })
        let isPasswordWanted = check.password == .asked && seal.protect
        let known = try isPasswordWanted ? credential(of: row.row) : nil
        check.isPasswordMissing = isPasswordWanted && known == nil
        if let credential = known {
            check.isPasswordCertain =
                isPasswordCertain || row.row[RowSettings.Column.password.rawValue] != nil
            do {
                connected = try await afterPowerUp(tag, opening: credential)
                _ = try await connected.queryNDEFStatus()
                check.password = .accepted
            } catch {
                switch (error, TagTrouble(error)?.cause) {
                // The password was not sent, because it might close the tag.
                case (is PasswordRisk, _), (_, .passwordUnanswered?):
                    check.reason = "\(error)"
                    check.isPasswordUntried = true
                case (_, .wrongPassword?): check.password = .refused
                default: throw error
                }
                connected = try await afterPowerUp(tag, opening: nil)
            }
            // A tag whose reading is protected reveals its configuration only after it has accepted the password.
            if check.password == .accepted, check.protectedFrom == nil {
                let rules = try await orNil { try await asking(connected) }?.rules
                check.note(PasswordDemand(password: .accepted, rules: rules))
            }
        }
        check.isLocked = try await orNil { try await connected.perform { try $0.isLockSet() } }
        check.signature = try await ChipSignature.read(of: connected, in: session)?.verdict
        let order = recipe.flatMap { try? TagOrder($0, row.row, uid: tag.target.identifier) }
        var reading = try await TagOrder.reading(for: order) {
            try await session.currentReadingEvenBroken(of: connected)
        }
        let required = await desk.requiredChip(of: row.row)
        if required != nil { reading = try await session.identified(reading, of: connected) }
        check.tag = ProvisionedTag(reader: check.tag.reader, uid: check.tag.uid, chip: reading.name)
        check.isOtherChip = isOther(reading, than: row.tag?.chip, required, check.password)
        if let broken = reading.failure, !(broken is BrokenMessage) { throw broken }
        check.content = content(of: reading, row, order)
        if check.content == .changed, order == nil, reading.mirror != nil {
            check.content = .unreadable
            check.reason =
                "The chip fills in part of the message, and the message of row \(row.row.number) cannot be created on this computer."
        }
        if check.content == .changed, let dynamic = order?.dynamic { check.reason = dynamic.objection(to: reading) }
        if check.content == .unreadable { check.reason = check.reason ?? reading.state.reason.map { "\($0)." } }
    }

    private func content(of reading: TagReading, _ row: JournalRow, _ order: TagOrder?) -> TagCheck.Content {
        if reading.state.status == .notSupported, !reading.state.isBlank { return .unreadable }
        // A signed URL that was seen before may be a copy, so it proves nothing.
        if order?.dynamic == nil, let proof = row.proof, proof.messageLength == reading.bytes.count,
            proof.sha256 == reading.bytes.sha256
        {
            return .same
        }
        // The content that the chip fills in changes with each reading, so the bytes differ from those of the row.
        if order?.isHeld(by: reading) == true { return .same }
        return reading.isErased || reading.state.isBlank ? .erased : .changed
    }

    /// Returns the password for a row: its own one or, if it has none, the common one.
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

    /// Whether a tag's chip differs from the one in the journal, or from the one that its row requires.
    private func isOther(
        _ reading: TagReading, than bound: String?, _ required: RequiredChip?, _ password: TagCheck.Password?
    ) -> Bool {
        // If the reader cannot identify the chip, only the unknown password is reported.
        guard reading.chip != nil || password != nil else { return false }
        if let required, !required.matches(reading.chip?.model) { return true }
        // A name for several models, such as NTAG 4xx DNA, may become more precise when more is known about the tag.
        guard let bound, ChipModel.all.contains(where: { bound.hasPrefix($0.name) }) else { return false }
        return bound != reading.name && (reading.chip == nil || reading.chip?.model != nil)
    }

    private func asking(_ tag: ConnectedTag) async throws -> PasswordDemand {
        do {
            let protection = try await TagChange(of: tag, SafeWrite(session, patience: .none)).protection()
            return PasswordDemand(password: protection.isActive ? .asked : .none, rules: protection.rules)
        } catch TagError.passwordNeeded {
            return PasswordDemand(password: .asked, rules: nil)
        } catch TagError.unsupported {
            return PasswordDemand(password: .notSupported, rules: nil)
        }
    }

    /// Returns the result of `body`, or nil if the tag or the reader cannot provide it.
    private func orNil<Value>(_ body: () async throws -> Value?) async throws -> Value? {
        do {
            return try await body()
        } catch TagError.reader(.cannotSend) {
            return nil
        } catch {
            guard let trouble = TagTrouble(error), !trouble.isTagGone else { throw error }
            return nil
        }
    }
}
