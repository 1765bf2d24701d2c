// Raw blocks of a Type 3 Tag — NFC Forum T3T, UPDATE

extension Type3Tag {
    /// Checks, without writing, that these blocks can be written.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        for block in blocks where block.bytes.count != Type3Commands.blockSize || !(0...0xFFFF).contains(block.number) {
            throw .unsupported(reason: "it has no \(block.bytes.count)-byte block \(block.number)")
        }
    }

    /// Writes blocks in the given order, one per command, and verifies each.
    ///
    /// Blocks that already hold their bytes are skipped.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try requireBlocks(blocks)
        _ = try memory.activate()
        // Afterwards, the NDEF data in the blocks is no longer known. After a failure, their contents are not known
        // either.
        defer {
            if blocks.contains(where: { $0.number == FeliCaMemoryConfiguration.number }) { memory.forgetSystem() }
            forgetArea()
        }
        for block in blocks where memory.cached(block.number) != block.bytes {
            try memory.write(block.bytes, to: block.number)
            memory.forget([block.number])
            guard try memory.block(block.number) == block.bytes else {
                throw .commandFailed(
                    command: "Write Without Encryption", offset: block.number * Type3Commands.blockSize, sw: nil)
            }
        }
    }
}
