// Raw blocks of a Type 3 Tag — NFC Forum T3T, UPDATE

extension Type3Tag {
    /// Checks that these blocks can be written.
    ///
    /// Writes nothing.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        for block in blocks where block.bytes.count != Type3Commands.blockSize || !(0...0xFFFF).contains(block.number) {
            throw .unsupported(reason: "it has no block \(block.number) of \(block.bytes.count) bytes")
        }
    }

    /// Writes blocks in the given order, one per command, reading back and comparing each.
    ///
    /// Skips blocks that already hold their bytes.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        try requireBlocks(blocks)
        _ = try memory.activate()
        // The NDEF meaning of the blocks is no longer known, and after a failure neither are their contents.
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
