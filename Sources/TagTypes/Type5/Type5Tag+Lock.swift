// Making a Type 5 Tag read-only — NFC Forum T5T, Tag Life Cycle; ISO/IEC 15693-3, Lock Block

import Chips
import ReaderInterface

extension Type5Tag {
    /// Plans how to set the write access bits in the capability container to 11, and how to lock each block that
    /// is not yet locked.
    ///
    /// If the blocks of a chip cannot be locked, or the chip does not report which are locked, only the write access is
    /// planned. ST25DV and M24LR instead have locks for areas and sectors, which are not supported here.
    public func planLock() throws(TagError) -> LockPlan {
        let (container, layout, _) = try presentArea()
        let blocks = 0...(layout.dataEnd - 1) / memory.blockSize
        try memory.loadStatus(blocks)
        if isLockable(container) { try requireLocking(blocks) }
        let isEnforced = isLockable(container) && blocks.allSatisfy { memory.status.isLocked($0) != nil }
        var steps: [LockStep] = []
        if let step = try markStep(container, isEnforced: isEnforced) { steps.append(step) }
        let open = isEnforced ? blocks.filter { memory.status.isLocked($0) == false } : []
        if let first = open.first, let last = open.last {
            let names = first == last ? "block \(first)" : "blocks \(first) to \(last)"
            steps.append(
                LockStep(
                    name: "block locks", place: names, old: [0x00], new: [0x01],
                    effect: .lock(names), permanence: .permanent,
                    pieces: open.map {
                        LockPiece(space: .blockStatus, address: $0, old: [0x00], new: [0x01], written: [])
                    }))
        }
        try requireCarriage(of: steps)
        let locked = isEnforced ? blocks.map { LockedPlace(name: "block \($0)", address: $0) } : []
        return LockPlan(steps: steps, locked: locked, isEnforced: isEnforced)
    }

    /// Sets the write access, then locks each block, and verifies that no block can be written any more.
    public func carryOut(_ plan: LockPlan) throws(TagError) {
        _ = try detectedArea()
        try requireCarriage(of: plan.steps)
        memory.forgetAll()
        defer {
            memory.forgetAll()
            forgetArea()
        }
        try LockProcedure(plan, in: self).run()
    }

    /// Checks that the reader can lock blocks.
    ///
    /// Call this function before the container is marked as read-only. If a block cannot be locked afterwards, the cause
    /// is the tag, not the reader.
    private func requireLocking(_ blocks: ClosedRange<Int>) throws(TagError) {
        try memory.requireCarriage(writing: [], locking: [blocks.upperBound])
        guard blocks.contains(where: { memory.status.isLocked($0) == nil }) else { return }
        // The status is reported by a separate command, or with each block that is read with the option flag.
        let asked = memory.command(.getMultipleBlockSecurityStatus, 0, count: 1)
        let shown = memory.command(.readSingleBlock, 0, count: nil, .option)
        for command in [asked, shown] { try channel.require(command.frame(to: memory.uid), framing: .raw) }
    }

    /// Whether LOCK BLOCK locks all blocks, according to the data sheet of the chip or the capability container.
    private func isLockable(_ container: Type5CapabilityContainer) -> Bool {
        if let lock = memory.model?.type5Layout?.lock { return lock == .anyBlock }
        return container.features.contains(.lockBlock)
    }

    /// Returns the step that marks the tag as read-only in the capability container.
    ///
    /// - Returns: the step, or `nil` if the tag is already marked, or if the block of the container is locked.
    private func markStep(
        _ container: Type5CapabilityContainer, isEnforced: Bool
    ) throws(TagError) -> LockStep? {
        guard container.writeAccess != Type5CapabilityContainer.readOnlyAccess else { return nil }
        let index = Type5CapabilityContainer.accessIndex
        let block = index / memory.blockSize
        if memory.status.isLocked(block) == true {
            guard isEnforced else {
                throw .cannotMakeReadOnly(reason: "its capability container allows writing, and is locked")
            }
            return nil
        }
        let old = try memory.block(block)
        var new = old
        new[index % memory.blockSize] = container.readOnly[index]
        return LockStep(
            name: "write access", place: "block \(block)", old: old, new: new,
            effect: .mark("the tag"), permanence: .reversible,
            pieces: [LockPiece(address: memory.offset(of: block), old: old, new: new, written: new)])
    }

    /// Checks, before the first step, that the reader can send all commands for a lock.
    private func requireCarriage(of steps: [LockStep]) throws(TagError) {
        let pieces = steps.flatMap(\.pieces)
        let locked = pieces.filter { $0.space == .blockStatus }.map(\.address)
        // After locking, a write to each locked block verifies that the tag refuses the write.
        let written = pieces.filter { $0.space == .memory }.map { $0.address / memory.blockSize } + locked
        try memory.requireCarriage(writing: written, locking: locked)
    }
}

extension Type5Tag: LockableMemory {
    func contents(of piece: LockPiece) throws(TagError) -> [UInt8] {
        guard piece.space == .blockStatus else {
            let block = piece.address / memory.blockSize
            memory.forget([block])
            return try memory.block(block)
        }
        // One exchange reports the status of many blocks. The status of a block is forgotten when its lock is set.
        try memory.loadStatus(piece.address...lastBlock(from: piece.address))
        return memory.status.isLocked(piece.address).map { [$0 ? 0x01 : 0x00] } ?? []
    }

    func set(_ piece: LockPiece) throws(TagError) {
        guard piece.space == .blockStatus else {
            return try memory.write(piece.written, to: piece.address / memory.blockSize)
        }
        try memory.lock(piece.address)
    }

    func beginAfresh() throws(TagError) { try memory.activateAgain() }

    func refusesWriting(_ place: LockedPlace) throws(TagError) -> Bool { try !memory.acceptsWriting(place.address) }

    /// Reads the data area and the capability container before it.
    func everything() throws(TagError) -> [String: [UInt8]] {
        guard case .present(_, let layout, _) = try detectedArea() else { return [:] }
        let blocks = 0...(layout.dataEnd - 1) / memory.blockSize
        memory.forget(blocks)
        try memory.load(blocks)
        var contents: [String: [UInt8]] = [:]
        for block in blocks { contents["block \(block)"] = memory.cached(block) }
        return contents
    }

    /// Returns no names for block locks, because a lock changes no bytes.
    func names(of piece: LockPiece) -> Set<String> {
        piece.space == .blockStatus ? [] : ["block \(piece.address / memory.blockSize)"]
    }

    /// Returns the last block whose status can be requested together with that of `block`.
    private func lastBlock(from block: Int) -> Int {
        guard case .present(_, let layout, _)? = try? detectedArea() else { return block }
        return max(block, min((layout.dataEnd - 1) / memory.blockSize, block + memory.statusRunLength - 1))
    }
}
