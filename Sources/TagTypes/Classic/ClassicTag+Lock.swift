// Making a MIFARE Classic read-only — NXP AN1304 and AN1305, State Transitions; AN10787 (MAD)

extension ClassicTag {
    /// Plans the new access bits and general purpose byte of each sector whose trailer can still be changed, NDEF
    /// sectors first.
    public func planLock() throws(TagError) -> LockPlan {
        let area = try presentArea()
        // Without the second part of the directory, sector 16 is an ordinary sector and may belong to another
        // application.
        let version = ClassicDirectory.version(try memory.trailer(of: 0).generalPurpose)
        let sectors = area.sectors + layout.directorySectors.prefix(version)
        var steps: [LockStep] = []
        for sector in sectors {
            if let step = try step(freezing: sector) { steps.append(step) }
        }
        return LockPlan(
            steps: steps,
            locked: sectors.compactMap { sector in
                // Leave out block 0, which the manufacturer has already locked.
                layout.dataBlocks(of: sector).first { $0 > 0 }.map { LockedPlace(name: "block \($0)", address: $0) }
            })
    }

    /// Writes read-only access bits to the NDEF sectors and then to the directory, and verifies each trailer.
    public func carryOut(_ plan: LockPlan) throws(TagError) {
        defer { forgetArea() }
        try LockProcedure(plan, in: self).run()
    }

    /// Returns the step that freezes a sector, or `nil` if it is already frozen.
    private func step(freezing sector: Int) throws(TagError) -> LockStep? {
        let isDirectory = layout.directorySectors.contains(sector)
        let keys = [memory.publicKey(of: sector)] + memory.further(sector).of(.a)
        guard let keyA = try memory.open(sector, trying: keys) else {
            guard try memory.openWithAnyKey(sector, []) == nil else {
                let access = try memory.trailer(of: sector).access
                if access.trailer.isFrozen, access.data.allSatisfy({ $0 == .readOnly }) { return nil }
                throw .cannotMakeReadOnly(
                    reason:
                        "key A of sector \(sector) is not known, and locking must write it again with the access bits")
            }
            throw .cannotMakeReadOnly(reason: "sector \(sector) does not open with its public key")
        }
        let old = try memory.trailer(of: sector)
        let isUnwritable = old.access.data.allSatisfy { $0 == .readOnly }
        if old.access.trailer.isFrozen {
            if isUnwritable { return nil }
            throw .cannotMakeReadOnly(reason: "the access bits of sector \(sector) can never change")
        }
        guard let key = try writingKey(of: sector, old.access) else {
            throw .cannotMakeReadOnly(
                reason: "the access bits of sector \(sector) are protected by a key that is not the factory key")
        }
        let generalPurpose = old.generalPurpose | (isDirectory ? 0 : ClassicTrailer.NDEFAccess.noWriting)
        let new = ClassicTrailer(
            keyA: keyA.bytes, access: ClassicTrailer.readOnlyAccess, generalPurpose: generalPurpose,
            keyB: old.access.trailer.isKeyBReadable ? old.keyB : key.bytes)
        let blocks = layout.blocks(of: sector)
        let isBypassed = lockGaps.contains(.backdoor)
        return LockStep(
            name: "access bits of sector \(sector)", place: "block \(layout.trailer(of: sector)) offset 6",
            old: old.visibleBytes, new: new.visibleBytes,
            effect: .lock(
                "blocks \(blocks.lowerBound) to \(blocks.upperBound - 1)",
                limit: isBypassed ? "can no longer be written with a key" : "can never be written again"),
            permanence: isBypassed ? .unknown : .permanent,
            pieces: [
                LockPiece(
                    address: layout.trailer(of: sector), old: old.visibleBytes, new: new.visibleBytes,
                    written: new.bytes)
            ])
    }

    /// Returns a known key that may write a trailer, or `nil` if there is none.
    private func writingKey(of sector: Int, _ access: ClassicAccess) throws(TagError) -> ClassicKey? {
        if access.trailer.isWritable(with: .a) {
            return try memory.open(sector, trying: [memory.publicKey(of: sector)] + memory.further(sector).of(.a))
        }
        guard access.trailer.isWritable(with: .b) else { return nil }
        return try memory.open(sector, trying: [.factoryB] + memory.further(sector).of(.b))
    }
}

extension ClassicTag: LockableMemory {
    func contents(of piece: LockPiece) throws(TagError) -> [UInt8] {
        memory.forget([piece.address])
        return try memory.trailer(of: layout.sector(of: piece.address)).visibleBytes
    }

    func set(_ piece: LockPiece) throws(TagError) {
        let sector = layout.sector(of: piece.address)
        guard let trailer = ClassicTrailer(piece.written) else {
            throw .unsupported(reason: "the planned trailer of sector \(sector) contradicts itself")
        }
        guard let key = try writingKey(of: sector, try memory.trailer(of: sector).access) else {
            throw .keyNeeded(sector: sector)
        }
        try memory.write(trailer, of: sector, with: key)
    }

    /// Whether the tag refuses to write a block.
    ///
    /// A refused WRITE gets no answer, like a WRITE that is lost to noise. A missing answer therefore counts only if
    /// the block can be read before and after the WRITE.
    func refusesWriting(_ place: LockedPlace) throws(TagError) -> Bool { try memory.refusesWriting(place.address) }

    /// Reads the data of all NDEF sectors.
    ///
    /// Trailers are not included, because each is verified when it is written.
    func everything() throws(TagError) -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for sector in try presentArea().sectors {
            let blocks = layout.dataBlocks(of: sector)
            memory.forget(blocks)
            for block in blocks { contents["block \(block)"] = try memory.block(block) }
        }
        return contents
    }

    func names(of piece: LockPiece) -> Set<String> { ["block \(piece.address)"] }
}
