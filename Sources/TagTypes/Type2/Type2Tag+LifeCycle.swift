// Type 2 Tag life cycle: INITIALISED — NFC Forum T2T, Tag Life Cycle
import Chips

extension Type2Tag {
    /// Checks that the data area is empty and that all of it can be written.
    ///
    /// The data area may also be in a state in which an interrupted ``initialise()`` left it.
    public func requireBlank() throws(TagError) {
        guard case .missing(_, isBlank: true) = try detectedArea() else { throw .notBlank }
        if let container = try container() {
            let layout = try layout(of: container)
            let first = (layout.freeAddresses.first ?? Self.dataStart) / Self.blockSize
            return try requireOpen(first..<layout.dataEnd / Self.blockSize, layout)
        }
        // A tag without a capability container may still hold data of another application, or the TLVs that an
        // interrupted initialisation wrote.
        let (mlen, tlvs) = try delivery()
        let end = 4 + 2 * Int(mlen)
        try requireOpen(Type2CapabilityContainer.block..<end, nil)
        try memory.load(4...end - 1)
        for block in 4..<end {
            for (index, byte) in zip(((block - 4) * 4)..., try memory.block(block, limit: end)) {
                guard byte == 0 || index < tlvs.count && byte == tlvs[index] else { throw .notBlank }
            }
        }
    }

    /// Whether ``initialise()`` was interrupted while it wrote the capability container.
    ///
    /// A torn write leaves only some bits of the container, to which another write can add the missing ones. The TLVs
    /// are written first, so if any of them is missing, the bits belong to another application. ``requireBlank()``
    /// checks the rest of the memory.
    func isContainerBegun() throws(TagError) -> Bool {
        let block = try memory.block(Type2CapabilityContainer.block, limit: memory.blockCount)
        func isPart(of intended: [UInt8]) -> Bool { zip(block, intended).allSatisfy { $0 & ~$1 == 0 } }
        guard isPart(of: Self.container(mlen: 0xFF)) else { return false }
        do throws(TagError) {
            let (mlen, tlvs) = try delivery()
            guard isPart(of: Self.container(mlen: mlen)) else { return false }
            for (address, byte) in zip(Self.dataStart..., tlvs) {
                let block = address / Self.blockSize
                guard try memory.block(block, limit: block + 1)[address % Self.blockSize] == byte else { return false }
            }
            return true
        } catch {
            if error.isOfConnection { throw error }
            // A chip whose memory size is not known cannot be initialised, so no initialisation was interrupted.
            return false
        }
    }

    /// Returns the capability container for a data area of this size, in units of 8 bytes.
    static func container(mlen: UInt8) -> [UInt8] { [Type2CapabilityContainer.magicNumber, 0x10, mlen, 0x00] }

    /// Checks that neither lock bits nor a password prevent any of these blocks from being written.
    ///
    /// Without this check, initialisation could permanently set the one-time bits of the capability container on a tag
    /// that accepts no message.
    ///
    /// - Throws: ``TagError/readOnly(reason:mayBeRestored:)``, ``TagError/passwordNeeded(block:)``; what reading
    ///   throws.
    private func requireOpen(_ blocks: Range<Int>, _ layout: TLVLayout?) throws(TagError) {
        if let configuration = memory.chip?.protection?.configurationBlocks { try memory.load(configuration) }
        if let guarded = firstProtectedBlock, guarded < blocks.upperBound { throw .passwordNeeded(block: guarded) }
        if let lock = memory.chip?.dynamicLock {
            // Throw the error if lock bits cannot be read, because they may be set.
            for block in lock.blocks { _ = try memory.block(block, limit: block + 1) }
        } else if let layout {
            for lock in dynamicLocks(layout) { try memory.load(lock.blocks) }
        }
        if let locked = blocks.first(where: { isLocked($0, layout) }) {
            throw .readOnly(reason: "its lock bits lock block \(locked)")
        }
    }

    /// Writes the capability container and the TLVs with which chips of this kind are delivered.
    ///
    /// The data area is written first, followed by the one-time bits of the capability container, of which the magic
    /// number comes last. If there is already a container without an NDEF TLV, only that TLV is written.
    public func initialise() throws(TagError) {
        _ = try detectedArea()
        confirmChip()
        try requireBlank()
        try memory.requireWritingReader()
        defer { forgetArea() }
        if let container = try container() {
            return try put(TLVLayout.emptyMessage, at: try layout(of: container).freeAddresses)
        }
        let (mlen, tlvs) = try delivery()
        try put(tlvs, at: Array(16..<32))
        // The magic number is written last, so that no reader mistakes a size that was only partly written for the size
        // of a smaller data area.
        let found = try memory.block(Type2CapabilityContainer.block, limit: Type2CapabilityContainer.block + 1)
        let container = Self.container(mlen: mlen)
        let withoutMagic: [UInt8] = [0x00] + container.dropFirst()
        try put(zip(found, withoutMagic).map { $0 | $1 }, at: Array(12..<16))
        try put(container, at: Array(12..<16))
    }

    /// Returns the capacity that a blank tag will have after initialisation, in bytes, or 0 if its memory size is not
    /// known.
    func capacityOnceInitialised() throws(TagError) -> Int {
        if let container = try container() {
            return TLVLayout.capacity(of: try layout(of: container).freeAddresses.count)
        }
        do throws(TagError) {
            let (mlen, tlvs) = try delivery()
            return TLVLayout.capacity(of: 8 * Int(mlen) - tlvs.count + TLVLayout.emptyMessage.count)
        } catch .unsupported {
            return 0
        }
    }

    /// Returns the size byte of the capability container and the factory TLVs of a chip of this kind.
    private func delivery() throws(TagError) -> (mlen: UInt8, tlvs: [UInt8]) {
        let mlen = if let chip = memory.chip { chip.mlen } else { try measuredSize() }
        return (mlen, memory.chip?.deliveredTLVs ?? TLVLayout.emptyMessage)
    }

    /// Returns the data area size of a chip that does not support GET_VERSION, in units of 8 bytes.
    ///
    /// Only an MF0ICU1 is recognised, because its memory ends after 16 blocks.
    private func measuredSize() throws(TagError) -> UInt8 {
        do throws(TagError) {
            _ = try memory.block(16, limit: 17)
        } catch .commandFailed {
            // The tag refused the block, and did not just fail to answer, so the block does not exist.
            return UInt8(Self.staticDataAreaSize / 8)
        }
        try memory.requireIdentifyingReader()
        throw .unsupported(reason: "the size of its memory is not known")
    }

    /// Writes bytes to the given ascending addresses, of which the first block is written last, and verifies them.
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
}
