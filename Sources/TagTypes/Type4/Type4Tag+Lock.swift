// Making a Type 4 Tag read-only — NFC Forum T4T, State Transitions; NXP AN11004 (DESFire)
import Hexadecimal
import ReaderInterface

extension Type4Tag {
    /// Plans the write access byte of the capability container, unless it is FF; of our DESFire application the access rights.
    public func planLock() throws(TagError) -> LockPlan {
        try requirePlainMessage()
        let (container, freezes) = try persistently("GetFileSettings") { () throws(TagError) in
            let container = try presentFile().container
            // Selected again after an activation.
            try ensureFileSelected()
            return (container, try accessToFreeze(container))
        }
        let steps = (containerStep(container).map { [$0] } ?? []) + freezes
        return LockPlan(
            steps: steps, locked: [LockedPlace(name: "file \(container.file.identifier.hex)", address: 0)])
    }

    /// Sets the write access byte of the capability container to FF, then the access rights of a DESFire's files, and verifies
    /// that the card refuses to write the NDEF file.
    public func carryOut(_ plan: LockPlan) throws(TagError) {
        defer { forgetApplication() }
        do throws(TagError) {
            try LockProcedure(plan, in: self).run()
        } catch .lockInterrupted(done: [], _, let cause) {
            // A container that cannot be written says so before anything has changed.
            if case .cannotMakeReadOnly = cause { throw cause }
            throw .lockInterrupted(done: [], missing: plan.steps.map(\.name), cause: cause)
        }
    }

    /// How the card takes back what UPDATE BINARY wrote is not known; that ours can is ruled out by the steps behind it.
    private func containerStep(_ container: Type4CapabilityContainer) -> LockStep? {
        guard container.file.writeAccess != 0xFF else { return nil }
        let (old, new) = ([container.file.writeAccess], [0xFF] as [UInt8])
        return LockStep(
            name: "write access",
            place: "file \(Type4CapabilityContainer.fileID.hex) offset \(container.writeAccessOffset)",
            old: old, new: new, effect: "marks file \(container.file.identifier.hex) as read-only for readers",
            permanence: .unknown,
            pieces: [LockPiece(address: container.writeAccessOffset, old: old, new: new, written: new)])
    }
}

extension Type4Tag: LockableMemory {
    func contents(of piece: LockPiece) throws(TagError) -> [UInt8] {
        switch piece.space {
        case .memory:
            try persistently("READ BINARY of file E103") { () throws(TagError) in
                try selectContainer()
                return try commands.read(offset: piece.address, count: piece.old.count)
            }
        case .fileSettings, .blockStatus:
            try persistently("GetFileSettings") { () throws(TagError) in
                try ensureFileSelected()
                return try accessRights(of: piece.address)
            }
        }
    }

    func set(_ piece: LockPiece) throws(TagError) {
        switch piece.space {
        case .memory:
            do throws(TagError) {
                try persistently("UPDATE BINARY of file E103") { () throws(TagError) in
                    try selectContainer()
                    _ = try commands.updateBinary(offset: piece.address, bytes: piece.written[...])
                }
            } catch .commandFailed(_, _, let sw?) {
                // A card that heeds its container refuses to repeat the UPDATE BINARY whose answer was lost.
                let found = try contents(of: piece)
                if found == piece.new { return }
                guard found == piece.old else {
                    throw .commandFailed(
                        command: "UPDATE BINARY of file E103", offset: piece.address, sw: sw)
                }
                throw .cannotMakeReadOnly(
                    reason: "its capability container cannot be written, SW \(sw.hex) (\(StatusWord(sw).meaning))")
            }
        case .fileSettings, .blockStatus:
            try persistently("ChangeFileSettings") { () throws(TagError) in
                try ensureFileSelected()
                try freezeAccess(to: piece.address)
            }
        }
    }

    /// NLEN, with what it holds.
    func refusesWriting(_ place: LockedPlace) throws(TagError) -> Bool {
        try persistently("UPDATE BINARY") { () throws(TagError) in
            try ensureFileSelected()
            let bytes = try commands.read(offset: place.address, count: 2)
            do throws(TagError) {
                _ = try commands.updateBinary(offset: place.address, bytes: bytes[...])
                return false
            } catch .commandFailed(_, _, let sw?) {
                if sw == StatusWord.noDiagnosis.rawValue { throw .reader(.noAnswer) }
                return true
            }
        }
    }

    func everything() throws(TagError) -> [String: [UInt8]] {
        forgetApplication()
        let file = try presentFile()
        return ["file \(file.container.file.identifier.hex)": try readNDEF()]
    }

    func names(of piece: LockPiece) -> Set<String> { [] }

    /// Selects the capability container, with the application before it, which an activation forgets.
    private func selectContainer() throws(TagError) {
        forgetApplication()
        try ensureFileSelected()
        forgetApplication()
        let sw = try commands.select(fileID: Type4CapabilityContainer.fileID)
        guard sw == .success else {
            throw .commandFailed(command: "SELECT of file E103", offset: nil, sw: sw.rawValue)
        }
    }
}
