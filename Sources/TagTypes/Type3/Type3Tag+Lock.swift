// Making a Type 3 Tag read-only — NFC Forum T3T, Tag Life Cycle; FeliCa Lite-S User's Manual, MC

extension Type3Tag {
    /// Plans the changes to the write access and the memory configuration that are still needed and possible.
    ///
    /// Clearing the RWFlag is the method of the specification. It is not permanent, because the flag is an ordinary
    /// byte. The bits of the memory configuration are permanent.
    public func planLock() throws(TagError) -> LockPlan {
        let (attributes, configuration) = try presentArea()
        guard !attributes.isWriting else {
            throw .cannotMakeReadOnly(reason: "a write to it was interrupted, so there is no message to keep")
        }
        var steps: [LockStep] = []
        if attributes.isWritable, configuration?.isWritable(Type3AttributeBlock.number) ?? true {
            steps.append(
                try step(
                    "write access", Type3AttributeBlock.number, attributes.readOnly.bytes,
                    effect: .mark("the tag"), .reversible))
        }
        guard let configuration else { return LockPlan(steps: steps, isEnforced: false) }
        let last = attributes.dataBlockCount
        if configuration.isOpen {
            steps.append(
                try step(
                    "memory configuration", FeliCaMemoryConfiguration.number, configuration.closing(through: last),
                    effect: .lock("blocks 0 to \(last), and the configuration,"), .permanent))
        } else if let block = (0...last).first(where: { configuration.isWritable($0) }) {
            throw .cannotMakeReadOnly(reason: "its memory configuration is closed and leaves block \(block) writable")
        }
        return LockPlan(
            steps: steps,
            locked: (0...min(last, 13)).map { LockedPlace(name: "block \($0)", address: $0) })
    }

    /// Clears the RWFlag and verifies that each locked block refuses a write.
    ///
    /// On a FeliCa Lite or Lite-S, the memory configuration is also changed to lock the blocks.
    public func carryOut(_ plan: LockPlan) throws(TagError) {
        _ = try memory.activate()
        defer { forgetArea() }
        try LockProcedure(plan, in: self).run()
    }

    private func step(
        _ name: String, _ block: Int, _ bytes: [UInt8], effect: LockStep.Effect, _ permanence: LockStep.Permanence
    ) throws(TagError) -> LockStep {
        let old = try memory.block(block)
        return LockStep(
            name: name, place: "block \(block)", old: old, new: bytes, effect: effect, permanence: permanence,
            pieces: [LockPiece(address: block, old: old, new: bytes, written: bytes)])
    }
}

extension Type3Tag: LockableMemory {
    func contents(of piece: LockPiece) throws(TagError) -> [UInt8] {
        memory.forget([piece.address])
        return try memory.block(piece.address)
    }

    func set(_ piece: LockPiece) throws(TagError) { try memory.write(piece.written, to: piece.address) }

    /// Activates the card again.
    ///
    /// A FeliCa Lite-S applies its memory configuration from the next power-up onwards — Lite-S User's Manual.
    func beginAfresh() throws(TagError) { try memory.activateAgain() }

    /// Whether the card answers a write to this place with status flags that refuse it.
    func refusesWriting(_ place: LockedPlace) throws(TagError) -> Bool {
        let bytes = try memory.block(place.address)
        do throws(TagError) {
            try memory.probeWrite([place.address], bytes)
            return false
        } catch .refused {
            return true
        }
    }

    func everything() throws(TagError) -> [String: [UInt8]] {
        guard case .present(let attributes, _) = try detectedArea() else { return [:] }
        let blocks = 0...min(attributes.dataBlockCount, 0xFF)
        memory.forget(blocks)
        try memory.load(blocks)
        var contents: [String: [UInt8]] = [:]
        for block in blocks { contents["block \(block)"] = memory.cached(block) }
        return contents
    }

    func names(of piece: LockPiece) -> Set<String> { ["block \(piece.address)"] }
}
