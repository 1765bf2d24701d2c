// Making a Type 1 Tag read-only — NFC Forum T1T, Tag Life Cycle; Broadcom Topaz 96 and 512

extension Type1Tag {
    /// Plans how to set the remaining bits of the capability container and of the static and dynamic lock bits.
    public func planLock() throws(TagError) -> LockPlan {
        let (_, layout, _) = try presentArea()
        try requireSoundControls(layout)
        try requireLockBits(for: layout)
        try memory.requireWritingReader()
        let permanence: LockStep.Permanence = chip == nil ? .unknown : .permanent
        var steps = [
            // The write access is an ordinary byte, which any device that writes tags can change back.
            try step(
                "write access", at: Type1CapabilityContainer.address + Type1CapabilityContainer.accessOffset, [0x0F],
                effect: .mark("the tag"), .reversible),
            // LOCK-0 locks blocks 0 to 7, and LOCK-1 locks blocks 8 to C. Blocks D and E are locked at the factory.
            try step(
                "static lock bits", at: Self.staticLockAddress, [0xFF, 0x1F],
                effect: .lock("blocks 0 to 12"), permanence),
        ]
        for lock in layout.lockControl {
            let bits = (0..<(lock.bitCount + 7) / 8).map { index in
                UInt8(truncatingIfNeeded: (1 << min(8, lock.bitCount - index * 8)) - 1)
            }
            steps.append(
                try step(
                    "dynamic lock bits", at: lock.address, bits,
                    effect: .lock("no block from 16 onwards", limit: "can ever be written again"), permanence))
        }
        return LockPlan(steps: steps.compactMap(\.self))
    }

    /// Sets the write access in the capability container to F, then the static and dynamic lock bits, and verifies each
    /// step.
    ///
    /// Some Topaz tags on the market have lock bits that cannot be set (nfcpy). On these tags, only the write access is
    /// set, which phones respect but which can be changed back. The error names the missing steps. A write to a locked
    /// block gets no answer. Because a missing answer proves nothing, no write is tried to test the lock.
    public func carryOut(_ plan: LockPlan) throws(TagError) {
        try memory.identify()
        defer {
            memory.forgetAll()
            forgetArea()
        }
        try LockProcedure(plan, in: self).run()
    }

    /// Checks that the Lock Control TLVs describe lock bits for all data that the static lock bits do not cover.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)``.
    private func requireLockBits(for layout: TLVLayout) throws(TagError) {
        let start = Type1Memory.staticBlockCount * Type1Memory.blockSize
        let covered = layout.lockControl.reduce(0) { $0 + $1.bitCount * $1.bytesPerBit }
        guard layout.dataEnd > start + covered else { return }
        let last = (layout.dataEnd - 1) / Type1Memory.blockSize
        throw .cannotMakeReadOnly(
            reason: "no Lock Control TLV describes lock bits for all of blocks "
                + "\(Type1Memory.staticBlockCount) to \(last)")
    }

    /// Returns a step that sets bits, or `nil` if they are already set.
    ///
    /// The step uses WRITE-NE for each byte and, after block F, WRITE-NE8 for each block.
    private func step(
        _ name: String, at address: Int, _ bits: [UInt8], effect: LockStep.Effect, _ permanence: LockStep.Permanence
    ) throws(TagError) -> LockStep? {
        let size = Type1Memory.blockSize
        let found = try memory.bytes(at: address, count: bits.count)
        let new = zip(found, bits).map { $0 | $1 }
        guard new != found else { return nil }
        var pieces: [LockPiece] = []
        if address + bits.count <= Type1Memory.staticBlockCount * size {
            for (index, bits) in bits.enumerated() where new[index] != found[index] {
                pieces.append(
                    LockPiece(address: address + index, old: [found[index]], new: [new[index]], written: [bits]))
            }
        } else {
            for block in address / size...(address + bits.count - 1) / size {
                let old = try memory.block(block)
                var added = [UInt8](repeating: 0, count: size)
                for (place, bits) in zip(address..., bits) where place / size == block { added[place % size] = bits }
                let result = zip(old, added).map { $0 | $1 }
                guard result != old else { continue }
                pieces.append(LockPiece(address: block * size, old: old, new: result, written: added))
            }
        }
        return LockStep(
            name: name, place: "byte \(address)", old: found, new: new, effect: effect, permanence: permanence,
            pieces: pieces)
    }
}

extension Type1Tag: LockableMemory {
    func contents(of piece: LockPiece) throws(TagError) -> [UInt8] {
        memory.forget(piece.address..<piece.address + piece.old.count)
        return try memory.bytes(at: piece.address, count: piece.old.count)
    }

    func set(_ piece: LockPiece) throws(TagError) { try memory.write(piece.written, at: piece.address, .noErase) }

    func refusesWriting(_ place: LockedPlace) throws(TagError) -> Bool { true }

    func everything() throws(TagError) -> [String: [UInt8]] {
        memory.forgetAll()
        var contents: [String: [UInt8]] = [:]
        for block in 0..<Type1Memory.readAllBlockCount { contents["block \(block)"] = try memory.block(block) }
        guard case .present(_, let layout, _) = try detectedArea() else { return contents }
        for block in Type1Memory.readAllBlockCount..<max(Type1Memory.readAllBlockCount, layout.dataEnd / 8) {
            contents["block \(block)"] = try memory.block(block)
        }
        return contents
    }

    func names(of piece: LockPiece) -> Set<String> { ["block \(piece.address / Type1Memory.blockSize)"] }
}
