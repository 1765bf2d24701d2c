// Making a Type 4 Tag read-only — NFC Forum T4T, State Transitions; NXP AN11004 (DESFire)
import Hexadecimal
import ReaderInterface

extension Type4Tag {
    /// Plans how to change the write access byte of the capability container, unless it is FF, and the access rights of
    /// an application that nfctool created on a DESFire.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)`` if the chip reports that writing the container
    ///   needs a key or is impossible.
    public func planLock() throws(TagError) -> LockPlan {
        try requirePlainMessage()
        let (container, freezes) = try persistently("GetFileSettings") { () throws(TagError) in
            let container = try presentFile().container
            // The tag may have been activated again in the meantime, which resets the selection.
            try ensureFileSelected()
            return (container, try accessToFreeze(container))
        }
        let step = containerStep(container)
        if step != nil, let rights = try containerRights(), rights.keys != nil {
            let needed = rights.keyList.map { "can be written only with \($0)" } ?? "can never be written"
            throw .cannotMakeReadOnly(reason: "its capability container \(needed)")
        }
        let steps = (step.map { [$0] } ?? []) + freezes
        return LockPlan(
            steps: steps, locked: [LockedPlace(name: "file \(container.file.identifier.hex)", address: 0)])
    }

    /// Sets the write access byte of the capability container to FF and verifies that the card refuses to write the
    /// NDEF file.
    ///
    /// On a DESFire, the access rights of the files are also changed.
    public func carryOut(_ plan: LockPlan) throws(TagError) {
        defer { forgetApplication() }
        do throws(TagError) {
            try LockProcedure(plan, in: self).run()
        } catch .lockInterrupted(done: [], _, let cause) {
            // If the container cannot be written, this error comes before anything is changed.
            if case .cannotMakeReadOnly = cause { throw cause }
            throw .lockInterrupted(done: [], missing: plan.steps.map(\.name), cause: cause)
        }
    }

    /// Whether the card may refuse to write its capability container.
    ///
    /// The result is true if the container must be changed but the card does not report the rights to it.
    func mayRefuseLock() throws(TagError) -> Bool {
        guard containerStep(try presentFile().container) != nil else { return false }
        return try containerRights() == nil
    }

    /// Checks that the capability container can be written, by writing the write access byte that it already holds.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)``; connection errors.
    func requireWritableContainer() throws(TagError) {
        guard let piece = containerStep(try presentFile().container)?.pieces.first else { return }
        defer { forgetApplication() }
        do throws(TagError) {
            try updateContainer(at: piece.address, piece.old)
        } catch .commandFailed(_, _, let sw?) {
            throw Self.closedContainer(sw)
        }
    }

    private func updateContainer(at offset: Int, _ bytes: [UInt8]) throws(TagError) {
        try persistently("UPDATE BINARY of file E103") { () throws(TagError) in
            try selectContainer()
            _ = try commands.updateBinary(offset: offset, bytes: bytes[...])
        }
    }

    private static func closedContainer(_ sw: UInt16) -> TagError {
        .cannotMakeReadOnly(
            reason: "its capability container cannot be written, SW \(sw.hex) (\(StatusWord(sw).meaning))")
    }

    /// Returns the step for the container, or `nil` if it is already read-only.
    ///
    /// It is not known whether a later UPDATE BINARY can undo this step. In nfctool's own application, later steps
    /// prevent that.
    private func containerStep(_ container: Type4CapabilityContainer) -> LockStep? {
        guard container.file.writeAccess != 0xFF else { return nil }
        let (old, new) = ([container.file.writeAccess], [0xFF] as [UInt8])
        return LockStep(
            name: "write access",
            place: "file \(Type4CapabilityContainer.fileID.hex) offset \(container.writeAccessOffset)",
            old: old, new: new, effect: .mark("file \(container.file.identifier.hex)"),
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
                try updateContainer(at: piece.address, piece.written)
            } catch .commandFailed(_, _, let sw?) {
                // If only the answer to the first UPDATE BINARY was lost, the container is already read-only, and a
                // card that respects this refuses the repeated command.
                let found = try contents(of: piece)
                if found == piece.new { return }
                guard found == piece.old else {
                    throw .commandFailed(
                        command: "UPDATE BINARY of file E103", offset: piece.address, sw: sw)
                }
                throw Self.closedContainer(sw)
            }
        case .fileSettings, .blockStatus:
            try persistently("ChangeFileSettings") { () throws(TagError) in
                try ensureFileSelected()
                try freezeAccess(to: piece.address)
            }
        }
    }

    /// Whether the card refuses to write NLEN with its current value.
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

    /// Selects the application and then the capability container, because an activation resets the selection.
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
