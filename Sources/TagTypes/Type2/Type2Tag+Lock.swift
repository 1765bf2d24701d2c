// Making a Type 2 Tag read-only — NFC Forum T2T, Static and Dynamic Lock Bytes; NXP data sheets of the chips
import Chips

extension Type2Tag {
    /// Plans how to set the remaining bits of the capability container and of the static and dynamic lock bits.
    ///
    /// If the capability container is already locked, its bits are left out.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)`` if the positions of some lock bits are unknown, or if
    ///   block-locking bits freeze some of the lock bits.
    public func planLock() throws(TagError) -> LockPlan {
        // If the chip is unknown because of a missing answer, ask again before planning permanent changes.
        if memory.chip == nil { confirmChip() }
        let (container, layout, _) = try presentArea()
        if let block = firstProtectedBlock { throw .passwordNeeded(block: block) }
        try requireSoundControls(layout)
        try memory.requireWritingReader()
        let locks = try lockLayouts(layout)
        try requireSettableLockBits(locks)
        return LockPlan(steps: try steps(container, layout, locks), locked: lockedPlaces(layout, locks))
    }

    /// Returns whether all lock bits that protect the message are set.
    ///
    /// No write is planned, so neither a password nor a reader that can write is needed.
    ///
    /// - Returns: whether all are set, or `nil` if the positions of some lock bits are not known.
    /// - Throws: ``TagError/passwordNeeded(block:)`` if the lock bits cannot be read; what reading throws.
    func hasAllLockBits() throws(TagError) -> Bool? {
        try identify()
        let bits = try memory.block(Self.staticLockBlock, limit: memory.blockCount)
        guard bits[2] == 0xFF, bits[3] == 0xFF else { return false }
        let (area, layout, _) = try presentArea()
        do throws(TagError) {
            return try steps(area, layout, lockLayouts(layout)).isEmpty
        } catch .cannotMakeReadOnly {
            return nil
        }
    }

    /// Returns the reason, as a clause, why the lock bits prevent every change to the message.
    ///
    /// The reason is `nil` if some blocks of the message are not locked. Lock bits that are not known count as clear.
    func lockReason(_ layout: TLVLayout, _ room: TLVLayout.NDEFTLV) -> String? {
        let blocks = Set(room.addresses.dropFirst().map { $0 / Self.blockSize }).sorted()
        guard let first = blocks.first, let last = blocks.last, blocks.allSatisfy({ isLocked($0, layout) }) else {
            return nil
        }
        // On an unknown chip, the effect of the bits is not certain.
        let effect = memory.chip == nil ? "are locked" : never("written")
        return "its lock bits are set, so blocks \(first) to \(last) \(effect)"
    }

    /// Returns the steps for the bits that are not set yet, in the order in which they must be set.
    private func steps(
        _ container: Type2CapabilityContainer, _ layout: TLVLayout, _ locks: [DynamicLockLayout]
    ) throws(TagError) -> [LockStep] {
        let isPermanent = memory.chip != nil && !lockGaps.contains(.i2c)
        var planner = Planner(memory: memory, isPermanent ? .permanent : .unknown)
        _ = try memory.block(Self.staticLockBlock, limit: memory.blockCount)
        // A container whose lock bit L_CC is set can never be changed — NTAG213F_216F 8.5.2. In that case, its
        // read-only mark is not needed, because the lock bits of the other blocks lock the message.
        if !isLocked(Type2CapabilityContainer.block, layout) {
            try planner.add(
                "write access", at: Type2CapabilityContainer.block * Self.blockSize,
                container.bytes.prefix(3) + [container.bytes[3] | 0x0F],
                effect: .mark("the tag"))
        }
        // A WRITE leaves bytes 0 and 1 (check byte and internal byte) unchanged. The bits that freeze lock bits are set
        // after the lock bits that they freeze. Otherwise an interruption could leave blocks unlocked permanently.
        try planner.add(
            "static lock bits", at: Self.staticLockBlock * Self.blockSize, [0x00, 0x00, 0xF8, 0xFF],
            effect: .lock("blocks 3 to \(DynamicLockLayout.firstBlock - 1)", limit: never("written")))
        try planner.add(
            "static block-locking bits", at: Self.staticLockBlock * Self.blockSize, [0x00, 0x00, 0x07, 0x00],
            effect: .lock("the static lock bits", limit: never("changed")))
        for lock in locks {
            // On a known chip, the bits lock everything that they cover, whatever size the container states.
            let last = (memory.chip == nil ? min(lock.end, layout.dataEnd / Self.blockSize) : lock.end) - 1
            try planner.add(
                "dynamic lock bits", at: lock.address, lock.lockBits[...],
                effect: .lock("blocks \(DynamicLockLayout.firstBlock) to \(last)", limit: never("written")))
            guard !lock.blockLocking.isEmpty else { continue }
            try planner.add(
                "dynamic block-locking bits", at: lock.address, lock.blockLocking[...],
                effect: .lock("the dynamic lock bits", limit: never("changed")))
        }
        return planner.steps
    }

    /// Returns the clause that ends the description of a step's effect.
    ///
    /// On a chip with an I²C interface, the clause limits the effect to access over NFC.
    private func never(_ verb: String) -> String {
        lockGaps.contains(.i2c) ? "can no longer be \(verb) over NFC" : "can never be \(verb) again"
    }

    /// Carries out a lock plan and verifies that no group of blocks can be written any more.
    ///
    /// The write access of the capability container is set to F, unless the container is locked. The static and dynamic
    /// lock bits follow.
    public func carryOut(_ plan: LockPlan) throws(TagError) {
        // On an unknown chip, the data area determines which blocks must not change.
        _ = try detectedArea()
        defer {
            memory.forgetAll()
            forgetArea()
        }
        try LockProcedure(plan, in: self).run()
    }

    /// Verifies that blocks whose lock bits were set refuse a write of the bytes that they already hold.
    ///
    /// Blocks protected by a password that was not given are left out, because the password could be the reason why
    /// they refuse.
    /// - Returns: the blocks that were tried and refused the write.
    /// - Throws: ``TagError/lockWithoutEffect(place:)`` for a block that can still be written.
    public func proveLocked(_ blocks: [Int]) throws(TagError) -> [Int] {
        // Read everything again, because the protection may just have been written.
        memory.forgetAll()
        try identify()
        if let configuration = memory.chip?.protection?.configurationBlocks { try memory.load(configuration) }
        let guarded = firstProtectedBlock ?? Int.max
        let tried = blocks.filter { $0 < guarded }
        defer {
            memory.forgetAll()
            forgetArea()
        }
        let places = tried.map { LockedPlace(name: "block \($0)", address: $0) }
        try LockProcedure(LockPlan(steps: [], locked: places), in: self).run()
        return tried
    }

    /// Checks, on a tag without a message, that the positions of the lock bits are known and that the bits can be set.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)``.
    func requireLockBits() throws(TagError) {
        if memory.chip == nil { confirmChip() }
        // Identify the chip again, and determine whether the container is incomplete.
        _ = try detectedArea()
        // An unknown chip without a container can be initialised only if the static lock bits cover its whole memory.
        guard let container = try container() else {
            return try requireSettableLockBits(memory.chip?.dynamicLock.map { [$0] } ?? [])
        }
        let layout = try layout(of: container)
        try requireSoundControls(layout)
        try requireSettableLockBits(lockLayouts(layout))
    }

    /// Returns the layouts of the dynamic lock bits for the whole data area, or throws an error if they are not known.
    private func lockLayouts(_ layout: TLVLayout) throws(TagError) -> [DynamicLockLayout] {
        let locks = dynamicLocks(layout)
        let last = layout.dataEnd / Self.blockSize - 1
        guard memory.chip == nil, last >= DynamicLockLayout.firstBlock else { return locks }
        let blocks = "blocks \(DynamicLockLayout.firstBlock) to \(last)"
        if locks.isEmpty { try memory.requireIdentifyingReader() }
        // The name of a chip may be known even if its lock bits are not.
        let unknown = chip.map { "nfctool does not know the lock bits of the \($0.name)" } ?? "its chip is not known"
        guard let lock = locks.first else {
            throw .cannotMakeReadOnly(
                reason: "\(unknown), and it has no Lock Control TLV, so the place of the lock bits of \(blocks) is "
                    + "unknown")
        }
        guard locks.count == 1, lock.end > last else {
            throw .cannotMakeReadOnly(
                reason: "\(unknown), and its Lock Control TLV does not describe lock bits for all of \(blocks)")
        }
        guard lock.address >= layout.dataEnd else {
            throw .cannotMakeReadOnly(
                reason: "\(unknown), and its Lock Control TLV puts lock bits among its data, at byte \(lock.address)")
        }
        return locks
    }

    /// Returns one block from each group of blocks that a lock bit locks.
    ///
    /// The result includes blocks in which the chip shows its UID or counter. If the lock bits of such a block have no
    /// effect, the test write stores the bytes that the chip already shows.
    private func lockedPlaces(_ layout: TLVLayout, _ locks: [DynamicLockLayout]) -> [LockedPlace] {
        let end = memory.chip == nil ? layout.dataEnd / Self.blockSize : memory.chip?.userEnd ?? 0
        var blocks = Array(Type2CapabilityContainer.block..<min(DynamicLockLayout.firstBlock, end))
        for lock in locks {
            let groups = Dictionary(
                grouping: (DynamicLockLayout.firstBlock..<max(DynamicLockLayout.firstBlock, min(lock.end, end)))
                    .filter { lock.bit(of: $0) != nil && !lock.blocks.contains($0) }
            ) { lock.bit(of: $0) }
            blocks += groups.compactMap { $0.value.min() }.sorted()
        }
        return blocks.map { LockedPlace(name: "block \($0)", address: $0) }
    }

    /// The numbers of the blocks in which the chip shows its UID or counter in place of their contents, or only -1 if
    /// there are none.
    private var shownBlocks: ClosedRange<Int> {
        guard let mirror = mirrorConfiguration(), let content = mirror.content else { return -1 ... -1 }
        let first = Int(mirror.block)
        return first...first + (Int(mirror.byte) + content.length - 1) / Self.blockSize
    }

    /// Collects the steps of a plan, each of which starts from the bytes that the previous steps leave.
    private struct Planner {
        let memory: Type2Memory
        let permanence: LockStep.Permanence
        private var current: [Int: [UInt8]] = [:]
        private(set) var steps: [LockStep] = []

        init(memory: Type2Memory, _ permanence: LockStep.Permanence) {
            (self.memory, self.permanence) = (memory, permanence)
        }

        /// Adds a step for the bits that are not set yet.
        ///
        /// If all bits are already set, no step is added.
        mutating func add(_ name: String, at address: Int, _ bits: ArraySlice<UInt8>, effect: LockStep.Effect)
            throws(TagError)
        {
            let addresses = address..<address + bits.count
            var (pieces, old, new): ([LockPiece], [UInt8], [UInt8]) = ([], [], [])
            for block in address / blockSize...(addresses.upperBound - 1) / blockSize {
                let found = try contents(block)
                var target = [UInt8](repeating: 0, count: blockSize)
                for (place, bits) in zip(addresses, bits) where place / blockSize == block {
                    target[place % blockSize] = bits
                    old.append(found[place % blockSize])
                    new.append(found[place % blockSize] | bits)
                }
                let result = zip(found, target).map { $0 | $1 }
                guard result != found else { continue }
                current[block] = result
                // On an unknown chip, lock bytes may share a block with data. On a known chip, the rest of the block is
                // fixed or RFU, and the data sheets require RFU bits to be written as 0.
                let written = memory.chip == nil ? result : target
                pieces.append(LockPiece(address: block * blockSize, old: found, new: result, written: written))
            }
            guard !pieces.isEmpty else { return }
            steps.append(
                LockStep(
                    name: name, place: "block \(address / blockSize)", old: old, new: new, effect: effect,
                    permanence: permanence, pieces: pieces))
        }

        mutating func add(_ name: String, at address: Int, _ bits: [UInt8], effect: LockStep.Effect) throws(TagError) {
            try add(name, at: address, bits[...], effect: effect)
        }

        private func contents(_ block: Int) throws(TagError) -> [UInt8] {
            if let bytes = current[block] { return bytes }
            return try memory.block(block, limit: block + 1)
        }

        private let blockSize = Type2Tag.blockSize
    }
}

extension Type2Tag: LockableMemory {
    func contents(of piece: LockPiece) throws(TagError) -> [UInt8] {
        let block = piece.address / Self.blockSize
        memory.forget([block])
        return try memory.block(block, limit: block + 1)
    }

    func set(_ piece: LockPiece) throws(TagError) {
        let block = piece.address / Self.blockSize
        guard try memory.sendWrite(piece.written, to: block) else {
            throw .commandFailed(command: "WRITE of lock bits", offset: piece.address, sw: nil)
        }
    }

    /// Activates the tag again.
    ///
    /// Some chips apply lock bits only from the next REQA or WUPA — NXP NTAG203 and MF0ICU2 data sheets.
    func beginAfresh() throws(TagError) { try memory.activateAgain() }

    func refusesWriting(_ place: LockedPlace) throws(TagError) -> Bool {
        let bytes = try memory.block(place.address, limit: place.address + 1)
        return try !memory.sendWrite(bytes, to: place.address)
    }

    /// Reads the blocks whose contents the chip does not change.
    ///
    /// Counters, registers and mirrored data are left out because the chip itself changes them.
    func everything() throws(TagError) -> [String: [UInt8]] {
        memory.forgetAll()
        let end = memory.chip?.userEnd ?? dataEnd
        try memory.load(0...end - 1)
        if let further = memory.chip?.furtherUserBlocks { try memory.load(further) }
        if let configuration = memory.chip?.protection?.configurationBlocks { try memory.load(configuration) }
        var contents: [String: [UInt8]] = [:]
        let shown = shownBlocks
        for block in 0..<memory.blockCount where block != memory.chip?.counterBlock && !shown.contains(block) {
            contents["block \(block)"] = memory.cached(block)
        }
        return contents
    }

    func names(of piece: LockPiece) -> Set<String> { ["block \(piece.address / Self.blockSize)"] }

    /// The number of the first block after the data area of an unknown chip.
    private var dataEnd: Int {
        guard case .present(_, let layout, _)? = knownArea else { return DynamicLockLayout.firstBlock }
        return layout.dataEnd / Self.blockSize
    }
}
