// Type 2 Tag life cycle: INITIALISED — NFC Forum T2T, Tag Life Cycle
import Chips

extension Type2Tag {
    /// Makes sure that the data area is empty, or as an interrupted ``initialise()`` left it.
    public func requireBlank() throws(TagError) {
        guard case .missing(_, isBlank: true) = try detectedArea() else { throw .notBlank }
        if let block = firstProtectedBlock { throw .passwordNeeded(block: block) }
        let block = try memory.block(Type2CapabilityContainer.block, limit: memory.blockCount)
        guard Type2CapabilityContainer(block) == nil else { return }
        // Without a capability container there may still be data of another application; or these TLVs, after a cut.
        let (mlen, tlvs) = try delivery()
        let end = 4 + 2 * Int(mlen)
        try memory.load(4...end - 1)
        for block in 4..<end {
            for (index, byte) in zip(((block - 4) * 4)..., try memory.block(block, limit: end)) {
                guard byte == 0 || index < tlvs.count && byte == tlvs[index] else { throw .notBlank }
            }
        }
    }

    /// Writes the capability container and the TLVs a chip of this kind is delivered with.
    ///
    /// The data area comes first, the one-time bits of the capability container last. A container without an NDEF TLV after
    /// it only gets the TLV.
    public func initialise() throws(TagError) {
        _ = try detectedArea()
        confirmChip()
        try requireBlank()
        try memory.requireWritingReader()
        defer { forgetArea() }
        let block = try memory.block(Type2CapabilityContainer.block, limit: memory.blockCount)
        if let container = Type2CapabilityContainer(block) {
            return try put(TLVLayout.emptyMessage, at: try layout(of: container).freeAddresses)
        }
        let (mlen, tlvs) = try delivery()
        try put(tlvs, at: Array(16..<32))
        try put([0xE1, 0x10, mlen, 0x00], at: Array(12..<16))
    }

    /// What a blank tag will hold; 0 when its size is not known.
    func capacityOnceInitialised() throws(TagError) -> Int {
        let block = try memory.block(Type2CapabilityContainer.block, limit: memory.blockCount)
        if let container = Type2CapabilityContainer(block) {
            return TLVLayout.capacity(of: try layout(of: container).freeAddresses.count)
        }
        do throws(TagError) {
            let (mlen, tlvs) = try delivery()
            return TLVLayout.capacity(of: 8 * Int(mlen) - tlvs.count + TLVLayout.emptyMessage.count)
        } catch .unsupported {
            return 0
        }
    }

    /// The size byte of the capability container, and the TLVs that a chip of this kind is delivered with.
    private func delivery() throws(TagError) -> (mlen: UInt8, tlvs: [UInt8]) {
        let mlen = if let chip = memory.chip { chip.mlen } else { try measuredSize() }
        return (mlen, memory.chip?.deliveredTLVs ?? TLVLayout.emptyMessage)
    }

    /// The data area size of a chip without GET_VERSION: only the MF0ICU1 with its 16 blocks is known by its end.
    private func measuredSize() throws(TagError) -> UInt8 {
        do throws(TagError) {
            _ = try memory.block(16, limit: 17)
        } catch .commandFailed {
            // Refused, not silent.
            return UInt8(Self.staticDataAreaSize / 8)
        }
        try memory.requireIdentifyingReader()
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
}
