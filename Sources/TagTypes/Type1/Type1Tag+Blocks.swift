// Raw blocks of a Type 1 Tag — NFC Forum T1T, WRITE-E, WRITE-NE and their 8-byte forms

extension Type1Tag {
    /// Checks, without writing, that these blocks can be written.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` for block 0, which holds the UID and is locked by the manufacturer —
    ///   NFC Forum T1T, memory map (from memory).
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try memory.identify()
        let count = memory.isDynamic ? Type1Memory.maximumBlockCount : Type1Memory.readAllBlockCount
        for block in blocks where block.bytes.count != Type1Memory.blockSize || !(0..<count).contains(block.number) {
            throw .unsupported(reason: "it has no \(block.bytes.count)-byte block \(block.number)")
        }
        guard !blocks.contains(where: { $0.number == 0 }) else {
            throw .unsupported(reason: "its UID, in block 0, is fixed")
        }
        try memory.requireWritingReader()
    }

    /// Writes blocks in the given order, and verifies each.
    ///
    /// Blocks that already hold their bytes are skipped. Lock and OTP bits are written without erasing, so bits that
    /// are already set stay set.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try requireBlocks(blocks)
        // Afterwards, the NDEF data in the blocks is no longer known. After a failure, their contents are not known
        // either.
        defer {
            memory.forgetAll()
            forgetArea()
        }
        for block in blocks where memory.cached(block.number) != block.bytes {
            let address = block.number * Type1Memory.blockSize
            let isOneTime = Self.staticLockAddress == address || Self.reservedDynamic.contains(address)
            try memory.write(block.bytes, at: address, isOneTime ? .noErase : .withErase)
            memory.forget(address..<address + 1)
            guard try memory.block(block.number) == block.bytes else {
                throw .commandFailed(command: "WRITE", offset: address, sw: nil)
            }
        }
    }
}
