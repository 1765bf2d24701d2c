// Type 2 Tag life cycle: INITIALISED and READ-ONLY — NFC Forum T2T, Tag Life Cycle

extension Type2Tag {
    /// The bits of the capability container, the static and the dynamic lock bits that are not set.
    public func planLock() throws(TagError) -> [LockStep] {
        try oneTimeWrites().filter { !$0.isDone }.map(\.step)
    }

    /// Sets the capability container's write access to F, then the static and the dynamic lock bits, checking each.
    public func makeReadOnly() throws(TagError) {
        _ = try presentArea()
        confirmChip()
        let writes = try oneTimeWrites()
        defer { forgetArea() }
        try performInOrder(writes, in: memory) { (write) throws(TagError) in try perform(write) }
    }

    private func oneTimeWrites() throws(TagError) -> [OneTimeWrite] {
        let (container, layout, _) = try presentArea()
        if let block = firstProtectedBlock { throw .passwordNeeded(block: block) }
        let staticLock = try memory.block(Self.staticLockBlock, limit: memory.blockCount)
        var writes = [
            OneTimeWrite(
                name: "write access", address: Type2CapabilityContainer.block * Self.blockSize, found: container.bytes,
                bytes: container.bytes.prefix(3) + [container.bytes[3] | 0x0F],
                effect: "readers are told that the tag is read-only"),
            // Bytes 0 and 1 are check byte and internal: a WRITE leaves them. The bits that freeze lock bits come after
            // those they freeze: a tear that set them first would leave blocks open for ever.
            OneTimeWrite(
                name: "static lock bits", address: Self.staticLockBlock * Self.blockSize, found: staticLock,
                bytes: [0x00, 0x00, 0xF8, 0xFF],
                effect: "blocks 3 to \(DynamicLockLayout.firstBlock - 1) can never be written again"),
            OneTimeWrite(
                name: "static block-locking bits", address: Self.staticLockBlock * Self.blockSize, found: staticLock,
                bytes: [0x00, 0x00, 0x07, 0x00], effect: "the static lock bits can never be changed again"),
        ]
        for lock in dynamicLocks(layout) {
            // Where the specification's default would be there need not be any. Others that cannot be read are no reason
            // to leave a lock half done.
            let isCertain = memory.chip != nil || !layout.lockControl.isEmpty
            guard isCertain || memory.cached(lock.blocks.lowerBound) != nil else { continue }
            var bytes: [UInt8] = []
            for block in lock.blocks { bytes += try memory.block(block, limit: block + 1) }
            let found = Array(bytes.dropFirst(lock.address % Self.blockSize))
            // Of a chip that is known the bits cover all they cover, whatever its container says.
            let last = (memory.chip == nil ? min(lock.end, layout.dataEnd / Self.blockSize) : lock.end) - 1
            writes.append(
                OneTimeWrite(
                    name: "dynamic lock bits", address: lock.address, found: found, bytes: lock.lockBits[...],
                    effect: "blocks \(DynamicLockLayout.firstBlock) to \(last) can never be written again"))
            guard !lock.blockLocking.isEmpty else { continue }
            writes.append(
                OneTimeWrite(
                    name: "dynamic block-locking bits", address: lock.address, found: found,
                    bytes: lock.blockLocking[...], effect: "the dynamic lock bits can never be changed again"))
        }
        return writes
    }

    /// Writes the capability container and the TLVs a chip of this kind is delivered with.
    ///
    /// The data area comes first, the one-time bits of the capability container last. A container without an NDEF TLV
    /// behind it only gets the TLV.
    public func initialise() throws(TagError) {
        _ = try detectedArea()
        confirmChip()
        guard case .missing(_, isBlank: true) = try detectedArea() else { throw .notBlank }
        if let block = firstProtectedBlock { throw .passwordNeeded(block: block) }
        defer { forgetArea() }
        let block = try memory.block(Type2CapabilityContainer.block, limit: memory.blockCount)
        if let container = Type2CapabilityContainer(block) {
            return try put([0x03, 0x00, 0xFE], at: try freeAddresses(container))
        }
        let mlen = if let chip = memory.chip { chip.mlen } else { try measuredSize() }
        let tlvs = memory.chip?.deliveredTLVs ?? [0x03, 0x00, 0xFE]
        // Without a capability container there may still be somebody's data; or these TLVs, after a cut.
        let end = 4 + 2 * Int(mlen)
        try memory.load(4...end - 1)
        for block in 4..<end {
            for (index, byte) in zip(((block - 4) * 4)..., try memory.block(block, limit: end)) {
                guard byte == 0 || index < tlvs.count && byte == tlvs[index] else { throw .notBlank }
            }
        }
        try put(tlvs, at: Array(16..<32))
        try put([0xE1, 0x10, mlen, 0x00], at: Array(12..<16))
    }

    /// What a blank tag will hold; 0 when its size is not known.
    func capacityOnceInitialised() throws(TagError) -> Int {
        let block = try memory.block(Type2CapabilityContainer.block, limit: memory.blockCount)
        if let container = Type2CapabilityContainer(block) {
            return TLVLayout.capacity(of: try freeAddresses(container).count)
        }
        do throws(TagError) {
            let mlen = if let chip = memory.chip { chip.mlen } else { try measuredSize() }
            let message: [UInt8] = [0x03, 0x00, 0xFE]
            return TLVLayout.capacity(
                of: 8 * Int(mlen) - (memory.chip?.deliveredTLVs ?? message).count + message.count)
        } catch .unsupported {
            return 0
        }
    }

    /// Where an NDEF TLV may go in a data area without one.
    private func freeAddresses(_ container: Type2CapabilityContainer) throws(TagError) -> [Int] {
        let layout = try layout(of: container)
        return (layout.freeAddress..<layout.dataEnd).filter { !layout.isReserved($0) }
    }

    /// The data area size of a chip without GET_VERSION: only the MF0ICU1 with its 16 blocks is known by its end.
    private func measuredSize() throws(TagError) -> UInt8 {
        do throws(TagError) {
            _ = try memory.block(16, limit: 17)
        } catch .commandFailed {
            return UInt8(Self.staticDataAreaSize / 8)
        }
        throw .unsupported(reason: "the size of its memory is not known")
    }

    /// Writes bytes to addresses in ascending order, the block with the first of them last, and reads them back.
    private func put(_ bytes: [UInt8], at addresses: [Int]) throws(TagError) {
        var blocks: [Int: [UInt8]] = [:]
        for (address, byte) in zip(addresses, bytes) {
            let block = address / 4
            if blocks[block] == nil { blocks[block] = try memory.block(block, limit: block + 1) }
            blocks[block]?[address % 4] = byte
        }
        for (block, bytes) in blocks.sorted(by: { $0.key > $1.key }) { try memory.write(bytes, to: block) }
        memory.forget(blocks.keys)
        for (block, bytes) in blocks.sorted(by: { $0.key < $1.key }) {
            guard try memory.block(block, limit: block + 1) == bytes else {
                throw .commandFailed(command: "WRITE", offset: block * 4, sw: nil)
            }
        }
    }

    /// One-time bits to set.
    private struct OneTimeWrite: NamedStep {
        let name: String
        let address: Int
        /// What is there, from the address on.
        let found: [UInt8]
        let bytes: ArraySlice<UInt8>
        let effect: String

        var isDone: Bool { zip(found, bytes).allSatisfy { $0 & $1 == $1 } }

        var step: LockStep {
            let old = Array(found.prefix(bytes.count))
            return LockStep(
                name: name, place: "block \(address / Type2Tag.blockSize)", old: old,
                new: zip(old, bytes).map { $0 | $1 }, effect: effect)
        }
    }

    /// Sets one-time bits, block by block, and checks that they are set; others in the same block stay as they are.
    private func perform(_ step: OneTimeWrite) throws(TagError) {
        var targets: [Int: [UInt8]] = [:]
        for (address, byte) in zip(step.address..., step.bytes) {
            targets[address / 4, default: [0, 0, 0, 0]][address % 4] = byte
        }
        for (block, target) in targets.sorted(by: { $0.key < $1.key }) {
            let found = try memory.block(block, limit: block + 1)
            if zip(found, target).allSatisfy({ $0 & $1 == $1 }) { continue }
            // On a chip we do not know, lock bytes may share a block with data. On one we know, what else is in the
            // block is fixed or RFU, and the data sheets want RFU bits written as 0.
            let written = memory.chip == nil ? zip(found, target).map { $0 | $1 } : target
            try memory.write(written, to: block)
            memory.forget([block])
            let proof = try memory.block(block, limit: block + 1)
            guard zip(proof, target).allSatisfy({ $0 & $1 == $1 }) else {
                throw .commandFailed(command: "WRITE of lock bits", offset: block * 4, sw: nil)
            }
        }
    }
}
